#!/bin/bash
# Writes every generated file anew. They are committed; `make check` proves them fresh.
source "$(dirname "$0")/env.sh"
go run ./build/dev/bindings
