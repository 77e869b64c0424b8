#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/build.sh PRESET TARGET...: configures and builds; prints the log only if that fails.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?scripts/build.sh: name a preset}
shift
mkdir -p "build/$preset"
log=build/$preset/build.log
echo "building $preset: $* (log: $log)"
if ! { cmake --preset "$preset" ${HEDDLE_CMAKE_OPTIONS:-} &&
       cmake --build --preset "$preset" -j "${HEDDLE_JOBS:-$(nproc)}" --target "$@"; } > "$log" 2>&1; then
  grep -E -A 12 'error|FAILED|Error' "$log" | head -n 40 >&2
  echo "scripts/build.sh: building $preset failed: see $log" >&2
  exit 1
fi
