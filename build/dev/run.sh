#!/bin/bash
# Builds, then opens the window on a copy of the demo workspace, with the scripted agent
# ready. Arguments go to `countersign-desktop`, or to `countersign serve` where there is no display.
source "$(dirname "$0")/env.sh"

build/dev/setup.sh build
build/dev/build.sh

# Everything the demo writes goes here and is removed with it.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/countersign-demo.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cp -R build/samples/demo "$scratch/workspace"
mkdir -m 700 "$scratch/home"
cp build/samples/demo.config.json "$scratch/home/config.json"
echo "demo workspace: $scratch/workspace (removed at the end)"

desk=(build/bin/countersign-desktop)
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "There is no display for a window, so the desk is a page in a browser."
  desk=(build/bin/countersign serve)
fi
# In a process group of its own the desk hears of a signal once, from here, whether it came
# from the terminal or to this script alone; and the folder goes after the desk.
set -m
"${desk[@]}" --workspace "$scratch/workspace" --home "$scratch/home" \
  --model "scripted:$root/build/samples/demo.task.json" "$@" &
child=$!
set +m
trap 'kill -TERM "$child" 2>/dev/null || true' INT TERM HUP
status=0
while kill -0 "$child" 2>/dev/null; do wait "$child" || true; done
wait "$child" || status=$?
exit "$status"
