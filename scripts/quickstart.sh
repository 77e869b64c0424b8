#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/quickstart.sh [MATRIX...]: installs what is missing, builds heddle-perf and runs SpMV, SpMM and SpGEMM on the
# matrices named (.mtx, .mtx.gz, .bin), or on a few that it generates; every result is checked and compared with Kokkos
# Kernels. Prints the tables and where they are kept.

set -euo pipefail
for matrix in "$@"; do
  [ -r "$matrix" ] || { echo "scripts/quickstart.sh: cannot read $matrix" >&2 && exit 3; }
done
matrices=()
for matrix in "$@"; do
  matrices+=("$(realpath "$matrix")")
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/dependencies.sh openmp-release
scripts/build.sh openmp-release heddle-perf
if [ ${#matrices[@]} -eq 0 ]; then
  matrices=(--gallery stencil27_40,elast3_20,rmat15_8,banded_20000_15)
fi
out=build/quickstart
mkdir -p "$out"
perf=build/openmp-release/perf_tests/heddle-perf
{
  "$perf" topology
  for operation in spmv spmm spgemm; do
    options=(--budget 1 --json "$out/$operation.jsonl")
    [ $operation = spmm ] && options+=(--k 32)
    "$perf" $operation "${options[@]}" "${matrices[@]}"
  done
} | tee "$out/report.txt"
echo
echo "The report lies in $out: report.txt (these tables) and spmv.jsonl, spmm.jsonl, spgemm.jsonl (one result a line)."
