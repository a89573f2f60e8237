#!/bin/bash
# desktop.sh COMMAND...: runs the command on a screen of its own, with a window manager and a
# message bus that nothing else uses, and takes them down again. The screen's pixels are in
# the file that WINDOW_SCREEN names.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/countersign-desktop.XXXXXX")
children=()

down() {
  ((${#children[@]})) && kill "${children[@]}" 2>/dev/null && wait "${children[@]}" 2>/dev/null
  rm -rf "$scratch"
}
trap 'down || true' EXIT

# up NAME COMMAND...: starts a part of the desktop, and waits for the line it writes to
# descriptor 3 when it is ready.
up() {
  local name=$1
  shift
  mkfifo "$scratch/$name"
  "$@" 3>"$scratch/$name" >"$scratch/$name.log" 2>&1 &
  children+=($!)
  read -r -t 20 line <>"$scratch/$name" || { echo "$name did not start:" >&2; cat "$scratch/$name.log" >&2; exit 1; }
}

unset WAYLAND_DISPLAY
mkdir -m 700 "$scratch/runtime" "$scratch/pixels"
export XDG_RUNTIME_DIR=$scratch/runtime GDK_BACKEND=x11 WINDOW_SCREEN=$scratch/pixels/Xvfb_screen0

# No cursor and no blanking: two pictures of one page are to be the same.
up screen Xvfb -displayfd 3 -screen 0 1400x900x24 -fbdir "$scratch/pixels" -nolisten tcp -nocursor -noreset -s 0
export DISPLAY=:$line
up bus dbus-daemon --session --nofork --print-address=3
export DBUS_SESSION_BUS_ADDRESS=$line
up manager openbox --sm-disable --config-file "$here/openbox.xml" --startup "sh -c 'echo ready >$scratch/manager'"

status=0
"$@" || status=$?
exit "$status"
