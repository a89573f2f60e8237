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

stage_beside_pid=
stage_beside_file=

# stage_beside NAME COMMAND...: begins a stage that goes on beside the next ones, for what waits
# more than it works. It is one at a time, and shown by stage_join.
stage_beside() {
  stage_beside_file=$(mktemp)
  trap stage_drop EXIT
  # Whoever ends all of it wants to know what went on.
  trap 'stage_show; exit 143' TERM
  # In a process group of its own, so that all of it can be ended.
  set -m
  (
    stage_lines=() stage_failed=0 SECONDS=0
    stage "$@"
    printf '%s\n' "${stage_lines[0]}" >&3
    exit "$stage_failed"
  ) >"$stage_beside_file" 2>&1 3>"$stage_beside_file.line" &
  stage_beside_pid=$!
  set +m
}

# stage_join: waits for the stage that was begun beside the others and shows it as if it ran now.
stage_join() {
  wait "$stage_beside_pid" || stage_failed=1
  stage_beside_pid=
  stage_show
  stage_lines+=("$(cat "$stage_beside_file.line")")
  stage_drop
}

stage_show() { cat "$stage_beside_file"; }

# Ends what was begun and not joined.
stage_drop() {
  [ -z "$stage_beside_pid" ] || kill -TERM -- "-$stage_beside_pid" 2>/dev/null || true
  rm -f "$stage_beside_file" "$stage_beside_file.line"
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
