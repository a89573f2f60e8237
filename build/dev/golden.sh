#!/bin/bash
# Rewrites golden files in every package whose tests take -update, then shows what
# changed. The diff is reviewed like code.
source "$(dirname "$0")/env.sh"

mapfile -t packages < <(git ls-files -co --exclude-standard '*_test.go' |
  xargs -r grep -lE 'flag\.Bool\("update"|scenariotest\.Run\(' | xargs -rn1 dirname | sort -u | sed 's|^|./|')
((${#packages[@]})) || { echo "no package has golden files"; exit 0; }
go test -count=1 "${packages[@]}" -update
git status --short
git --no-pager diff --stat
