#!/bin/bash
# fuzz.sh [TIME]: runs each fuzz target of the tree for TIME.
source "$(dirname "$0")/env.sh"
source "$(dirname "$0")/stage.sh"

# fuzz NAME DIR TIME: one target. On a busy machine Go's fuzzer may end with its own deadline
# as if it were a failure; without a failing input, and with nothing else said, it is none.
fuzz() {
  local out rc=0
  out=$(mktemp)
  go test -run '^$' -fuzz "^$1\$" -fuzztime "$3" -fuzzminimizetime=1x "./$2" 2>&1 | tee "$out" || rc=$?
  if ((rc)) && only_deadline "$out"; then
    echo "the fuzzer ended late, with no failing input: passed"
    rc=0
  fi
  rm -f "$out"
  return "$rc"
}

# only_deadline FILE: whether the output of a failed run complains of the deadline alone.
only_deadline() {
  grep -q '^ *context deadline exceeded$' "$1" &&
    ! grep -vE '^(fuzz: (elapsed|minimizing)|--- FAIL: Fuzz[A-Za-z0-9_]* \(|warning: starting with empty corpus| *context deadline exceeded$|FAIL$|FAIL[[:space:]]|exit status 1$|$)' "$1" | grep -q .
}

while IFS=: read -r file name; do
  stage "$name in $(dirname "$file") for ${1:-10m}" fuzz "$name" "$(dirname "$file")" "${1:-10m}"
done < <(git ls-files -co --exclude-standard '*_test.go' |
  xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]*' | sed 's/:func /:/')
stage_report "make fuzz"
