#!/bin/sh
# The browser tests drive Chromium. Debian's is installed where that can be done without asking.
command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing chromium for the browser tests."
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null && exit 0
fi
echo "There is no chromium: the browser tests are skipped. On Debian: apt-get install chromium"
