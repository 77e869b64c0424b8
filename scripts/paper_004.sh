#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_004.sh MATRIX_DIR OUT_DIR [OPTION...]: Table III and Fig. 5 of paper 004 (Anzt, Tomov, Dongarra, SELL-P)
# over every matrix of MATRIX_DIR (NAME.bin, NAME.mtx or NAME.mtx.gz): those of the paper's Table I first and in its order,
# then the others by name. SpMV in f64, 1000 timed calls of straightforward CSR (a thread a row), ELLPACK, ELL-R, ELLR-T,
# SELL-P with b = t = 8 (the paper's kernel and ours) and HYB, beside cuSPARSE; on hosts our portable kernels beside Kokkos
# Kernels, Eigen, GraphBLAS and oneMKL. Writes to OUT_DIR
#
#   paper_004.txt    seconds a call, mean and median, a row a matrix and a column a kernel; why a kernel was skipped, as
#                    ELLPACK is where it would store 32 times the entries
#   paper_004.jsonl  the results, an object a line
#   paper_004.html   charts: GFLOPS by matrix, of means and of medians, and those that every page of results has
#
# Options go to heddle-perf formats; --type, --runs, --budget, --sell, --fill-limit, --implementation, --format and
# --baseline replace the above. --resume goes on where a run was cut off. HEDDLE_PERF: the program, else that of
# build/cuda-release, else that of build/openmp-release.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/in_this_build.sh"
usage() { sed -n '5,20s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/paper_004.sh: $2" >&2
  exit "$1"
}
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] || { usage >&2 && exit 2; }
matrices=$1 out=$2
shift 2
given=("$@")
[ -d "$matrices" ] || fail 3 "there is no folder $matrices"
builds=$(dirname "${BASH_SOURCE[0]}")/../build
perf=${HEDDLE_PERF:-$builds/cuda-release/perf_tests/heddle-perf}
[ -n "${HEDDLE_PERF:-}" ] || [ -x "$perf" ] || perf=$builds/openmp-release/perf_tests/heddle-perf
[ -x "$perf" ] || fail 3 "there is no program $perf: build it with scripts/build.sh, or set HEDDLE_PERF"

# Table I, as the SuiteSparse collection spells the names.
table=(audikw_1 bone010 boneS10 bmw3_2 bmwcra_1 cage10 cant crankseg_2 Cube_Coup_dt0 dielFilterV2real F1 Fault_639 Hook_1498
  inline_1 ldoor m_t1 ML_Geer pwtk shipsec1 Trefethen_20000)

files=()
declare -A has=()
take() # NAME: its file, of several that which reads fastest; false where there is none
{
  local suffix
  for suffix in bin mtx mtx.gz; do
    if [ -z "${has[$1]:-}" ] && [ -r "$matrices/$1.$suffix" ]; then
      has[$1]=1
      files+=("$matrices/$1.$suffix")
    fi
  done
  [ -n "${has[$1]:-}" ]
}
missing=()
for name in "${table[@]}"; do
  take "$name" || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] || echo "scripts/paper_004.sh: not in $matrices and left out: ${missing[*]}" >&2
shopt -s nullglob
while read -r name; do
  take "$name" || fail 3 "$matrices/$name.* cannot be read"
done < <(for file in "$matrices"/*.{bin,mtx,mtx.gz}; do
  file=${file##*/} file=${file%.gz} && echo "${file%.*}"
done | LC_ALL=C sort -u)
[ ${#files[@]} -gt 0 ] || fail 3 "$matrices has no *.bin, *.mtx or *.mtx.gz"

options=(--operation spmv)
default() # OPTION VALUE: unless it was given
{
  local word
  for word in "${given[@]}"; do
    [ "${word%%=*}" != "$1" ] || return 0
  done
  options+=("$1" "$2")
}
default --type f64
default --format csr,ell,sell,hyb
default --sell 8,8,1
default --runs 1000
# The budget is to cut off nothing that the paper has: its slowest product takes 0.14 s.
default --budget 600
# The paper has ELLPACK of all of Table I. It says no fill, but that of crankseg_2 takes 20 times the time of SELL-P.
default --fill-limit 32
# Those with chunks are of hosts alone.
kernels=cuda_native::csr_scalar,cuda_native::ell,cuda_native::ellr,cuda_native::ellr_t,cuda_native::sellp_paper
kernels+=,cuda_native::sell_slices,portable::csr_chunks,portable::ell_chunks,portable::sell_chunks,portable::hyb_parts
default --implementation "$(in_this_build $kernels "$perf" implementations formats_spmv)"
default --baseline "$(in_this_build cusparse,kk,eigen,graphblas,mkl "$perf" baselines)"

mkdir -p "$out"
rc=0
"$perf" formats "${files[@]}" "${options[@]}" --json "$out/paper_004.jsonl" "$@" || rc=$?
[ $rc -le 1 ] || exit $rc # 1: a result was wrong, which its row says
"$perf" report "$out/paper_004.jsonl" --out "$out/paper_004.html" --times "$out/paper_004.txt"
cat "$out/paper_004.txt"
exit $rc
