#!/bin/bash
# Rewrites golden files in every package whose tests take -update, and the accessibility trees
# of the page's cards, then shows what changed. The diff is reviewed like code.
source "$(dirname "$0")/env.sh"

mapfile -t packages < <(git ls-files -co --exclude-standard '*_test.go' |
  xargs -r grep -lE 'flag\.Bool\("update"|scenariotest\.Run\(' | xargs -rn1 dirname | sort -u | sed 's|^|./|')
if ((${#packages[@]})); then go test -count=1 "${packages[@]}" -update; fi
(cd frontend && UPDATE_GOLDEN=1 node --test --test-name-pattern='the tree of each kind of card' e2e/texts.test.mjs)
git status --short
git --no-pager diff --stat
