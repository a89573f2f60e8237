# Sourced by scripts that do several things and report on each.
# shellcheck shell=bash

stage_lines=()
stage_failed=0

# stage NAME COMMAND...: runs the command, remembers how it went, and goes on after a
# failure, so that one run shows everything that is wrong.
stage() {
  local name=$1 start=$SECONDS rc=0
  shift
  printf '\n== %s\n' "$name"
  # A subshell with its own -e: inside a tested command bash would ignore it.
  set +e
  (set -e; "$@")
  rc=$?
  set -e
  local word=ok
  if ((rc != 0)); then
    word=FAILED
    stage_failed=1
  fi
  stage_lines+=("$(printf '%-6s %5d s  %s' "$word" $((SECONDS - start)) "$name")")
  return 0
}

# stage_report TITLE: prints one line for each stage; its status tells whether all went well.
stage_report() {
  printf '\n== %s\n' "$1"
  printf '%s\n' "${stage_lines[@]}"
  if ((stage_failed)); then
    printf '%s failed after %d s\n' "$1" "$SECONDS"
    return 1
  fi
  printf '%s passed in %d s\n' "$1" "$SECONDS"
}
