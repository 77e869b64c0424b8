#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# odd_files.sh HEDDLE_PERF: files, standard streams and variables of the environment that are not as a program likes them. Results are
# never lost or mixed with something else, and every refusal is one line with an exit code.

. "$(dirname "$0")/expect.sh"

# rows FILE: how many lines it has, all of which are JSON objects.
rows()
{
  python3 -c 'import json, sys; print(sum(isinstance(json.loads(line), dict) for line in open(sys.argv[1])))' "$1"
}

has_rows() # FILE NUMBER
{
  local found
  found=$(rows "$1")
  [ "$found" = "$2" ] || complain "${1##*/} has '$found' rows, expected $2"
}

# only FILE...: nothing else is in the folder $dir/results.
only()
{
  local found
  found=$(ls "$dir/results" | tr '\n' ' ')
  [ "$found" = "$* " ] || complain "the folder of results has $found, expected $*"
}

matrix=$dir/a.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 3\n' > "$matrix"
mkdir "$dir/results"
results=$dir/results/r.jsonl
quick=(--runs 5 --budget 0 --baseline serial)
order=(--order degree --out "$dir/ordered") # of reorder, which does not measure the machine first

# What is there stays until there is a new result: with its check of the machine that is four rows.
expect 0 'heddle::auto' spmv "$matrix" "${quick[@]}" --json "$results"
has_rows "$results" 4
cp "$results" "$dir/before"
expect 3 'missing.mtx' spmv "$dir/missing.mtx" "${quick[@]}" --json "$results"
expect 7 'stopped by --time-limit' spmv "$matrix" "${quick[@]}" --json "$results" --time-limit 1e-9
cmp "$results" "$dir/before" || complain "a run without a result changed the results of the run before"

# A link stays a link, and what others have put beside the file is not written through.
ln -s results/r.jsonl "$dir/link.jsonl"
echo precious > "$dir/victim"
ln -s ../victim "$results.next"
ln -s victim "$dir/link.jsonl.next"
for keep in "" --merge --resume; do
  expect 0 'computes' spmv "$matrix" "${quick[@]}" --json "$dir/link.jsonl" $keep
  [ -L "$dir/link.jsonl" ] || complain "--json $keep replaced a link"
  has_rows "$results" 4
done
[ "$(cat "$dir/victim")" = precious ] || complain "--json wrote through a link beside its file"
rm "$results.next" "$dir/link.jsonl.next"

# Results go to regular files: nothing else is replaced, or waited for.
mkfifo "$dir/fifo"
ln -s fifo "$dir/link_to_fifo"
for odd in "$dir/fifo" "$dir/link_to_fifo" "$dir"; do
  for keep in "" --merge; do
    expect 3 'cannot write .*: it is not a regular file' spmv "$matrix" "${quick[@]}" --json "$odd" $keep
  done
  expect 3 'cannot write .*: it is not a regular file' report "$results" -o "$odd"
done
[ -p "$dir/fifo" ] && [ -L "$dir/link_to_fifo" ] || complain "a FIFO or a link to it was replaced"

# On a full disk the old rows stay, whole, and nothing else is left. Here files end at 2 KiB, which has room for four rows.
full_disk()
{
  (
    trap '' XFSZ
    ulimit -f 2
    expect 3 'cannot write .*: File too large' "$@"
    exit $failures
  ) || failures=$((failures + 1))
}
has_rows "$results" 4
cp "$results" "$dir/before"
full_disk spmv "$matrix" "${quick[@]}" --type f32 --op n,t --json "$results" --merge
has_rows "$results" 4
only r.jsonl
full_disk report "$results" -o "$dir/results/page.html"
full_disk spmv "$matrix" "${quick[@]}" --implementation all --type f32,f64 --json "$dir/results/new.jsonl"
rows "$dir/results/new.jsonl" > /dev/null || complain "new.jsonl should have whole rows"
rm "$dir/results/new.jsonl"
only r.jsonl

# Two programs that add to one file: all of their rows stay.
cp "$matrix" "$dir/b.mtx"
for round in {1..20}; do
  for name in a b; do
    "$perf" reorder "$dir/$name.mtx" --order degree --out "$dir/$name" --json "$dir/results/two.jsonl" > /dev/null 2> "$dir/$name.err" &
  done
  wait
  sed "s/}$/,\"round\":$round}/" "$dir/results/two.jsonl" >> "$dir/rounds.jsonl"
  rm "$dir/results/two.jsonl"
done
has_rows "$dir/rounds.jsonl" 40
only r.jsonl

# A matrix from a pipe is refused, since it is read twice; from a file by another name it is not.
piped() { cat "$matrix" | "$perf" reorder /dev/stdin "${order[@]}"; }
piped > "$dir/out" 2> "$dir/err"
[ $? -eq 3 ] && grep -q '/dev/stdin: it is not a regular file' "$dir/err" || complain "a matrix from a pipe: $(cat "$dir/err")"
expect 0 'stdin__degree' reorder /dev/stdin "${order[@]}" < "$matrix"
expect 3 'is not a regular file' reorder "$dir" "${order[@]}"
expect 3 'is not a regular file' read "$dir/fifo"

