#!/bin/bash
# Builds, then measures what was built. Nothing else should run meanwhile.
source "$(dirname "$0")/env.sh"
build/dev/setup.sh test
build/dev/build.sh
exec go run ./build/dev/bench
