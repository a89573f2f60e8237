#!/bin/bash
# Builds the generated files, the page and the executables, in this order: the page
# uses generated types, and the executable embeds the page.
source "$(dirname "$0")/env.sh"

install_node frontend
build/dev/generate.sh
(cd frontend && npm run --silent build -- --logLevel error)
mkdir -p build/bin
build/dotnet-host/build.sh build/bin/dotnet-host
go build -o build/bin/countersign ./app/countersign
go build "-tags=$window_tags" -o build/bin/countersign-desktop ./app/desktop
