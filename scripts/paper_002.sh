#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_002.sh MATRIX_DIR OUT_DIR [OPTION...]: the experiments of paper 002 (Zhao and Li, "CUDA Optimization for
# Sparse Matrix-Matrix Multiplication"): its test matrices with the widths of B of its Table 1, row- and column-major, and
# the density sweep. MATRIX_DIR has the matrices as NAME.mtx, NAME.mtx.gz or NAME.bin; those that are not there are named
# and left out. The eighth matrix of the table is not public: heddle-perf makes a random one of its size. Further options
# such as --type or --max-bytes go to heddle-perf formats. Writes paper_002.txt, paper_002.jsonl and paper_002.html to
# OUT_DIR. HEDDLE_PERF: the program, else that of build/openmp-release.

set -euo pipefail
usage() { sed -n '5,11s/^# //p' "$0"; }
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] || { usage >&2 && exit 2; }
matrices=$1 out=$2
shift 2
[ -d "$matrices" ] || { echo "scripts/paper_002.sh: there is no folder $matrices" >&2 && exit 3; }
perf=${HEDDLE_PERF:-$(dirname "${BASH_SOURCE[0]}")/../build/openmp-release/perf_tests/heddle-perf}
mkdir -p "$out"

# Table 1: matrix, and columns of its B.
table="cmu_small_10x10 10
Hamrle1 32
n3c5-b6 21
qh1484 1484
dw1024 2048
g7jac010 2880
tols4000 4000
ch7-6-b5 12600
ACTIVSg10K 20000
GL7d25 105054
n4c6-b13 69235"

files=() widths=()
while read -r name width; do
  found=
  for suffix in bin mtx mtx.gz; do
    [ -r "$matrices/$name.$suffix" ] && found=$matrices/$name.$suffix && break
  done
  if [ -n "$found" ]; then
    files+=("$found")
    widths+=("$width")
  else
    echo "scripts/paper_002.sh: $name is not in $matrices and is left out" >&2
  fi
done <<< "$table"

options=(--format "coo,csr,bsr,ell,sell" --layout "row,col" --fill-limit 64 --seeded --density-sweep)
if [ ${#files[@]} -gt 0 ]; then
  options+=(--k "$(IFS=,; echo "${widths[*]}")")
fi
"$perf" formats "${files[@]}" "${options[@]}" --json "$out/paper_002.jsonl" "$@" | tee "$out/paper_002.txt"
"$perf" report "$out/paper_002.jsonl" --out "$out/paper_002.html" ||
  echo "scripts/paper_002.sh: no page; paper_002.jsonl has the results, and heddle-perf report makes it anywhere" >&2
