#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# clang-tidy 14 over all headers (one file per folder includes them), the compiled parts and the programs, which are put
# together into fewer files (scripts/tidy_groups.py). Where one of these has a complaint, its files are read one by one: what
# counts are their complaints.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# tidy FOLDER FILE: with the compile commands in FOLDER. They are g++'s, whose options clang does not all know. The static
# analyzer does not follow calls far (mode=shallow): with all their paths it takes up to six times as long as all other
# checks, and what it could find is run under sanitizers.
tidy()
{
  clang-tidy-14 --quiet -p "$1" --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow "$2"
}

tidy_group()
{
  local file rc=0
  tidy build/tidy/groups "$1" > "$1.log" 2>&1 && return
  for file in $(sed -n 's|^// file: ||p' "$1"); do
    tidy build/tidy "$file" || rc=1
  done
  return $rc
}
export -f tidy tidy_group

log=build/tidy.log
mkdir -p build
cmake --preset tidy > "$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
cmake --build build/tidy --target heddle_commit >> "$log" 2>&1
# What takes longest comes first. One instance of each algorithm is enough to read its kernels. Nothing here has Tpetra's headers.
{
  ls build/tidy/headers/*/all.cpp
  ls algorithms/src/instances/*_double.cpp
  find core/src formats/src algorithms/src/reorder algorithms/src/data_movement perf_tests examples -name '*.cpp' \
    -not -path '*/baselines/*' -not -path 'examples/tpetra/*' -not -name '*_float.cpp' | sort
} > build/tidy.files
xargs -a build/tidy.files python3 -B scripts/tidy_groups.py build/tidy > build/tidy.groups
echo "clang-tidy: $(wc -l < build/tidy.files) files in $(wc -l < build/tidy.groups) groups (log: $log)"
if ! xargs -a build/tidy.groups -P "${HEDDLE_JOBS:-$(nproc)}" -n 1 bash -c 'tidy_group "$1"' _ >> "$log" 2>&1; then
  grep -E 'error:' "$log" | sort -u | head -n 40 >&2
  echo "scripts/tidy.sh: clang-tidy complains: see $log" >&2
  exit 1
fi
