#!/bin/bash
# Packs the executables with the README, the license, the notices of what is built in,
# ripgrep with its own license, and what a Linux desktop shows of the window into
# build/dist. Two runs on one commit give the same bytes.
source "$(dirname "$0")/env.sh"

build/dev/setup.sh build
build/dev/build.sh

version=$(git describe --tags --always --dirty)
name=countersign-$version-$(go env GOOS)-$(go env GOARCH)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/$name" build/dist

# Symbols and debug tables are of no use to those who unpack this; the version is.
go build -buildvcs=true -ldflags '-s -w' -o "$stage/$name/countersign" ./app/countersign
go build -buildvcs=true "-tags=$window_tags" -ldflags '-s -w' -o "$stage/$name/countersign-desktop" ./app/desktop
cp README.md LICENSE "$stage/$name/"

# What grep and glob search with, as the distribution built it. It is found beside the
# executables first.
cp -L "$(command -v rg)" "$stage/$name/rg"
install -m 644 /usr/share/doc/ripgrep/copyright "$stage/$name/rg.LICENSE"

# What runs tool sets that are assemblies, for each runtime that it could be built for.
cp -r build/bin/dotnet-host "$stage/$name/"

# Laid out as below /usr or ~/.local, so that it is copied as it is.
share=$stage/$name/share
install -D -m 644 build/linux/countersign.desktop "$share/applications/countersign.desktop"
install -D -m 644 frontend/public/icon.svg "$share/icons/hicolor/scalable/apps/countersign.svg"
node build/dev/notices.mjs > "$stage/$name/NOTICES"

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
  -C "$stage" -cf - "$name" | gzip -n -9 > "build/dist/$name.tar.gz"
echo "build/dist/$name.tar.gz"
