#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_003_spgemm.sh MATRIX_DIR OUT_DIR [--quick] [--seconds N] [--top-left N] [--most N] [OPTION...]: section VII of
# paper 003 (Kurt et al., data movement of SpGEMM) in f64: Fig. 8 (scatter vectors with 1, 2, 4 and 8 virtual warps on banded
# matrices of half-bands 15 to 111 and permuted), Figs. 9 and 10 (C = A A of the square matrices of MATRIX_DIR, *.bin, *.mtx,
# *.mtx.gz, by HybridSparse with adaptive and without virtual warps, beside Kokkos Kernels and cuSPARSE, in a group of low and one
# of high throughput), Table II (A B of all pairs of top left submatrices). Writes to OUT_DIR
#
#   paper_003_spgemm.txt    the tables, which are printed too; charts as paper_003_spgemm_*.svg where Python has matplotlib
#   figure_8.jsonl figures_9_10.jsonl table_2.jsonl    the results, an object a line; a run that was cut off goes on from these
#   host.jsonl              Figs. 9 and 10 on the host, where HEDDLE_PERF_HOST names a program for it
#
#   --quick         tiny matrices: tries the script, also on a host
#   --seconds N     begins no case after N seconds, of each of the files
#   --top-left N    rows and columns of Table II's submatrices [100000]
#   --most N        matrices of Table II [9]: those of the paper first, then others with as many rows and columns
#
# Other options go to heddle-perf spgemm; --type, --runs and --baseline replace what the script has. HEDDLE_PERF: the program that
# is timed, else that of build/cuda-release, else that of build/openmp-release.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/spgemm_common.sh"
read_folders "$@"
shift 2
corner=100000 most=9 others=()
while [ $# -gt 0 ]; do
  case $1 in
    --top-left | --most)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || fail 2 "$1 needs a whole number above 0"
      if [ "$1" = --most ]; then most=$2; else corner=$2; fi
      shift
      ;;
    *) others+=("$1") ;;
  esac
  shift
done
read_options ${others[@]+"${others[@]}"}
banded=(band15 banded_40000_31 banded_40000_47 band63 banded_40000_79 banded_40000_95 band111
  band15_perm banded_perm_40000_31 banded_perm_40000_47 band63_perm banded_perm_40000_79 banded_perm_40000_95 band111_perm)
inputs=("${files[@]}")
if $quick; then
  banded=(banded_300_15 banded_300_31 banded_perm_300_15)
  inputs+=(--gallery stencil5_16,banded_300_15,uniform_400_400_4)
  [ "$corner" -ne 100000 ] || corner=200
fi
default --type f64

measure figure_8 --gallery "$(IFS=, && echo "${banded[*]}")" "${options[@]}" --baseline none \
  --implementation auto,scatter_vector_paper,scatter_vector_paper_1,scatter_vector_paper_2,scatter_vector_paper_4,scatter_vector_paper_8

default --baseline "$(in_this_build kk,cusparse "$perf" baselines)"
measure figures_9_10 "${inputs[@]}" --square "${options[@]}" \
  --implementation auto,hybrid_sparse_dvw,hybrid_sparse,scatter_vector_paper
if [ -n "${HEDDLE_PERF_HOST:-}" ]; then
  program=$HEDDLE_PERF_HOST measure host "${inputs[@]}" --square "${options[@]}" --implementation auto \
    --baseline "$(in_this_build eigen,graphblas,mkl "$HEDDLE_PERF_HOST" baselines)"
fi

large=$("$scripts/heddle_report.sh" paper-003-spgemm --large "$corner" "$most" "${files[@]}")
chosen=()
[ -z "$large" ] || mapfile -t chosen <<< "$large"
if $quick; then
  chosen+=(--gallery stencil5_16,banded_300_15,uniform_400_400_4)
fi
if [ ${#chosen[@]} -gt 0 ]; then
  measure table_2 "${chosen[@]}" --pairs --top-left "$corner" "${options[@]}" --implementation auto,hybrid_sparse_dvw
else
  echo "scripts/paper_003_spgemm.sh: no matrix has $corner rows and columns: Table II is left out" >&2
fi
"$scripts/heddle_report.sh" paper-003-spgemm "$out" > "$out/paper_003_spgemm.txt"
cat "$out/paper_003_spgemm.txt"
