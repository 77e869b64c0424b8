#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/abi.sh OLD NEW: compares the compiled libraries of two builds by abidiff (Debian: abigail-tools)
#
# OLD and NEW are folders of a build or an installation with libheddle_*.a or .so. A static library is made a shared one first. What
# others' headers put into a library (Kokkos, the C++ library) is left out. Types are compared where both builds have debugging
# information (-g), symbols alone where not. Exit code: 0 compatible, 1 where a symbol or a library is gone or has changed
# incompatibly, 2 for wrong arguments.

set -euo pipefail

fail()
{
  echo "scripts/abi.sh: $*" >&2
  exit 2
}

case ${1:-} in
  -h | --help) sed -n '5,10s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac
[ $# -eq 2 ] || fail "name two folders (see --help)"
command -v abidiff > /dev/null || fail "there is no abidiff: install Debian's abigail-tools"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Mangled names of what is in namespace heddle.
ours='_Z(N|NK|TIN|TSN|TVN|GVN|ZN|ZNK)6heddle'
cat > "$scratch/others.abignore" << SUPPRESSION
[suppress_function]
  symbol_name_not_regexp = ^$ours
[suppress_variable]
  symbol_name_not_regexp = ^$ours
SUPPRESSION

# shared FOLDER OUT: the libraries of a folder, as OUT/NAME.so
shared()
{
  local file count=0
  mkdir -p "$2"
  while read -r file; do
    count=$((count + 1))
    case $file in
      *.so) cp "$file" "$2/" ;;
      *.a) g++ -shared -o "$2/$(basename "${file%.a}").so" -Wl,--whole-archive "$file" -Wl,--no-whole-archive ;;
    esac
  done < <(find -L "$1" -maxdepth 2 \( -name 'libheddle_*.a' -o -name 'libheddle_*.so' \) -not -name '*perf*' | sort)
  [ $count -gt 0 ] || fail "$1 has no libheddle_*.a or .so"
}

shared "$1" "$scratch/old"
shared "$2" "$scratch/new"
incompatible=0
for old in "$scratch"/old/*.so; do
  name=$(basename "$old" .so) rc=0
  if [ ! -e "$scratch/new/$name.so" ]; then
    echo "$name: gone"
    incompatible=1
    continue
  fi
  abidiff --suppressions "$scratch/others.abignore" --no-show-locs "$old" "$scratch/new/$name.so" > "$scratch/report" 2>&1 || rc=$?
  # abidiff's exit code is a sum: 1 error, 2 usage, 4 change, 8 incompatible change. A symbol that is gone is always one.
  removed=$(comm -23 <(nm -D --defined-only "$old" | awk '$3 ~ /'"$ours"'/ {print $3}' | sort -u) \
    <(nm -D --defined-only "$scratch/new/$name.so" | awk '$3 ~ /'"$ours"'/ {print $3}' | sort -u) | wc -l)
  [ $((rc & 3)) -eq 0 ] || { cat "$scratch/report" >&2 && fail "abidiff fails on $name"; }
  symbols=$(nm -D --defined-only "$old" | grep -cE " $ours" || true)
  # A class that has become larger is to abidiff a change that somebody must look at, not an incompatible one.
  changed=$(grep -cE 'changes summary: [0-9]+ Removed, [1-9][0-9]* Changed' "$scratch/report" || true)
  if [ $((rc & 8)) -ne 0 ] || [ "$removed" -gt 0 ] || [ "$changed" -gt 0 ]; then
    echo "$name: $symbols symbols, INCOMPATIBLE ($removed are gone)"
    sed 's/^/  /' "$scratch/report"
    incompatible=1
  elif [ $rc -ne 0 ]; then
    echo "$name: $symbols symbols, compatible, with new ones"
    sed 's/^/  /' "$scratch/report"
  else
    echo "$name: $symbols symbols, no change"
  fi
done
for new in "$scratch"/new/*.so; do
  [ -e "$scratch/old/$(basename "$new")" ] || echo "$(basename "$new" .so): new"
done
exit $incompatible
