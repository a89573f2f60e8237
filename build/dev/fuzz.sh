#!/bin/bash
# fuzz.sh [TIME]: runs each fuzz target of the tree for TIME.
source "$(dirname "$0")/env.sh"
source "$(dirname "$0")/stage.sh"

while IFS=: read -r file name; do
  stage "$name in $(dirname "$file") for ${1:-10m}" \
    go test -run '^$' -fuzz "^$name\$" -fuzztime "${1:-10m}" "./$(dirname "$file")"
done < <(git ls-files -co --exclude-standard '*_test.go' |
  xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]*' | sed 's/:func /:/')
stage_report "make fuzz"
