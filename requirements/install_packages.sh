#!/bin/sh
# sh install_packages.sh NAME: install what NAME.txt pins, by its hashes, for the `python` of the
# PATH, with the `uv` of the PATH.
set -eu
folder=$(dirname "$0")
# uv does not read pip's settings. It gets the package index that pip uses here, if it is not PyPI;
# certificates are those of the system.
export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-${PIP_INDEX_URL:-$(pip config get global.index-url 2>/dev/null || true)}}"
# pyspark comes as source. Its wheel, 450 MB, is unpacked at once: to compress it takes 18 seconds.
exec uv pip install --python "$(command -v python)" --break-system-packages --quiet --system-certs \
  --build-constraints "$folder/pyspark-build.txt" \
  --config-settings-package pyspark:--build-option=--compression=stored \
  --require-hashes --requirement "$folder/$1.txt"
