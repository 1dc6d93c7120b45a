#!/bin/sh
# sh install_packages.sh ROOM: install what ROOM.txt pins, by its hashes, in an image that has uv.
set -eu
# uv does not read pip's settings. It gets the package index that pip uses in this image, if it is
# not PyPI; certificates are those of the system.
export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-${PIP_INDEX_URL:-$(pip config get global.index-url 2>/dev/null || true)}}"
exec uv pip install --python "$(command -v python)" --break-system-packages --quiet --system-certs \
  --link-mode copy --require-hashes --requirement "$(dirname "$0")/$1.txt"
