#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_000_spmm.sh MATRIX_DIR OUT_DIR [--quick] [--seconds N] [OPTION...]: Figs. 1 and 8 to 16 of paper 000 (Hong et
# al., RS-SpMM) over the matrices of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz): A B, A^T B and both in f32 and f64 with k = 8, 32, 128
# and 512 by heddle::auto_row_segmented and heddle::auto, beside cuSPARSE with row-major, column-major (NT) and mixed (T)
# operands and a loop of SpMV; then SpMV itself, of which loops are k times one. Writes to OUT_DIR
#
#   paper_000_spmm.md   the tables of docs/papers.md of these results, as far as the build has the methods; printed too
#   spmm.jsonl          the results, an object a line; a run that was cut off goes on from these
#   spmv.jsonl          the same of SpMV
#
#   --quick       two small generated matrices besides, and k = 8 and 32: tries the script, also on a host
#   --seconds N   begins no case of either after N seconds
#
# Options such as --runs, --budget or --case-limit go to heddle-perf spmm and spmv; --type replaces the above. HEDDLE_PERF: the
# program, else that of build/cuda-release, else that of build/openmp-release.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/spgemm_common.sh"
read_folders "$@"
shift 2
read_options "$@"

inputs=("${files[@]}")
widths=8,32,128,512
if $quick; then
  inputs+=(--gallery stencil5_16,banded_300_15)
  widths=8,32
fi
default --type f32,f64
operation=spmm measure spmm "${inputs[@]}" "${options[@]}" --k $widths --layout row,col --op n,t,both \
  --implementation auto,auto_row_segmented --baseline "$(in_this_build cusparse,spmv_loop "$perf" baselines)"
operation=spmv measure spmv "${inputs[@]}" "${options[@]}" \
  --implementation "$(in_this_build auto,cuda_native::csr_merge "$perf" implementations spmv)" \
  --baseline "$(in_this_build cusparse "$perf" baselines)"

# A table that the results have no rows for is left out.
page=$out/paper_000_spmm.md
: > "$page"
table() # TITLE DIRECTIVE
{
  printf '## %s\n\n<!-- %s -->\n<!-- end -->\n\n' "$1" "$2" > "$page.part"
  if "$scripts/heddle_report.sh" doc-tables --page "$page.part" --results "$out" 2> "$page.why"; then
    cat "$page.part" >> "$page"
  elif grep -q ': no such rows$' "$page.why"; then
    echo "left out: $1" >&2
  else
    fail 3 "$1: $(cat "$page.why")"
  fi
  rm -f "$page.part" "$page.why"
}
ours=auto_row_segmented
table "Fig. 1 a, c: SpMV of cuSPARSE" 'rooflines spmv cusparse of spmv.jsonl'
table "Fig. 1 b, d: SpMM of cuSPARSE" 'rooflines spmm cusparse of spmm.jsonl'
table "Fig. 1 b, d: SpMM of cuSPARSE (NT)" 'rooflines spmm cusparse(NT) of spmm.jsonl'
table "Figs. 8, 9, 10 a to h: RS-SpMM over cuSPARSE" "contest spmm $ours cusparse(T) cusparse(NT) of spmm.jsonl"
table "Fig. 10 i to p: iterative use" "contest spmm $ours cusparse(T)+transposition cusparse(NT) of spmm.jsonl"
table "RS-SpMM, cuSPARSE of today and heddle::auto" "contest spmm $ours cusparse_csr cusparse auto of spmm.jsonl"
table "Figs. 10 q, s, 14 and 15: A^T B" "contest spmm_t $ours auto cusparse of spmm.jsonl"
table "Figs. 10 r, t, 14 and 15: A B with A^T B" "contest spmm_both $ours auto cusparse of spmm.jsonl"
table "Fig. 12: loops of SpMV" "contest spmm $ours spmv_loop cusparse_loop csr_merge_loop of spmm.jsonl spmv.jsonl"
table "Fig. 13: preprocessing" "preprocessing $ours of spmm.jsonl"
table "Fig. 16: heavy segments" 'heavy spmm.jsonl'
cat "$page"
