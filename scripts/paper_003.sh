#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_003.sh MATRIX_DIR OUT_DIR [--quick] [--order ORDER,...] [--cache BYTES] [--minutes N]: the experiments of
# paper 003 (Kurt et al., data movement of SpGEMM) over every matrix of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz), in f64:
# Table I and Figs. 3 and 5 (bounds, upper bounds by hypergraphs, GFLOPS, words moved), Fig. 7 (banded matrices of
# half-bands 15 to 111, and permuted), and Fig. 6 (SpMV, SpMM with k = 32 and SpGEMM before and after reordering). Writes
# to OUT_DIR
#
#   paper_003.txt      the tables, which are printed too; charts as paper_003_*.svg where Python has matplotlib
#   figures.jsonl      bounds of each matrix, as heddle-perf analyze --json has them
#   times.jsonl        SpMV, SpMM and SpGEMM of each matrix, in each order and banded
#   orders.jsonl       what each order took, as heddle-perf reorder --json has it; the matrices are in reordered/
#   dram/*.csv         what Nsight Compute counted of one call, where it is there (ncu on the PATH, or NCU=its path)
#
#   --quick         tiny banded matrices, k = 4, few runs, no order that needs Zoltan: tries the script, also on a host
#   --order LIST    orders, as heddle-perf reorder takes them
#   --cache BYTES   the cache that parts of hypergraphs have to fit [that of the machine]
#   --minutes N     begins no case of times and no count after N minutes, each
#
# HEDDLE_PERF: the program that is timed, else that of build/cuda-release, else that of build/openmp-release.
# HEDDLE_PERF_HOST: the program that cuts hypergraphs, which needs Zoltan, and reorders; else that of build/openmp-release,
# else HEDDLE_PERF. Bounds that it cannot give are left out, and a line says so.

set -euo pipefail
usage() { sed -n '5,28s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/paper_003.sh: $2" >&2
  exit "$1"
}
say() { echo "scripts/paper_003.sh: $1" >&2; }
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] && [[ $1 != -* ]] && [[ $2 != -* ]] || { usage >&2 && exit 2; }
matrices=$1 out=$2
shift 2
orders=majority,spmv_majority,cuthill_mckee,similar_rows,similar_columns
banded=(band15 banded_40000_31 banded_40000_47 band63 banded_40000_79 banded_40000_95 band111)
permuted=(band15_perm banded_perm_40000_31 banded_perm_40000_47 band63_perm banded_perm_40000_79 banded_perm_40000_95 band111_perm)
k=32 effort=() cache=() seconds=0
while [ $# -gt 0 ]; do
  case $1 in
    --quick)
      orders=cuthill_mckee,similar_columns k=4 effort=(--runs 5 --budget 0.1)
      banded=(banded_300_15 banded_300_31) permuted=(banded_perm_300_15 banded_perm_300_31)
      ;;
    --order | --cache | --minutes)
      [ $# -ge 2 ] || fail 2 "$1 needs a value"
      case $1 in
        --order) orders=$2 ;;
        --cache) cache=(--cache "$2") ;;
        --minutes) seconds=$(($2 * 60)) ;;
      esac
      shift
      ;;
    *) fail 2 "unknown option $1 (see --help)" ;;
  esac
  shift
