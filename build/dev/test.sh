#!/bin/bash
# Installs what is missing and runs every test: the one command of developers and CI.
source "$(dirname "$0")/env.sh"
source "$(dirname "$0")/stage.sh"

build/dev/setup.sh test
install_node build/dev/clients
build/dev/build.sh

stage "check" build/dev/check.sh
# Go's tests wait for programs and clocks often enough to leave room for the page's.
stage_beside "frontend unit tests" npm --prefix frontend run --silent test
# The check has vetted everything, and read the whole tree.
stage "Go tests with the race detector" go test -race -vet=off -skip '^TestTree' ./...
stage_join
# A window waits for its engine most of the time.
stage_beside "journeys in the window" npm --prefix frontend run --silent e2e:window
stage "journeys in Chromium" npm --prefix frontend run --silent e2e
stage_join
stage_report "make test"
