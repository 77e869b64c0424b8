#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Statement coverage of core, formats and algorithms by the tests on hosts: builds the preset coverage (g++, gcov), runs them
# and compares what they do not run with unit_tests/uncovered.txt. Fails below 98 % of the lines, and where that list lacks a line
# or a reason, or has a line too many.
#
#   scripts/coverage.sh            builds, runs, compares; interrupted, it goes on behind the last part of the tests that has ended
#   scripts/coverage.sh --write    the same, and makes the list agree: new lines have the reason "?", to be replaced
#   scripts/coverage.sh --again    compares what the last run has left

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

again=false
arguments=()
for argument in "$@"; do
  case $argument in
    -h | --help) sed -n '5,11s/^# \{0,1\}//p' "$0" && exit 0 ;;
    --again) again=true ;;
    *) arguments+=("$argument") ;;
  esac
done

folders=(core formats random algorithms races large check_pattern compile_only)
if ! $again; then
  scripts/dependencies.sh openmp-release
  # g++ collects garbage again and again in a large file: it may take 1 GB before it begins to.
  export HEDDLE_CMAKE_OPTIONS="-DCMAKE_CXX_FLAGS=--param=ggc-min-heapsize=1048576 ${HEDDLE_CMAKE_OPTIONS:-}"
  cmake --preset coverage $HEDDLE_CMAKE_OPTIONS > /dev/null
  ! cmake --build build/coverage --target help | grep -q '^test_partition:' || folders+=(partition)
  scripts/build.sh coverage "${folders[@]/#/test_}"
  # As ctest runs them (cmake/tests.cmake).
  export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
  # Nothing is optimised: all of test_algorithms takes an hour of one core. What a program has run is added to what others have when it
  # ends, so it runs in parts, as many at once as there are cores; a thread more than one is enough for each.
  export OMP_NUM_THREADS=2
  parts=40 ended=build/coverage/parts
  if [ ! -e "$ended" ] || [ -n "$(find build/coverage -name 'test_*' -type f -perm -u+x -newer "$ended")" ]; then
    find build/coverage -name '*.gcda' -delete
    : > "$ended"
  fi
  # run_part FOLDER PART
  run_part()
  {
    ! grep -qx "$1 $2" "$ended" || return 0
    local log=build/coverage/test_$1-$2.log
    # Without the test that draws large matrices again, which takes minutes here.
    "build/coverage/test_$1" "~the shared matrices*" --shard-count $parts --shard-index "$2" --allow-running-no-tests > "$log" 2>&1 ||
      { tail -n 30 "$log" >&2 && return 255; } # xargs begins no other after that
    rm "$log"
    echo "$1 $2" >> "$ended"
  }
  export -f run_part
  export parts ended
  for folder in "${folders[@]}"; do
    seq 0 $((parts - 1)) | xargs -P "$(nproc)" -I PART bash -euc "run_part $folder PART"
    echo "test_$folder"
  done
fi
exec python3 -B scripts/coverage.py build/coverage "${arguments[@]}"