done
[ -d "$matrices" ] || fail 3 "there is no folder $matrices"
scripts=$(dirname "${BASH_SOURCE[0]}")
host_build=$scripts/../build/openmp-release/perf_tests/heddle-perf
perf=${HEDDLE_PERF:-$scripts/../build/cuda-release/perf_tests/heddle-perf}
[ -n "${HEDDLE_PERF:-}" ] || [ -x "$perf" ] || perf=$host_build
[ -x "$perf" ] || fail 3 "there is no program $perf: build it with scripts/build.sh, or set HEDDLE_PERF"
host=${HEDDLE_PERF_HOST:-$host_build}
[ -n "${HEDDLE_PERF_HOST:-}" ] || [ -x "$host" ] || host=$perf
command -v python3 > /dev/null || fail 3 "python3 is missing: it makes the tables"
shopt -s nullglob
files=("$matrices"/*.{bin,mtx,mtx.gz})
[ ${#files[@]} -gt 0 ] || fail 3 "$matrices has no *.bin, *.mtx or *.mtx.gz"

# Bounds are those of the machine that is timed; the hypergraphs are cut on the host.
mkdir -p "$out/reordered" "$out/dram"
"$perf" machine --out "$out/machine.json" > "$out/paper_003.log"
log() { "$@" >> "$out/paper_003.log" 2>&1; }
for file in "${files[@]}"; do
  page=(--machine "$out/machine.json" --no-orders --json "$out/figures.jsonl" -o "$out/page.html")
  log "$host" analyze "$file" "${page[@]}" --upper-bound "${cache[@]}" || {
    say "$file: no upper bound: $(tail -n 1 "$out/paper_003.log")"
    log "$host" analyze "$file" "${page[@]}" || say "$file is left out: $(tail -n 1 "$out/paper_003.log")"
  }
  for order in ${orders//,/ }; do
    log "$host" reorder "$file" --order "$order" --machine "$out/machine.json" "${cache[@]}" --json "$out/orders.jsonl" \
      -o "$out/reordered" || say "$file, $order: $(tail -n 1 "$out/paper_003.log")"
  done
done
rm -f "$out/page.html"
moved=("$out"/reordered/*.bin)

# spmv_loop is a baseline of SpMM alone, and graphblas one of hosts: nothing, or little, runs beside heddle.
limit=()
[ "$seconds" -eq 0 ] || limit=(--time-limit "$seconds")
common=(--type f64 --implementation auto --resume --json "$out/times.jsonl" "${effort[@]}" "${limit[@]}")
run() # what heddle-perf is asked; 1 is a wrong result, 7 the limit: both leave rows that say so
{
  local rc=0
  "$perf" "$@" "${common[@]}" >> "$out/paper_003.log" || rc=$?
  [ $rc -le 1 ] || [ $rc -eq 7 ] || fail $rc "heddle-perf $1 failed: $(tail -n 3 "$out/paper_003.log")"
}
run spmv "${files[@]}" "${moved[@]}" --baseline spmv_loop
run spmm "${files[@]}" "${moved[@]}" --k $k --baseline graphblas
run spgemm "${files[@]}" "${moved[@]}" --gallery "${banded[@]}" "${permuted[@]}" --baseline spmv_loop

# One call of each case, between the profiler's marks that HEDDLE_PERF_PROFILE asks for.
ncu=${NCU:-ncu}
count() # OPERATION NAME OPTION...
{
  local csv=$out/dram/$1.$2.csv operation=$1
  shift 2
  [ "$seconds" -eq 0 ] || [ $((SECONDS - counting)) -le "$seconds" ] || return 0
  HEDDLE_PERF_PROFILE=$operation "$ncu" --profile-from-start off --clock-control none --cache-control none \
    --target-processes all --csv --print-units base --log-file "$csv" \
    --metrics "$(python3 -B "$scripts/paper_003.py" --metrics)" \
    "$perf" "$operation" "$@" --type f64 --implementation auto --runs 5 >> "$out/paper_003.log" 2>&1 ||
    say "$csv: no counts, ncu failed: $(tail -n 1 "$out/paper_003.log")"
}
counting=$SECONDS
if command -v "$ncu" > /dev/null; then
  for file in "${files[@]}" "${moved[@]}"; do
    name=${file##*/} name=${name%.gz}
    count spmv "${name%.*}" "$file" --baseline spmv_loop
    count spmm "${name%.*}" "$file" --k $k --baseline graphblas
    count spgemm "${name%.*}" "$file" --baseline spmv_loop
  done
  for name in "${banded[@]}" "${permuted[@]}"; do
    count spgemm "$name" --gallery "$name" --baseline spmv_loop
  done
else
  say "$ncu is not there: no words moved are counted"
fi
python3 -B "$scripts/paper_003.py" "$out" > "$out/paper_003.txt"
cat "$out/paper_003.txt"
