#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/quickstart.sh [MATRIX...]: installs what is missing, builds heddle-perf in build/quickstart-build and runs SpMV, SpMM
# and SpGEMM on the matrices named (.mtx, .mtx.gz, .bin), or on a few that it generates; every result is checked and compared
# with Kokkos Kernels. Says how long each stage takes, and ends with one sentence of result and a report page in
# build/quickstart. `cmake --install build/quickstart-build --prefix DIR` works after it. HEDDLE_QUICKSTART_BUILD names a build that
# is there, to be used instead.

set -euo pipefail
[ "${1:-}" != --help ] || { sed -n '5,/^$/s/^# \{0,1\}//p' "$0" && exit 0; }
for matrix in "$@"; do
  [ -r "$matrix" ] || { echo "scripts/quickstart.sh: cannot read $matrix" >&2 && exit 3; }
done
matrices=()
for matrix in "$@"; do
  matrices+=("$(realpath "$matrix")")
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${HEDDLE_QUICKSTART_BUILD:-build/quickstart-build} out=build/quickstart jobs=${HEDDLE_JOBS:-$(nproc)}
mkdir -p "$build" "$out"

# stage NUMBER WHAT COMMAND...: with the time that the command takes
stage()
{
  local title="[$1/3] $2" begin=$SECONDS
  shift 2
  echo "$title ..."
  "$@"
  echo "$title: $((SECONDS - begin)) s"
}

# Builds what cmake --install installs, for double alone. The progress is ninja's own.
build()
{
  [ -n "${HEDDLE_QUICKSTART_BUILD:-}" ] ||
    cmake --preset openmp-release -B "$build" -DHEDDLE_ENABLE_TESTS=OFF -DHEDDLE_ENABLE_EXAMPLES=OFF -DHEDDLE_DOUBLE_ONLY=ON \
      -DHEDDLE_PRECOMPILE_HEADERS=ON -DHEDDLE_WERROR=OFF > "$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" >&2 && echo "scripts/quickstart.sh: cmake failed" >&2 && exit 1; }
  cmake --build "$build" -j "$jobs"
}

measure()
{
  local operation options perf=$build/perf_tests/heddle-perf
  "$perf" topology
  for operation in spmv spmm spgemm; do
    options=(--budget 1 --json "$out/$operation.jsonl")
    [ $operation = spmm ] && options+=(--k 32)
    "$perf" $operation "${options[@]}" "${matrices[@]}"
  done
}

[ ${#matrices[@]} -gt 0 ] || matrices=(--gallery stencil27_40,elast3_20,rmat15_8,banded_20000_15)
# 10 minutes of one core: heddle's build with g++ 12, 281 s on two cores, without Kokkos.
echo "quickstart: a first build takes about $(((10 + jobs - 1) / jobs)) minutes on $jobs free cores, more where others compute on them; a later one takes seconds"
stage 1 dependencies scripts/dependencies.sh openmp-release
stage 2 build build
stage 3 measurements measure | tee "$out/report.txt"
"$build/perf_tests/heddle-perf" report "$out"/{spmv,spmm,spgemm}.jsonl -o "$out/report.html" > /dev/null
echo
scripts/heddle_report.sh quickstart "$out"/{spmv,spmm,spgemm}.jsonl
echo "Report page: $PWD/$out/report.html (tables: report.txt, one result per line: *.jsonl, in the same folder)"
