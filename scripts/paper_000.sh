#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_000.sh OUT_DIR [--quick] [--shared-gbytes-per-s N] [OPTION...]: section 7 of paper 000 (Hong et al.,
# RS-SpMM): SpMM in f32 with a dense 8192 x 8192 matrix in row segments, all heavy, by cuda_native::row_segments with CF_V
# 1, 2 and 4 and k up to 65536, as a share of what shared memory allows; beside it the least number of words through
# load/store units, nnz k / R + M k + nnz k / (32 C) with R = 1 and C = CF_V, and where Nsight Compute is there (ncu on the
# PATH, or NCU=its path) what it counts for the least k with CF_V 4. Writes to OUT_DIR
#
#   paper_000.txt    the table, which is printed too
#   paper_000.jsonl  the results, an object a line
#   paper_000.csv    ncu's log
#
#   --quick                   a 256 x 256 matrix, k = 32 and 128 and the automatic choice of kernels: tries the script, also
#                             on a host
#   --shared-gbytes-per-s N   what shared memory gives. Without it the program takes 128 bytes a clock of each
#                             multiprocessor at the highest clock that the CUDA driver names; on a host it has to be given
#
# Options go to heddle-perf formats; --type, --runs, --implementation and --segments replace the above. HEDDLE_PERF: the
# program, else that of build/cuda-release.

set -euo pipefail
usage() { sed -n '5,24s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/paper_000.sh: $2" >&2
  exit "$1"
}
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 1 ] && [[ $1 != -* ]] || { usage >&2 && exit 2; }
out=$1
shift
size=8192 widths=(1024 4096 16384 65536) kernel=cuda_native::row_segments
given=() table=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) size=256 widths=(32 128) kernel=auto ;;
    --shared-gbytes-per-s)
      [ $# -ge 2 ] || fail 2 "--shared-gbytes-per-s needs a number"
      table+=("$1" "$2")
      shift
      ;;
    *) given+=("$1") ;;
  esac
  shift
done
scripts=$(dirname "${BASH_SOURCE[0]}")
perf=${HEDDLE_PERF:-$scripts/../build/cuda-release/perf_tests/heddle-perf}
[ -x "$perf" ] || fail 3 "there is no program $perf: build the preset cuda-release, or set HEDDLE_PERF"
command -v python3 > /dev/null || fail 3 "python3 is missing: it makes the table"

options=()
default() # OPTION VALUE...: unless it was given
{
  local word
  for word in ${given[@]+"${given[@]}"}; do
    [ "${word%%=*}" != "$1" ] || return 0
  done
  options+=("$@")
}
default --type f32
default --runs 5
default --implementation "$kernel"
default --segments 1,1,1 --segments 2,1,1 --segments 4,1,1
matrix=block_diagonal_1_$size
matrices=("${widths[@]/*/$matrix}")
common=(--format row_segmented --baseline none)

mkdir -p "$out"
"$perf" formats --gallery "$(IFS=, && echo "${matrices[*]}")" --k "$(IFS=, && echo "${widths[*]}")" "${common[@]}" "${options[@]}" \
  --json "$out/paper_000.jsonl" ${given[@]+"${given[@]}"} > "$out/paper_000.log" ||
  fail 3 "heddle-perf failed: $(tail -n 3 "$out/paper_000.log")"

# Of a call the launches are those for light and for heavy rows; one call is checked and two warm up before the one that
# counts.
ncu=${NCU:-ncu}
rm -f "$out/paper_000.csv"
if ! command -v "$ncu" > /dev/null; then
  echo "scripts/paper_000.sh: $ncu is not there: no counts" >&2
elif "$ncu" --clock-control none --cache-control none --target-processes all --csv --print-units base \
  --log-file "$out/paper_000.csv" --metrics "$("$scripts/heddle_report.sh" paper-000 --metrics)" \
  --kernel-name 'regex:spmm_(light|heavy)_kernel' --launch-skip 6 --launch-count 2 \
  "$perf" formats --gallery "$matrix" --k "${widths[0]}" "${common[@]}" --type f32 --runs 5 --implementation "$kernel" \
  --segments 4,1,1 > "$out/paper_000_profile.log" 2>&1; then
  table+=(--profile "$out/paper_000.csv" --profile-k "${widths[0]}")
else
  echo "scripts/paper_000.sh: no counts, ncu failed: $(tail -n 3 "$out/paper_000_profile.log")" >&2
fi
"$scripts/heddle_report.sh" paper-000 "$out/paper_000.jsonl" ${table[@]+"${table[@]}"} > "$out/paper_000.txt"
cat "$out/paper_000.txt"
