#!/bin/bash
# build.sh OUT: builds the host of dotnet sets, and the contracts that authors of such sets refer to,
# into OUT/mono with mcs and into OUT/net with dotnet, whichever is there. Without either it says so
# and builds nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"

# fresh FILE: whether a file was built from what lies here now.
fresh() { [ -f "$1" ] && [ -z "$(find . -newer "$1" -print -quit)" ]; }

# Building twice gives the same bytes.
mono() {
  local options=(-langversion:7 -optimize+ -debug- -warnaserror+ -deterministic) to=$out/mono
  fresh "$to/countersign-dotnet-host.exe" && return
  mkdir -p "$to"
  mcs "${options[@]}" -target:library -out:"$to/Crystal.dll" contracts/Crystal/*.cs
  mcs "${options[@]}" -target:library -out:"$to/Crystal.Tools.dll" -r:"$to/Crystal.dll" contracts/Crystal.Tools/*.cs
  mcs "${options[@]}" -target:library -out:"$to/CrystalCode.Tools.dll" \
    -r:"$to/Crystal.dll" -r:"$to/Crystal.Tools.dll" contracts/CrystalCode.Tools/*.cs
  mcs "${options[@]}" -target:exe -out:"$to/countersign-dotnet-host.exe" \
    -r:"$to/Crystal.dll" -r:"$to/Crystal.Tools.dll" -r:"$to/CrystalCode.Tools.dll" host/*.cs
}

if command -v dotnet >/dev/null && ! fresh "$out/net/countersign-dotnet-host.dll"; then
  dotnet publish host/countersign-dotnet-host.csproj --nologo -v quiet -c Release -o "$out/net"
fi
if command -v mcs >/dev/null; then
  mono
elif ! command -v dotnet >/dev/null; then
  echo "neither mcs nor dotnet is there, so tool sets with the runner dotnet will be unavailable"
fi
