#!/bin/bash
# Builds, then takes the pictures of the README anew: the window as it is, on a screen of its own.
source "$(dirname "$0")/env.sh"

build/dev/setup.sh test
build/dev/build.sh
frontend/e2e/window/desktop.sh node build/dev/screenshots.mjs
git status --short build/screenshots
