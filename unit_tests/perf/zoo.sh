#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# zoo.sh HEDDLE_PERF: the list of the zoo, its files, and what the command says of wrong arguments.

. "$(dirname "$0")/expect.sh"

# lines COUNT PATTERN: the last command printed so many lines that match.
lines()
{
  local count
  count=$(grep -cE -- "$2" "$dir/out")
  [ "$count" -eq "$1" ] || { complain "$count lines with '$2', expected $1:" && cat "$dir/out"; }
}

expect 0 '^224 matrices, 91 of them for validation only' zoo
lines 224 '^  zoo_[a-z0-9_]*_[0-9]+ +[a-z0-9_]+ +(tuning|validation) +[0-9]+ +[0-9]+ +~?[0-9]+ +[a-z0-9_]+$'
expect 0 '^91 matrices, 91 of them' zoo --part validation
lines 0 ' tuning '
expect 0 '^5 matrices, 0 of them' zoo --family nets --json "$dir/nets.jsonl"
[ "$(grep -cE '"operation":"zoo","matrix":"zoo_nets_[1-5]","family":"nets","part":"tuning".*"stands_for":"nets_' "$dir/nets.jsonl")" -eq 5 ] ||
  { complain "nets.jsonl should have five rows:" && cat "$dir/nets.jsonl"; }
expect 0 '^  zoo_diagonals_100 .* validation ' zoo --nnz 3e7:

# Files: made once, the same matrix that --gallery makes, resumed.
small=(zoo --family lp,chain,web --nnz :20000)
expect 0 '^zoo_lp_2: 45[0-9][0-9] entries' "${small[@]}" --make "$dir/made/zoo"
lines 0 '^  zoo_'
made=$(ls "$dir/made/zoo" | wc -l)
[ "$made" -ge 4 ] || complain "only $made matrices were made"
cp -p "$dir/made/zoo/zoo_lp_2.bin" "$dir/kept.bin"
rm "$dir/made/zoo/zoo_web_2.bin"
expect 0 "^$((made - 1)) were there and are kept" "${small[@]}" --make "$dir/made/zoo" --list
lines "$made" '^  zoo_'
lines 1 '^zoo_web_2: '
[ ! "$dir/kept.bin" -nt "$dir/made/zoo/zoo_lp_2.bin" ] && [ ! "$dir/kept.bin" -ot "$dir/made/zoo/zoo_lp_2.bin" ] ||
  complain "zoo_lp_2.bin should not be written again"
quick=(--runs 5 --budget 0.1 --baseline serial)
expect 0 'zoo_lp_2 \(263 x 1581, 45[0-9][0-9] entries\)' spmv "${quick[@]}" "$dir/made/zoo/zoo_lp_2.bin"
title=$(grep entries "$dir/out")
expect 0 'zoo_lp_2' spmv "${quick[@]}" --gallery zoo_lp_2
[ "$(grep entries "$dir/out")" = "$title" ] || complain "--gallery zoo_lp_2 should be the matrix of the file"
expect 0 'permuted_1_7_zoo_chain_2' spmv "${quick[@]}" --gallery permuted_1_7_zoo_chain_2
cp "$dir/made/zoo/zoo_web_2.bin" "$dir/made/zoo/zoo_lp_2.bin"
expect 3 'zoo_lp_2.bin: this is another matrix than lp_263_1318_3_' "${small[@]}" --make "$dir/made/zoo"
touch "$dir/file"
expect 3 "$dir/file/zoo: cannot be made" "${small[@]}" --make "$dir/file/zoo"

# Real matrices: their part by name, and no file of ours.
mkdir "$dir/real"
for name in cora wave cage10; do
  printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/real/$name.mtx"
done
expect 0 '^3 matrices, 2 of them' zoo --real "$dir/real" --family real
expect 0 '^  cora +real +validation +3 +3 +~6 +cora$' zoo --real "$dir/real" --part validation
expect 0 '^  wave +real +tuning ' zoo --real "$dir/real" --part tuning --make "$dir/made/real" --family real --list
[ -z "$(ls "$dir/made/real")" ] || complain "real matrices should not be written"
expect 3 "$dir/none: cannot be read" zoo --real "$dir/none"
expect 3 'the folder has no .mtx, .mtx.gz or .bin file' zoo --real "$dir/made/real"

# Wrong arguments.
expect 2 "unknown family 'netz'; did you mean 'nets'\? There are: cover, nets, " zoo --family nets,netz
expect 2 'the family real needs --real DIR' zoo --family real
expect 2 "'tunning' is none of tuning, validation; did you mean 'tuning'\?" zoo --part tunning
expect 2 'none of the 224 matrices of the zoo' zoo --nnz 1:2
expect 2 "unknown gallery matrix 'zoo_netz_3'; did you mean 'zoo_nets_NUMBER'\?" spmv --gallery zoo_netz_3
expect 2 'a number of 1 to 99' spmv "${quick[@]}" --gallery zoo_nets_100

[ $failures -eq 0 ] || exit 1
echo "all as expected"
