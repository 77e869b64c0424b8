#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_002.sh MATRIX_DIR OUT_DIR [OPTION...]: the experiments of paper 002 (Zhao and Li, "CUDA Optimization for
# Sparse Matrix-Matrix Multiplication"): its test matrices with the widths of B of its Table 1, row- and column-major, and
# the density sweep, by what a plan chooses, by the paper's mappings and by kernels with shared memory, beside serial code
# and cuSPARSE where the build has them. MATRIX_DIR has the matrices as NAME.mtx, NAME.mtx.gz or NAME.bin; those that are
# not there are named and left out. The eighth matrix of the table is not public: heddle-perf makes a random one of its
# size. Writes paper_002.txt, paper_002.jsonl and paper_002.html to OUT_DIR.
#
# Options such as --type or --max-bytes go to heddle-perf formats; --format, --layout, --fill-limit, --implementation and
# --baseline replace the above. In pieces: --resume goes on where a run was cut off, by --time-limit or --case-limit too.
# HEDDLE_PERF: the program, else that of build/openmp-release.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/in_this_build.sh"
usage() { sed -n '5,15s/^# \{0,1\}//p' "$0"; }
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] || { usage >&2 && exit 2; }
matrices=$1 out=$2
shift 2
given=("$@")
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

options=(--seeded --density-sweep)
default() # OPTION VALUE: unless it was given
{
  local word
  for word in ${given[@]+"${given[@]}"}; do
    [ "${word%%=*}" != "$1" ] || return 0
  done
  options+=("$1" "$2")
}
default --format coo,csr,bsr,ell,sell
default --layout row,col
default --fill-limit 64
kernels=auto,portable::coo_atomic,portable::csr_element,portable::bsr_block_atomic,portable::ell_atomic
kernels+=,cuda_native::csr_shared,cuda_native::ell_shared
default --implementation "$(in_this_build $kernels "$perf" implementations formats_spmm)"
default --baseline "$(in_this_build serial,cusparse,kk "$perf" baselines)"
if [ ${#files[@]} -gt 0 ]; then
  options+=(--k "$(IFS=,; echo "${widths[*]}")")
fi
rc=0
"$perf" formats "${files[@]}" "${options[@]}" --json "$out/paper_002.jsonl" "$@" | tee "$out/paper_002.txt" || rc=$?
[ $rc -le 1 ] || exit $rc # 1: a result was wrong, which its row says
"$perf" report "$out/paper_002.jsonl" --out "$out/paper_002.html" ||
  echo "scripts/paper_002.sh: no page; paper_002.jsonl has the results, and heddle-perf report makes it anywhere" >&2
exit $rc
