#!/bin/bash
# Builds the generated files, the page and the executables, in this order: the page
# uses generated types, and the executable embeds the page.
source "$(dirname "$0")/env.sh"

install_node frontend
build/dev/generate.sh
(cd frontend && npm run --silent build -- --logLevel error)
mkdir -p build/bin
go build -o build/bin/countersign ./app/countersign
# A -tags of a command stands for that of GOFLAGS, so the store's tag is named again.
go build -tags desktop,production,webkit2_41,sqlite_fts5 -o build/bin/countersign-desktop ./app/desktop
