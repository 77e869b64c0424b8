#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# paper_scripts.sh HEDDLE_PERF: the scripts that make the experiments of the papers again, on small matrices.

. "$(dirname "$0")/expect.sh"

write_matrices
measure_machine_once

# The experiments of paper 002 on a folder that has one of the matrices.
mkdir "$dir/paper"
cp "$dir/pattern.mtx" "$dir/paper/Hamrle1.mtx"
HEDDLE_PERF=$perf "$(dirname "$0")/../../scripts/paper_002.sh" "$dir/paper" "$dir/paper_out" --max-bytes 100K --runs 5 \
  --budget 0.1 > "$dir/out" 2> "$dir/err" || {
  echo "scripts/paper_002.sh failed:"
  cat "$dir/out" "$dir/err"
  failures=$((failures + 1))
}

# The experiments of paper 004: Table I's matrices come first, then the others, each once; what is given replaces what the
# script would give.
mkdir "$dir/sellp"
cp "$dir/integer.mtx" "$dir/sellp/cage10.mtx"
cp "$dir/pattern.mtx" "$dir/sellp/Trefethen_20000.mtx"
cp "$dir/zipped.mtx.gz" "$dir/sellp/another.mtx.gz"
cp "$dir/integer.mtx" "$dir/sellp/another.mtx"
cp "$dir/complex.mtx" "$dir/sellp/a_complex.mtx"
{
  printf '%%%%MatrixMarket matrix coordinate pattern general\n200 200 200\n'
  for column in {1..200}; do echo "200 $column"; done
} > "$dir/sellp/dense_row.mtx"
paper_004() { HEDDLE_PERF=$perf "$(dirname "$0")/../../scripts/paper_004.sh" "$@"; }
paper_004 "$dir/sellp" "$dir/sellp_out" --runs 7 --budget=0.1 > "$dir/sellp.out" 2> "$dir/sellp.err" || {
  echo "scripts/paper_004.sh failed:"
  cat "$dir/sellp.out" "$dir/sellp.err"
  failures=$((failures + 1))
}
order=$(sed -nE '/, mean of 7 calls$/,/^$/s/^  ([A-Za-z0-9_]+) +[0-9]+ +[0-9]+ .*/\1/p' \
  "$dir/sellp_out/paper_004.txt" | tr '\n' ' ')
[ "$order" = 'cage10 Trefethen_20000 another dense_row ' ] || {
  echo "paper_004.txt has rows in the order '$order':"
  cat "$dir/sellp_out/paper_004.txt"
  failures=$((failures + 1))
}
paper_004 "$dir/sellp_out" "$dir/none" 2> "$dir/none.err"
[ $? -eq 3 ] || { echo "scripts/paper_004.sh should end with 3 where there is no matrix" && failures=$((failures + 1)); }

# Table II with a profiler that runs the program and writes what was measured elsewhere.
cat > "$dir/ncu" << 'END'
#!/usr/bin/env bash
echo "$*" >> "${0%/*}/ncu.arguments"
while [ "$1" != --log-file ]; do shift; done
cp "${NCU_LOG:-${0%/*}/ncu_sample.csv}" "$2"
while [ "$1" != "$HEDDLE_PERF" ]; do shift; done
exec "$@"
END
chmod +x "$dir/ncu"
cp "$(dirname "$0")/ncu_sample.csv" "$dir"
profile() { HEDDLE_PERF=$perf "$(dirname "$0")/../../scripts/paper_004_profile.sh" "$@"; }
NCU=$dir/ncu profile "$dir/integer.mtx" "$dir/profile" portable::sell_chunks > "$dir/profile.out" 2>&1 || {
  echo "scripts/paper_004_profile.sh failed:"
  cat "$dir/profile.out"
  failures=$((failures + 1))
}
refuses() # TEXT ARGUMENT...: ends with an error that says so
{
  local text=$1
  shift
  if "$@" > "$dir/refused" 2>&1 || ! grep -qF -- "$text" "$dir/refused"; then
    echo "$* should fail with '$text'; it printed:"
    cat "$dir/refused"
    failures=$((failures + 1))
  fi
}
export NCU=$dir/ncu
refuses 'has no cuda_native::sell_no_such for sell' profile stencil5_4 "$dir/profile" cuda_native::sell_no_such
NCU=$dir/no_ncu refuses 'no_ncu is missing' profile stencil5_4 "$dir/profile"
refuses 'names no format' profile stencil5_4 "$dir/profile" cuda_native::other
unset NCU

