#!/bin/bash
# go.sh ARGUMENTS...: go with the project's settings, in its root.
source "$(dirname "$0")/env.sh"
exec go "$@"
