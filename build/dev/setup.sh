#!/bin/bash
# setup.sh [build|test]: installs what a fresh Debian machine with Go and Node lacks. Safe to run again.
source "$(dirname "$0")/env.sh"

# libc6-dev and ca-certificates are only recommended by others, and we take no recommendations.
packages=(ca-certificates gcc git libc6-dev)
# The window.
packages+=(libgtk-3-dev libwebkit2gtk-4.1-dev pkg-config)
# What grep and glob search with.
packages+=(ripgrep)
if [ "${1:-build}" = test ]; then
  packages+=(chromium-headless-shell fonts-dejavu-core)
  # A screen, a window manager, a message bus and a notification service of the tests' own, and
  # what drives a window on it.
  # Never dbus-x11: with it GTK starts buses that outlive the test.
  packages+=(dbus dunst openbox webkit2gtk-driver xdotool xvfb)
  # A compiler and a runtime for tool sets that are assemblies, and what a sample set is written in.
  packages+=(mono-mcs mono-runtime python3)
fi

install_debian() {
  local missing=() name sudo=()
  for name in "${packages[@]}"; do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed' || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  echo "installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=600 "${missing[@]}" >/dev/null
}

for command in go node npm; do
  command -v "$command" >/dev/null || {
    echo "$command is missing: install Go 1.26 or newer and Node 20.19 or newer first" >&2
    exit 1
  }
done
if command -v apt-get >/dev/null; then
  install_debian
else
  echo "not a Debian system: these packages, or their likes, must be there: ${packages[*]}"
fi
install_node frontend
