#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# regret.sh HEDDLE_PERF: what regret measures of the zoo, in pieces too, and what it says of wrong arguments.

. "$(dirname "$0")/expect.sh"

rows="$dir/rows.jsonl"
# count NUMBER PATTERN: so many lines of the file of results match.
count()
{
  local found
  found=$(grep -cE -- "$2" "$rows")
  [ "$found" -eq "$1" ] || { complain "$found rows with '$2', expected $1:" && cat "$rows"; }
}

measure_machine_once
# Two matrices of a part each, all that is asked for: 2 types, spmv, spmm with two k, both phases of spgemm.
small=(regret --family lp,chain --nnz :12000 --k 2,3 --baseline none --implementation auto,portable::csr_team --json "$rows")
expect 0 '^2 matrices, 0 of them finished before' "${small[@]}"
grep -qE '^1/2 zoo_lp_2 \(tuning\), [0-9]+ x [0-9]+: 16 cases in ' "$dir/out" || { complain "no line of zoo_lp_2:" && cat "$dir/out"; }
grep -qE '^2/2 zoo_chain_2 \(validation\), ' "$dir/out" || { complain "no line of zoo_chain_2:" && cat "$dir/out"; }
count 2 '"operation":"regret","matrix":"zoo_(lp|chain)_2"'
count 20 '"implementation":"heddle::auto".*"median_ms"'
count 8 '"operation":"spmm".*"k":[23],.*"implementation":"heddle::auto","family":"(lp|chain)","part":"(tuning|validation)","layout":"row","plan_ms".*"chosen":"[a-z_]+::'
count 12 '"implementation":"heddle::portable::csr_team".*"median_ms"'
count 0 'auto_size_t'

# It goes on where it stopped, and runs nothing again.
before=$(grep -c . "$rows")
expect 0 '^2 matrices, 2 of them finished before' "${small[@]}" --resume
[ "$(grep -c . "$rows")" -eq "$before" ] || complain "--resume changed the number of rows"
expect 7 'stopped by --time-limit' "${small[@]}" --time-limit 1e-9
[ "$(grep -c . "$rows")" -eq "$before" ] || complain "a run without time should leave the file as it was"
grep -vE 'zoo_chain_2|"operation":"spmm","matrix":"zoo_lp_2".*"k":3|"operation":"regret"' "$rows" > "$dir/part.jsonl"
mv "$dir/part.jsonl" "$rows"
expect 0 '^2 matrices, 0 of them finished before' "${small[@]}" --resume
grep -qE '^1/2 zoo_lp_2 .*: 4 cases in ' "$dir/out" || { complain "--resume should run 4 cases of zoo_lp_2:" && cat "$dir/out"; }
grep -qE '^2/2 zoo_chain_2 .*: 16 cases in ' "$dir/out" || { complain "--resume should run all cases of zoo_chain_2:" && cat "$dir/out"; }
[ "$(grep -c . "$rows")" -eq "$before" ] || complain "$(grep -c . "$rows") rows after --resume, expected $before"
until_done()
{
  local code runs=0
  while "$perf" "$@" > "$dir/out" 2> "$dir/err"; code=$?; [ $code -eq 7 ]; do
    runs=$((runs + 1))
    [ $runs -lt 40 ] || { complain "40 runs with --time-limit did not finish" && return; }
  done
  [ $code -eq 0 ] && [ $runs -gt 0 ] || { complain "in pieces: exit code $code after $runs runs:" && cat "$dir/err"; }
}
rm "$rows"
until_done "${small[@]}" --type f64 --resume --runs 1000000 --budget 0.1 --time-limit 1 # cases of a tenth of a second
count 2 '"operation":"regret"'
count 10 '"implementation":"heddle::auto".*"median_ms"'

# All kernels, A^T, another folder of matrices; what has no memory stays as a row.
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/wave.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n1000000 1000000 1\n5 7\n' > "$dir/huge.mtx"
rm "$rows"
real=(regret --real "$dir" --family real --type f64 --json "$rows" --resume)
expect 0 '^2/2 wave \(tuning\), 3 x 3: ' "${real[@]}" --op n,t --operation spmv --baseline none
expect 0 '^2/2 wave ' "${real[@]}" --operation spmm --k 1048576 --implementation auto --baseline none
count 1 '"operation":"spmm","matrix":"huge".*"skipped":"no memory: A, B and C take 16777.2 GB, of which '
count 1 '"operation":"spmm","matrix":"wave".*"median_ms"'
count 1 '"operation":"spmv_t","matrix":"wave".*"heddle::auto","family":"real","part":"tuning",.*"median_ms"'
# All kernels but those of papers, which have to be named.
papers='cuda_native::(csr_scalar|csr_merge|ellr?|sellp_paper|csr_shared|ell_shared)|portable::csr_element'
for name in $("$perf" implementations spmv | grep :: | grep -vxE "$papers"); do
  count 1 "\"operation\":\"spmv\",\"matrix\":\"wave\".*\"implementation\":\"heddle::$name\""
done
expect 0 '^1/1 wave ' "${real[@]}" --nnz 2: --operation spmm --k 2 --baseline none
count 0 "\"implementation\":\"heddle::($papers)\""
expect 0 '^1/1 wave ' "${real[@]}" --nnz 2: --operation spmm --k 2 --baseline none --implementation portable::csr_element
count 1 '"implementation":"heddle::portable::csr_element".*"median_ms"'

# The report of it.
expect 0 'spmm f64, k = 1048576, row-major +tuning +2 +1 ' regret-report "$rows"

# Wrong arguments.
expect 2 '--json is required' regret --part tuning
wrong=(regret --json "$dir/none.jsonl")
expect 2 "unknown family 'netz'; did you mean 'nets'\?" "${wrong[@]}" --family netz
expect 2 "unknown implementation 'auot'; did you mean 'auto'\?" "${wrong[@]}" --implementation auot
expect 2 "unknown implementation 'portable::hash'" "${wrong[@]}" --operation spmv --implementation portable::hash
expect 2 "'spmw' is none of spmv, spmm, spgemm" "${wrong[@]}" --operation spmw
expect 2 'none of the 224 matrices of the zoo' "${wrong[@]}" --nnz 1:2
[ ! -e "$dir/none.jsonl" ] || complain "wrong arguments should leave no file of results"

[ $failures -eq 0 ] || exit 1
echo "all as expected"
