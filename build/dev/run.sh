#!/bin/bash
# Builds, then opens a desk on a copy of the demo workspace, with the scripted agent
# ready. Arguments go to `countersign serve`.
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

status=0
build/bin/countersign serve --workspace "$scratch/workspace" --home "$scratch/home" \
  --model "scripted:$root/build/samples/demo.task.json" "$@" || status=$?
exit "$status"