# The experiments of paper 003 on a folder of two matrices, one of which has no symmetric order, with that profiler.
mkdir "$dir/moving"
cp "$dir/pattern.mtx" "$dir/integer.mtx" "$dir/moving"
# Bounds and orders come from a run before, which ends there, and stay as they are.
moving()
{
  NCU=$dir/ncu NCU_LOG=$(dirname "$0")/ncu_dram.csv HEDDLE_PERF=$perf HEDDLE_PERF_HOST=$perf \
    "$(dirname "$0")/../../scripts/paper_003.sh" "$dir/moving" "$dir/moving_out" --quick --cache 1K --gallery stencil5_4 "$@" \
    > "$dir/moving.out" 2>&1 || {
    echo "scripts/paper_003.sh $* failed:"
    cat "$dir/moving.out"
    failures=$((failures + 1))
  }
}
moving --host-only --jobs 2 --machine "$dir/machine.json"
[ ! -e "$dir/moving_out/times.jsonl" ] || { echo "--host-only should time nothing" && failures=$((failures + 1)); }
mkdir "$dir/bounds"
cp "$dir/moving_out"/{figures,orders}.jsonl "$dir/bounds"
[ "$(wc -l < "$dir/bounds/figures.jsonl")" -eq 3 ] && [ "$(wc -l < "$dir/bounds/orders.jsonl")" -eq 5 ] || {
  echo "--host-only should leave 3 rows of bounds and 5 of orders:"
  cat "$dir/moving.out" "$dir/bounds"/*.jsonl
  failures=$((failures + 1))
}
moving --minutes 5 --machine "$dir/machine.json"
for file in figures orders; do
  cmp "$dir/bounds/$file.jsonl" "$dir/moving_out/$file.jsonl" || failures=$((failures + 1))
done
for line in '^pattern +4 ' '^pattern +as it is ' '^pattern +cuthill_mckee .* 0\.0015$' '^integer +similar_columns ' '^stencil5_4 +64 ' '^31( +[0-9.,]+){6}$'; do
  grep -qE "$line" "$dir/moving_out/paper_003.txt" || {
    echo "paper_003.txt has no line like $line:"
    cat "$dir/moving.out"
    failures=$((failures + 1))
  }
done
refuses 'there is no folder' env HEDDLE_PERF="$perf" "$(dirname "$0")/../../scripts/paper_003.sh" "$dir/missing" "$dir/none"

# SpGEMM's figures of papers 001 and 003 on that folder and small generated matrices: all of what is asked for runs, on a host the
# kernels that are native to CUDA say why they do not, and a run that is started again measures nothing twice.
for paper in paper_001 paper_003_spgemm; do
  for start in first again; do
    HEDDLE_PERF=$perf HEDDLE_PERF_HOST=$perf "$(dirname "$0")/../../scripts/$paper.sh" "$dir/moving" "$dir/$paper" --quick --runs 5 \
      > "$dir/$paper.$start" 2>&1 || {
      echo "scripts/$paper.sh failed:"
      cat "$dir/$paper.$start"
      failures=$((failures + 1))
    }
  done
  cmp -s "$dir/$paper.first" "$dir/$paper.again" || {
    echo "scripts/$paper.sh measured again what was there:"
    diff "$dir/$paper.first" "$dir/$paper.again"
    failures=$((failures + 1))
  }
  refuses 'there is no folder' env HEDDLE_PERF="$perf" "$(dirname "$0")/../../scripts/$paper.sh" "$dir/missing" "$dir/none"
done
number='[0-9][0-9.e-]*'
for line in '^integer is left out: 2 x 4 is not square$' '^pattern is left out: 4 entries are less than 100$' \
  "^(stencil5_16 +1,216|banded_300_15 +9,060) +$number +- +($number|-) +$number +($number|-) +$number\$" '^skipped: heddle::shared_merge on 2 matrices'; do
  grep -qE "$line" "$dir/paper_001.first" || {
    echo "scripts/paper_001.sh printed no line like $line:"
    cat "$dir/paper_001.first"
    failures=$((failures + 1))
  }
done
for line in "^15, permuted( +$number){7}\$" "^pattern( +$number){4}" '^Fig. 10: GFLOPS' '^uniform_400_400_4( +[0-9.e-]+){3}$'; do
  grep -qE "$line" "$dir/paper_003_spgemm/paper_003_spgemm.txt" || {
    echo "paper_003_spgemm.txt has no line like $line:"
    cat "$dir/paper_003_spgemm.first"
    failures=$((failures + 1))
  }
done
[ "$(grep -cE '"operation":"spgemm","matrix":"[^"]* \* [^"]*".*"heddle::hybrid_sparse_dvw".*"median_ms"' "$dir/paper_003_spgemm/table_2.jsonl")" -eq 9 ] || {
  echo "table_2.jsonl should have the nine pairs of three matrices" && failures=$((failures + 1))
}
refuses 'needs a whole number' "$(dirname "$0")/../../scripts/paper_003_spgemm.sh" "$dir/moving" "$dir/none" --most none

# Figs. 8 to 16 of paper 000 on that folder and two generated matrices: tables of what a host has, the others are named, and nothing is
# measured twice.
for start in first again; do
  HEDDLE_PERF=$perf "$(dirname "$0")/../../scripts/paper_000_spmm.sh" "$dir/moving" "$dir/segments" --quick --runs 5 --budget 0.01 \
    > "$dir/segments.$start" 2> "$dir/segments.err" || {
    echo "scripts/paper_000_spmm.sh failed:"
    cat "$dir/segments.$start" "$dir/segments.err"
    failures=$((failures + 1))
  }
done
cmp -s "$dir/segments.first" "$dir/segments.again" || {
  echo "scripts/paper_000_spmm.sh measured again what was there:"
  diff "$dir/segments.first" "$dir/segments.again"
  failures=$((failures + 1))
}

# Section 7 of paper 000, with that profiler; on a host somebody has to say what shared memory gives, and no profiler costs
# the counts alone.
section_7() { HEDDLE_PERF=$perf "$(dirname "$0")/../../scripts/paper_000.sh" "$dir/dense" --quick --budget 0.1 "$@"; }
NCU=$dir/ncu NCU_LOG=$(dirname "$0")/ncu_row_segments.csv section_7 --shared-gbytes-per-s 100 > "$dir/dense.out" 2>&1 || {
  echo "scripts/paper_000.sh failed:"
  cat "$dir/dense.out"
  failures=$((failures + 1))
}
[ "$(grep -cE '^f32 +(32|128) +[124] .* 50\.00 ' "$dir/dense/paper_000.txt")" -eq 6 ] || {
  echo "paper_000.txt should have k = 32 and 128 with CF_V 1, 2, 4:"
  cat "$dir/dense/paper_000.txt"
  failures=$((failures + 1))
}
NCU=$dir/no_ncu refuses '--shared-gbytes-per-s has to say' section_7

expect_line "$dir/err" 'GL7d25 is not in'
expect_line "$dir/out" 'Hamrle1 (3 x 3, 4 entries): formats_spmm f64, k = 32, column-major'
expect_line "$dir/out" 'pruned_2048_2048_10'
expect_line "$dir/paper_out/paper_002.jsonl" '"matrix":"sampled_2372_4096_933343"'
expect_line "$dir/paper_out/paper_002.html" 'Total speedup'
expect_line "$dir/sellp.err" 'left out: audikw_1 bone010'
expect_line "$dir/sellp_out/paper_004.txt" 'skipped on dense_row: ell heddle::portable::ell_chunks: heddle::to_ell: 200 rows'
expect_line "$dir/sellp_out/paper_004.txt" 'seconds a call, median of 7 calls'
expect_line "$dir/sellp_out/paper_004.jsonl" '"implementation":"heddle::portable::sell_chunks","format":"sell","parameters":"8,8,1"'
expect_line "$dir/sellp_out/paper_004.jsonl" '"mean_ms":'
expect_line "$dir/sellp_out/paper_004.html" 'GFLOPS by matrix, of mean times'
expect_line "$dir/profile.out" 'L2 hit rate                                    30.34 %  41.26 %'
expect_line "$dir/profile/paper_004_sell_chunks.txt" '343 x 344 x 1  171 x 172 x 1'
expect_line "$dir/profile/paper_004_sell_chunks.log" 'sell 8,8,1 heddle::portable::sell_chunks'
expect_line "$dir/ncu.arguments" '--kernel-name regex:spmv_ --launch-skip 3 --launch-count 1'
expect_line "$dir/ncu.arguments" '--kernel-name regex:spmm_(light|heavy)_kernel --launch-skip 6 --launch-count 2'
expect_line "$dir/dense.out" ' 0.002136'
expect_line "$dir/segments.first" '## Figs. 10 r, t, 14 and 15: A B with A^T B'
expect_line "$dir/segments.first" '| f64 | 32 | loop of heddle'
expect_line "$dir/segments.err" 'left out: Figs. 8, 9, 10 a to h'
expect_line "$dir/refused" 'no_ncu is not there: no counts'

[ $failures -eq 0 ] || exit 1
echo "all as expected"
