#!/bin/sh
# The tests of the alerts run Prometheus. Debian's package is unpacked and not installed, because an
# installation starts its service, on all interfaces.
tools=.venv/prometheus
command -v prometheus >/dev/null && command -v promtool >/dev/null && exit 0
[ -x "$tools/usr/bin/prometheus" ] && exit 0
fetch() { apt-get download -qq -o APT::Sandbox::User=root prometheus 2>/dev/null; }
if command -v apt-get >/dev/null && mkdir -p "$tools" && cd "$tools"; then
  echo "Fetching prometheus for the tests of the alerts."
  fetch || { [ "$(id -u)" = 0 ] && apt-get update -qq && fetch; }
  for package in prometheus_*.deb; do
    [ -e "$package" ] && dpkg-deb --fsys-tarfile "$package" |
      tar --extract ./usr/bin/prometheus ./usr/bin/promtool && rm "$package" && exit 0
  done
fi
echo "There is no prometheus: the tests of the alerts are skipped. On Debian: apt-get install prometheus"
