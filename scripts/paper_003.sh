#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_003.sh MATRIX_DIR OUT_DIR [OPTION...]: the experiments of paper 003 (Kurt et al., data movement of SpGEMM)
# over every matrix of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz), in f64: Table I and Figs. 3 and 5 (bounds, upper bounds by
# hypergraphs, GFLOPS, words moved), Fig. 7 (banded matrices of half-bands 15 to 111, and permuted), and Fig. 6 (SpMV, SpMM
# with k = 32 and SpGEMM before and after reordering). Writes to OUT_DIR
#
#   paper_003.txt      the tables, which are printed too; charts as paper_003_*.svg where Python has matplotlib
#   figures.jsonl      bounds of each matrix, as heddle-perf analyze --json has them
#   times.jsonl        SpMV, SpMM and SpGEMM of each matrix, in each order and banded
#   orders.jsonl       what each order took, as heddle-perf reorder --json has it; the matrices are in reordered/
#   dram/*.csv         what Nsight Compute counted of one call, where it is there (ncu on the PATH, or NCU=its path)
#   counts.jsonl       the bytes of all of them, as heddle-perf analyze --measured reads them
#
# What OUT_DIR has from an earlier run is kept: bounds, orders, times of this build, counts. So a run that was stopped goes
# on, and the hypergraphs may be cut elsewhere:
#
#   --host-only        ends before anything is timed; OUT_DIR can then be taken to the machine with the GPU
#   --machine FILE     bounds are those of this machine, which heddle-perf machine --out wrote [this one, measured]
#   --jobs N           bounds and orders of N at a time [1]
#
#   --gallery LIST     also matrices that heddle-perf makes
#   --order LIST       orders, as heddle-perf reorder takes them; none for no order
#   --cache BYTES      the cache that parts of hypergraphs have to fit [that of the machine]
#   --max-vertices N   of hypergraphs of more products the vertices are rows [2e6]
#   --partitioner CMD  the program that cuts them, as heddle-perf analyze takes it [Zoltan]
#   --minutes N        begins no case of times after N minutes of each operation, and no count after N minutes
#   --count-minutes N  no count after these instead
#   --no-bands         leaves out Fig. 7
#   --quick            tiny banded matrices, k = 4, few runs, no order that needs Zoltan: tries the script, also on a host
#
# HEDDLE_PERF: the program that is timed, else that of build/cuda-release, else that of build/openmp-release.
# HEDDLE_PERF_HOST: the program that cuts hypergraphs, which needs Zoltan or --partitioner, and reorders; else that of build/openmp-release,
# else HEDDLE_PERF. Bounds that it cannot give are left out, and a line says so.

