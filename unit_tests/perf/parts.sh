#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# parts.sh HEDDLE_PERF_PARTS: matrices in parts, two processes of one thread, with what the program says and writes.

set -u
perf=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect CODE TEXT ARGUMENT...: exit code, and a pattern in what it prints.
expect()
{
  local code=$1 text=$2 rc=0
  shift 2
  timeout 200 "$perf" "$@" > "$dir/out" 2> "$dir/err" || rc=$?
  if [ $rc -ne "$code" ] || ! grep -qE -- "$text" "$dir/out" "$dir/err"; then
    echo "heddle-perf-parts $*: exit code $rc, expected $code and '$text'; it printed:"
    cat "$dir/out" "$dir/err"
    failures=$((failures + 1))
  fi
}

# rows NUMBER PATTERN: so many lines of the last JSON file match.
rows()
{
  local found
  found=$(grep -cE "$2" "$dir/parts.jsonl")
  [ "$found" -eq "$1" ] && return
  echo "parts.jsonl has $found rows with '$2', expected $1:"
  cat "$dir/parts.jsonl"
  failures=$((failures + 1))
}

printf '%%%%MatrixMarket matrix coordinate real general\n1 3 2\n1 1 2\n1 3 -1\n' > "$dir/one_row.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n0 3 0\n' > "$dir/no_rows.mtx"
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n' > "$dir/complex.mtx"

small=(--runs 5 --calls 2 --budget 0.1 --threads 1 --k 3 --json "$dir/parts.jsonl")
expect 0 'Example:' --help
expect 0 'rmat12_8 \(4096 x 4096, .* entries\): parts_spmv f64, csr, on ' --gallery rmat12_8 "${small[@]}" --sell 8,1,64
# Both operations in both formats: whole, equal rows, balanced.
rows 12 '"median_ms":[0-9.e-]+,'
rows 8 '"parts":2,'
rows 6 '"operation":"parts_spmm".*"k":3,'
rows 2 '"format":"csr".*"cut":"entries"'
rows 2 '"format":"sell".*"cut":"places"'
# The long rows of a power law come first: equal rows are uneven, parts balanced by entries are not.
python3 - "$dir/parts.jsonl" << 'PYTHON' || failures=$((failures + 1))
import json
import sys

for line in open(sys.argv[1]):
    row = json.loads(line)
    assert sum(row["part_nnz"]) == row["nnz"], row
    assert row["cuts"][0] == 0 and row["cuts"][-1] == row["rows"], row
    assert len(row["part_ms"]) == row["parts"] and min(row["part_ms"]) > 0, row
    uneven = max(row["part_places"]) * row["parts"] / sum(row["part_places"])
    if row["cut"] == "rows":
        assert uneven > 1.2, row
    else:
        assert uneven < 1.05, row
PYTHON
# A row for three processes, and none.
expect 0 'whole .*' "$dir/one_row.mtx" --parts 3 "${small[@]}" --sell 1
rows 8 '"part_nnz":\[(2,0,0|0,2,0|0,0,2)\]'
expect 0 'no_rows \(0 x 3' "$dir/no_rows.mtx" "${small[@]}"
# What a format refuses is said and is no failure: one long row pads all others.
{
  printf '%%%%MatrixMarket matrix coordinate pattern general\n64 1000 1000\n'
  seq 1000 | sed 's/^/1 /'
} > "$dir/long_row.mtx"
expect 0 'FillLimit' "$dir/long_row.mtx" "${small[@]}" --sell 64
rows 2 '"skipped":"heddle::to_sell: '
rows 6 '"median_ms"'

expect 2 'no matrix' --parts 2
expect 2 'parts' --gallery stencil5_8 --parts 0
expect 2 'is complex' "$dir/complex.mtx" "${small[@]}"
expect 3 'missing.mtx' "$dir/missing.mtx" "${small[@]}"
HEDDLE_BACKEND=nonsense expect 2 "HEDDLE_BACKEND is 'nonsense'" "$dir/one_row.mtx" "${small[@]}"
if KOKKOS_PRINT_CONFIGURATION=yes "$perf" "$dir/one_row.mtx" "${small[@]}" | grep -q 'KOKKOS_ENABLE_OPENMP: yes'; then
  expect 2 '513 threads, but .* room for 512' "$dir/one_row.mtx" --threads 513
fi
"$perf" "$dir/one_row.mtx" "${small[@]}" > /dev/full 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'cannot write to standard output' "$dir/err" || {
  echo "full standard output: $(cat "$dir/err")"
  failures=$((failures + 1))
}
exit $((failures > 0))