# Names are UTF-8, as JSON is.
cp "$matrix" "$dir/"$'\xc3\xa4.mtx'
cp "$matrix" "$dir/"$'\xff.mtx'
expect 0 '__degree' reorder "$dir/"$'\xc3\xa4.mtx' "${order[@]}" --json "$dir/results/named.jsonl"
expect 3 'its name is not UTF-8' reorder "$dir/"$'\xff.mtx' "${order[@]}" --json "$dir/results/named.jsonl"
expect 3 'its name is not UTF-8' read "$dir/"$'\xff.mtx'
has_rows "$dir/results/named.jsonl" 1

# Inf and NaN are right where the serial reference has them.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 nan\n2 1 -inf\n2 3 2\n3 2 1e300\n' > "$dir/special.mtx"
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 nan 1\n2 1 inf 2\n' > "$dir/special_complex.mtx"
for operation in spmv spgemm formats; do
  expect 0 "^special \(3 x 3, 4 entries\)" $operation "$dir/special.mtx" "${quick[@]}" --type f32,f64
  ! grep -q 'wrong result' "$dir/out" || { complain "$operation of Inf and NaN is called wrong:" && cat "$dir/out"; }
done
expect 0 'heddle::auto +0' spmv "$dir/special_complex.mtx" "${quick[@]}"

# Standard output that is closed or full is an error; the rows are whole, and what is printed is not among them.
"$perf" spmv "$matrix" "${quick[@]}" --json "$dir/results/closed.jsonl" >&- 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'standard output is closed' "$dir/err" || complain "closed standard output: $(cat "$dir/err")"
"$perf" spmv "$matrix" "${quick[@]}" --json "$dir/results/full.jsonl" > /dev/full 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'cannot write to standard output' "$dir/err" || complain "full standard output: $(cat "$dir/err")"
has_rows "$dir/results/full.jsonl" 4
"$perf" compare "$results" "$results" > /dev/full 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'cannot write to standard output' "$dir/err" || complain "compare into a full standard output: $(cat "$dir/err")"
"$perf" --help > /dev/full 2> "$dir/err"
[ $? -eq 3 ] || complain "--help into a full standard output should end with 3"
"$perf" spmv "$matrix" "${quick[@]}" --json "$dir/results/closed.jsonl" > "$dir/out" <&- 2>&-
[ $? -eq 0 ] || complain "closed standard input and error should cost nothing"
has_rows "$dir/results/closed.jsonl" 4
"$perf" spmv "$matrix" "${quick[@]}" --json "$dir/results/out.jsonl" > "$dir/results/out.jsonl" 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'standard output goes to this file' "$dir/err" || complain "--json into standard output: $(cat "$dir/err")"

# Variables with values that nobody knows are wrong usage, not skipped cases.
for operation in spmv formats gallery; do
  arguments=("$matrix")
  [ $operation != gallery ] || arguments=()
  HEDDLE_BACKEND=nonsense expect 2 "HEDDLE_BACKEND is 'nonsense', expected automatic, portable or" $operation "${arguments[@]}"
  HEDDLE_PERF_PROFILE=nonsense expect 2 "HEDDLE_PERF_PROFILE is 'nonsense', expected one of spmv," $operation "${arguments[@]}"
done
HEDDLE_LAST_CACHE_BYTES=32M expect 2 "HEDDLE_LAST_CACHE_BYTES is '32M', expected a positive integer" gallery
HEDDLE_BACKEND=portable HEDDLE_PERF_PROFILE=spmv expect 0 'stencil27_NX' gallery

# Kokkos' OpenMP has an array for 512 threads.
expect 2 "--kokkos-num-threads is '-5', expected a whole number" gallery --kokkos-num-threads=-5
KOKKOS_NUM_THREADS=many expect 2 "KOKKOS_NUM_THREADS is 'many', expected a whole number" gallery
if "$perf" gallery --kokkos-print-configuration | grep -q 'KOKKOS_ENABLE_OPENMP: yes'; then
  OMP_NUM_THREADS=513 expect 2 '513 threads, but .* room for 512' spmv "$matrix"
  OMP_NUM_THREADS=999999999999 expect 2 'threads, but .* room for 512' gallery
  OMP_NUM_THREADS=2 expect 2 '4096 threads, but .* room for 512' gallery --kokkos-num-threads=4096
  KOKKOS_NUM_THREADS=513 OMP_NUM_THREADS=2 expect 2 '513 threads' gallery
  OMP_NUM_THREADS=513 expect 0 'stencil27_NX' gallery --kokkos-num-threads=2
  OMP_NUM_THREADS=512 expect 0 'stencil27_NX' gallery
fi

[ $failures -eq 0 ] || exit 1
echo "all as expected"
