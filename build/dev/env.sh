# Sourced by every script here: the settings that all builds, tests and checks share.
# shellcheck shell=bash

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

# One set of flags for every go command. The build cache is keyed by them, so a
# second set would compile SQLite and the standard library once more.
export GOFLAGS="-tags=sqlite_fts5 -trimpath -buildvcs=false"
export CGO_ENABLED=1
# Wails links GTK and WebKitGTK under these alone, so everything but the window builds,
# and is tested, without them.
export window_tags=sqlite_fts5,desktop,production,webkit2_41
# Without debug information SQLite compiles in two thirds of the time.
export CGO_CFLAGS="-O2 -g0"
# A program with the race detector waits a second before it ends, for races of what it leaves
# running. The tests end what they start, and look for what is left, so that second would only
# be waited for by every package and every program that a test starts.
export GORACE="atexit_sleep_ms=0"
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

# install_node DIR: npm ci in DIR, only when its lock file changed since the last one.
install_node() {
  local stamp=$1/node_modules/.installed-lock
  if ! cmp -s "$1/package-lock.json" "$stamp"; then
    (cd "$1" && npm ci)
    cp "$1/package-lock.json" "$stamp"
  fi
}
