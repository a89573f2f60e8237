# Names the things a developer does. Each is a small script or Go command under
# build/dev, where the settings live too (build/dev/env.sh).

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test build check generate golden bench fuzz spec package screenshots

# How long `make fuzz` tries each target.
FUZZTIME ?= 10m

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## install what is missing, build, and open the window on a demo workspace
	@build/dev/run.sh

test: ## install what is missing and run every test
	@build/dev/test.sh

build: ## build the page and the executables into build/bin
	@build/dev/build.sh

check: ## format, lint, types, generated files, import directions
	@build/dev/check.sh

generate: ## write every generated file anew
	@build/dev/generate.sh

golden: ## rewrite golden files, then show what changed
	@build/dev/golden.sh

bench: ## measure against limits taken in the same run
	@build/dev/bench.sh

fuzz: ## try each fuzz target for FUZZTIME (10m)
	@build/dev/fuzz.sh "$(FUZZTIME)"

spec: ## list the requirements that no test names
	@build/dev/go.sh run ./build/dev/spec

package: ## pack a release into build/dist
	@build/dev/package.sh

screenshots: ## take the pictures of the README anew
	@build/dev/screenshots.sh
