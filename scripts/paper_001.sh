#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_001.sh MATRIX_DIR OUT_DIR [--quick] [--seconds N] [OPTION...]: Figs. 2 and 3 of paper 001 (Liu, He, Liu, Tan,
# register-based SpGEMM) over the matrices of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz): C = A A in f64 of those that are square and
# have 1e5 to 2e8 entries, as the paper's; lines say which are left out. heddle's automatic choice, the paper's accumulators
# and two others beside cuSPARSE, Kokkos Kernels and heddle's kernels of CUSP's and RMerge's methods. Writes to OUT_DIR
#
#   paper_001.txt    harmonic means and maxima of speedups, beside the paper's, and speedups by matrix; printed too
#   paper_001.svg    speedups by entries, where Python has matplotlib
#   paper_001.jsonl  the results, an object a line; a run that was cut off goes on from these
#
#   --quick       two small generated matrices besides, and from 100 entries on: tries the script, also on a host
#   --seconds N   begins no case after N seconds
#
# Options go to heddle-perf spgemm; --nnz, --type, --runs, --implementation and --baseline replace the above. HEDDLE_PERF: the
# program, else that of build/cuda-release, else that of build/openmp-release.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/spgemm_common.sh"
read_folders "$@"
shift 2
read_options "$@"

inputs=("${files[@]}")
entries=1e5:2e8
if $quick; then
  inputs+=(--gallery stencil5_16,banded_300_15)
  entries=100:2e8
fi
default --nnz $entries
default --type f64
default --implementation auto,register_merge,shared_merge,esc,shared_hash,esc_global,register_merge_one_to_one,portable::iterated_merge
default --baseline "$(in_this_build cusparse,kk "$perf" baselines)"
measure paper_001 "${inputs[@]}" --square "${options[@]}"
"$scripts/heddle_report.sh" paper-001 "$out/paper_001.jsonl" > "$out/paper_001.txt"
cat "$out/paper_001.txt"