set -euo pipefail
usage() { sed -n '5,36s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/paper_003.sh: $2" >&2
  exit "$1"
}
say() { echo "scripts/paper_003.sh: $1" >&2; }
seconds_of() { awk -v minutes="$1" 'BEGIN { print int(60 * minutes) }'; }
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] && [[ $1 != -* ]] && [[ $2 != -* ]] || { usage >&2 && exit 2; }
matrices=$1 out=$2
shift 2
orders=majority,spmv_majority,cuthill_mckee,similar_rows,similar_columns
banded=(band15 banded_40000_31 banded_40000_47 band63 banded_40000_79 banded_40000_95 band111)
permuted=(band15_perm banded_perm_40000_31 banded_perm_40000_47 band63_perm banded_perm_40000_79 banded_perm_40000_95 band111_perm)
k=32 effort=() limits=() seconds=0 count_seconds='' jobs=1 machine='' gallery=() times=true
while [ $# -gt 0 ]; do
  case $1 in
    --quick)
      orders=cuthill_mckee,similar_columns k=4 effort=(--runs 5 --budget 0.1)
      banded=(banded_300_15 banded_300_31) permuted=(banded_perm_300_15 banded_perm_300_31)
      ;;
    --host-only) times=false ;;
    --no-bands) banded=() permuted=() ;;
    --order | --cache | --max-vertices | --partitioner | --minutes | --count-minutes | --jobs | --machine | --gallery)
      [ $# -ge 2 ] || fail 2 "$1 needs a value"
      case $1 in
        --order) orders=${2/#none/} ;;
        --cache | --max-vertices | --partitioner) limits+=("$1" "$2") ;;
        --minutes) seconds=$(seconds_of "$2") ;;
        --count-minutes) count_seconds=$(seconds_of "$2") ;;
        --jobs) jobs=$2 ;;
        --machine) machine=$2 ;;
        --gallery) IFS=, read -r -a gallery <<< "$2" ;;
      esac
      shift
      ;;
    *) fail 2 "unknown option $1 (see --help)" ;;
  esac
  shift
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail 2 "--jobs needs a number above 0, not $jobs"
[ -d "$matrices" ] || fail 3 "there is no folder $matrices"
[ -z "$machine" ] || [ -r "$machine" ] || fail 3 "there is no file $machine"
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
[ $((${#files[@]} + ${#gallery[@]})) -gt 0 ] || fail 3 "$matrices has no *.bin, *.mtx or *.mtx.gz"
declare -A file_of=()
names=()
for file in "${files[@]}"; do
  name=${file##*/} name=${name%.gz} name=${name%.*}
  names+=("$name")
  file_of[$name]=$file
done
names+=("${gallery[@]}")

# Bounds are those of the machine that is timed; the hypergraphs are cut on the host. Each job has a log and rows of its own,
# because several may run at a time.
mkdir -p "$out/reordered" "$out/dram" "$out/jobs"
: > "$out/paper_003.log"
if [ -n "$machine" ]; then
  [ "$machine" -ef "$out/machine.json" ] || cp "$machine" "$out/machine.json"
else
  "$perf" machine --out "$out/machine.json" >> "$out/paper_003.log"
fi
ask() # PROGRAM'S COMMAND, NAME, WORD...: of a matrix that is a file or made
{
  local command=$1 name=$2
  shift 2
  local matrix=(--gallery "$name")
  [ -z "${file_of[$name]:-}" ] || matrix=("${file_of[$name]}")
  "$host" "$command" "${matrix[@]}" --machine "$out/machine.json" "$@"
}
bound() # NAME JOB
{
  local row=(--no-orders --json "$2.jsonl")
  ask analyze "$1" "${row[@]}" --upper-bound "${limits[@]}" > "$2.log" 2>&1 || {
    say "$1: no upper bound: $(tail -n 1 "$2.log")"
    ask analyze "$1" "${row[@]}" >> "$2.log" 2>&1 || say "$1 is left out: $(tail -n 1 "$2.log")"
  }
}
reorder() # NAME JOB ORDER
{
  ask reorder "$1" --order "$3" "${limits[@]}" --json "$2.jsonl" -o "$out/reordered" > "$2.log" 2>&1 ||
    say "$1, $3: $(tail -n 1 "$2.log")"
}
has_row() # FILE KEY VALUE [KEY VALUE]: from an earlier run
{
  [ -r "$1" ] && grep -F "\"$2\":\"$3\"" "$1" | grep -qF "\"${4:-$2}\":\"${5:-$3}\""
}
start() # as soon as fewer than --jobs run
{
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  "$@" &
}
for name in "${names[@]}"; do
  has_row "$out/figures.jsonl" matrix "$name" || start bound "$name" "$out/jobs/$name"
  for order in ${orders//,/ }; do
    [ -r "$out/reordered/${name}__$order.bin" ] && has_row "$out/orders.jsonl" matrix "$name" implementation "$order" ||
      start reorder "$name" "$out/jobs/${name}__$order" "$order"
  done
done
wait
for name in "${names[@]}"; do
  [ ! -r "$out/jobs/$name.jsonl" ] || cat "$out/jobs/$name.jsonl" >> "$out/figures.jsonl"
  for order in ${orders//,/ }; do
    [ ! -r "$out/jobs/${name}__$order.jsonl" ] || cat "$out/jobs/${name}__$order.jsonl" >> "$out/orders.jsonl"
  done
done
cat "$out"/jobs/*.log /dev/null >> "$out/paper_003.log"
rm -r "$out/jobs"
$times || exit 0
moved=("$out"/reordered/*.bin)

limit=()
[ "$seconds" -eq 0 ] || limit=(--time-limit "$seconds")
common=(--type f64 --implementation auto --baseline none --resume --json "$out/times.jsonl" "${effort[@]}" "${limit[@]}")
run() # OPERATION GALLERY...: what heddle-perf is asked; 1 is a wrong result, 7 the limit: both leave rows that say so
{
  local rc=0 operation=$1 given=()
  shift
  [ $# -eq 0 ] || given+=(--gallery "$(IFS=, && echo "$*")")
  [ "$operation" != spmm ] || given+=(--k "$k")
  "$perf" "$operation" "${files[@]}" "${moved[@]}" "${given[@]}" "${common[@]}" >> "$out/paper_003.log" || rc=$?
  [ $rc -le 1 ] || [ $rc -eq 7 ] || fail $rc "heddle-perf $operation failed: $(tail -n 3 "$out/paper_003.log")"
}
run spmv "${gallery[@]}"
run spmm "${gallery[@]}"
run spgemm "${gallery[@]}" "${banded[@]}" "${permuted[@]}"

# One call of each case, between the profiler's marks that HEDDLE_PERF_PROFILE asks for.
ncu=${NCU:-ncu}
metrics=$("$scripts/heddle_report.sh" paper-003 --metrics)
count() # OPERATION NAME OPTION...
{
  local csv=$out/dram/$1.$2.csv operation=$1
  shift 2
  [ "$count_seconds" -eq 0 ] || [ $((SECONDS - counting)) -le "$count_seconds" ] || return 0
  ! grep -qsF "${metrics%%,*}" "$csv" || return 0
  HEDDLE_PERF_PROFILE=$operation "$ncu" --profile-from-start off --clock-control none --cache-control none \
    --target-processes all --csv --print-units base --log-file "$csv" --metrics "$metrics" \
    "$perf" "$operation" "$@" --type f64 --implementation auto --baseline none --runs 5 >> "$out/paper_003.log" 2>&1 || {
    say "$csv: no counts, ncu failed: $(tail -n 1 "$out/paper_003.log")"
    rm -f "$csv"
  }
}
count_all() # NAME OPTION...: of all operations
{
  count spmv "$@"
  count spmm "$@" --k "$k"
  count spgemm "$@"
}
counting=$SECONDS count_seconds=${count_seconds:-$seconds}
if command -v "$ncu" > /dev/null; then
  for file in "${files[@]}"; do
    name=${file##*/} name=${name%.gz}
    count_all "${name%.*}" "$file"
  done
  for name in "${gallery[@]}"; do
    count_all "$name" --gallery "$name"
  done
  for name in "${banded[@]}" "${permuted[@]}"; do
    count spgemm "$name" --gallery "$name"
  done
  for file in "${moved[@]}"; do
    name=${file##*/}
    count_all "${name%.*}" "$file"
  done
else
  say "$ncu is not there: no words moved are counted"
fi
"$scripts/heddle_report.sh" paper-003 "$out" > "$out/paper_003.txt"
cat "$out/paper_003.txt"
