#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# clang-tidy over all headers (one file per folder includes them), the compiled parts and the programs.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=build/tidy.log
mkdir -p build
cmake --preset tidy > "$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
cmake --build build/tidy --target heddle_commit >> "$log" 2>&1
# The compile commands are g++'s, whose options clang does not all know, and of whose own headers it needs one. g++ 12's
# algorithms use what C++17 has deprecated.
tidy=(build/deps/tidy/clang_tidy/clang_tidy/data/bin/clang-tidy --quiet -p build/tidy
      --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations
      "--extra-arg=-idirafter$(dirname "$(g++ -print-file-name=include/omp.h)")")
# What takes longest comes first. One instance of each algorithm is enough to read its kernels. Nothing here has Tpetra's headers.
{
  ls build/tidy/headers/*/all.cpp
  ls algorithms/src/instances/*_double.cpp
  find core/src formats/src algorithms/src/reorder algorithms/src/data_movement perf_tests examples -name '*.cpp' \
    -not -path '*/baselines/*' -not -path 'examples/tpetra/*' -not -name '*_float.cpp' | sort
} > build/tidy.files
echo "clang-tidy: $(wc -l < build/tidy.files) files (log: $log)"
if ! xargs -a build/tidy.files -P "${HEDDLE_JOBS:-$(nproc)}" -n 1 "${tidy[@]}" >> "$log" 2>&1; then
  grep -E 'error:' "$log" | sort -u | head -n 40 >&2
  echo "scripts/tidy.sh: clang-tidy complains: see $log" >&2
  exit 1
fi
