#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# command_line.sh HEDDLE_PERF: what the program does with files and arguments of all kinds, and its exit codes.

set -u
perf=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect CODE TEXT ARGUMENT...: exit code, and a pattern in what it prints. An error is one line on standard error.
expect()
{
  local code=$1 text=$2 rc=0
  shift 2
  "$perf" "$@" > "$dir/out" 2> "$dir/err" || rc=$?
  if [ $rc -ne "$code" ] || ! grep -qE -- "$text" "$dir/out" "$dir/err"; then
    echo "heddle-perf $*: exit code $rc, expected $code and '$text'; it printed:"
    cat "$dir/out" "$dir/err"
    failures=$((failures + 1))
  elif [ $rc -ge 2 ] && [ "$(wc -l < "$dir/err")" -ne 1 ]; then
    echo "heddle-perf $*: an error should be one line:"
    cat "$dir/err"
    failures=$((failures + 1))
  fi
}

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/pattern.mtx"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 4 3\n1 1 5\n2 4 -7\n1 3 2\n' > "$dir/integer.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n2.5\n3\n' > "$dir/array.mtx"
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 1 2\n2 1 0 -1\n' > "$dir/complex.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n' > "$dir/malformed.mtx"
gzip -kc "$dir/integer.mtx" > "$dir/zipped.mtx.gz"

expect 0 'Examples:' --help
expect 0 'matrix.mtx.gz --type f32,f64' spmv --help
expect 0 'stencil27_NX' gallery
expect 0 'hardware threads' topology
expect 0 'MB/s' read "$dir/integer.mtx" --json "$dir/read.jsonl"

small=(--runs 5 --budget 0.1 --implementation all --baseline kk,serial --type f32,f64)
for operation in spmv spmm spgemm; do
  expect 0 "pattern \(3 x 3, 4 entries\): $operation f32" $operation "$dir/pattern.mtx" "${small[@]}"
  expect 0 "integer \(2 x 4, 3 entries\): $operation f64" $operation "$dir/integer.mtx" "${small[@]}"
  expect 0 "zipped \(2 x 4, 3 entries\): $operation f64" $operation "$dir/zipped.mtx.gz" "${small[@]}"
  expect 0 "array \(2 x 2, 3 entries\): $operation f64" $operation "$dir/array.mtx" "${small[@]}"
  expect 0 "complex \(2 x 2, 2 entries\): $operation c32" $operation "$dir/complex.mtx" "${small[@]}"
  expect 0 'stencil5_8' $operation --gallery stencil5_8 "${small[@]}" --json "$dir/$operation.jsonl"
done
expect 0 'spmm_t f64, k = 3' spmm "$dir/integer.mtx" --op n,t --k 1,3 --layout row,col --runs 5
expect 0 'spmv_t c64' spmv "$dir/complex.mtx" --op t --runs 5

expect_line() # FILE TEXT
{
  grep -qF "$2" "$1" || {
    echo "no line with $2 in ${1##*/}"
    failures=$((failures + 1))
  }
}
expect_line "$dir/spgemm.jsonl" '"operation":"spgemm_numeric","matrix":"stencil5_8"'
expect_line "$dir/read.jsonl" '"operation":"read","file":"integer.mtx"'

expect 2 'subcommand' # none
expect 2 'frobnicate' spmv --frobnicate
expect 2 'no matrix' spmv
expect 2 'f16' spmv "$dir/integer.mtx" --type f16
expect 2 'no_such_matrix' spmv --gallery no_such_matrix
expect 3 'missing.mtx' spmv "$dir/missing.mtx"
expect 3 'malformed.mtx:4: ' spmv "$dir/malformed.mtx"
expect 3 'cannot be written' spmv "$dir/integer.mtx" --json "$dir/no/folder.jsonl"
(
  ulimit -v 600000
  expect 4 'heddle-perf: ' spmv --gallery stencil27_120
  exit $failures
) || failures=$((failures + 1))

[ $failures -eq 0 ] || exit 1
echo "all as expected"
