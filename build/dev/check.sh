#!/bin/bash
# Everything that can be said about the tree without running it for real.
source "$(dirname "$0")/env.sh"
source "$(dirname "$0")/stage.sh"
install_node frontend

ours() { git ls-files -co --exclude-standard -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done; }

formatted() {
  local unformatted
  unformatted=$(ours '*.go' | xargs gofmt -l)
  [ -z "$unformatted" ] || { printf 'run gofmt -w on:\n%s\n' "$unformatted"; return 1; }
}

shell_scripts() {
  local file
  for file in $(ours '*.sh' .ci/run); do bash -n "$file"; done
  if command -v shellcheck >/dev/null; then ours '*.sh' .ci/run | xargs shellcheck -x -P SCRIPTDIR -e SC1091; fi
}

tidy() {
  go mod tidy -diff
  go -C build/lint mod tidy -diff
}

# The time zones are a copy of the toolchain's, so that a clock answers alike everywhere.
zoneinfo() {
  local copies copy
  copies=$(ours '*/zoneinfo.zip')
  [ -n "$copies" ] || { echo "there is no copy to compare"; return 1; }
  for copy in $copies; do cmp "$copy" "$(go env GOROOT)/lib/time/zoneinfo.zip"; done
}

# A file that names the folder of its checkout works on one machine only.
no_checkout_paths() {
  ! git grep -nIF -e "$root/" -- . ':!*.jsonl'
}

# The tree has a place for everything, and what was built has none in it.
top_level() {
  local names="app backend frontend build tools wails.json go.mod go.sum README.md Makefile LICENSE CONTRIBUTING.md .ci .gitignore"
  local name wrong=0
  for name in $(ours | cut -d/ -f1 | sort -u); do
    [[ " $names " == *" $name "* ]] || { echo "$name has no place at the top level"; wrong=1; }
  done
  return "$wrong"
}

# Never a failure: a long file is a question, not a mistake.
long_files() {
  ours '*.go' ':!*_test.go' | xargs wc -l | awk '$2 != "total" && $1 > 350 { print "over 350 lines: " $2 " (" $1 ")" }'
  ours '*.svelte' | xargs -r wc -l | awk '$2 != "total" && $1 > 220 { print "over 220 lines: " $2 " (" $1 ")" }'
}

# It keeps one processor busy, and has nothing to do with Go.
stage_beside "types, lint and format of the page" npm --prefix frontend run --silent check
stage "gofmt" formatted
stage "go vet" go vet ./...
stage "go vet of the window" go vet "-tags=$window_tags" ./app/desktop
stage "staticcheck" go tool -modfile=build/lint/go.mod staticcheck -checks all ./...
stage "go.mod is tidy" tidy
stage "generated files are fresh" go run ./build/dev/bindings -check
stage "time zones match the toolchain" zoneinfo
stage "import directions" go test -run '^TestTree' ./backend
stage "shell scripts" shell_scripts
stage "no checkout paths" no_checkout_paths
stage "top level" top_level
stage_join
stage "long files (a list, not a failure)" long_files
stage_report "make check"
