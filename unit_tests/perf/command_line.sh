#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# command_line.sh HEDDLE_PERF: what the program does with files and arguments of all kinds, and its exit codes.

. "$(dirname "$0")/expect.sh"

write_matrices
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n' > "$dir/malformed.mtx"

expect 0 'Examples:' --help
expect 0 'matrix.mtx.gz --type f32,f64' spmv --help
expect 0 'stencil27_NX' gallery
expect 0 'hardware threads' topology
expect 0 'MB/s' read "$dir/integer.mtx" --json "$dir/read.jsonl"

# The machine is measured by each run, or once.
integer=(spmv "$dir/integer.mtx" --runs 5 --json "$dir/integer.jsonl")
expect 0 'copies .* GB/s, computes .* \(measured now' "${integer[@]}"
expect_line "$dir/integer.jsonl" '"operation":"self_check"'
measure_machine_once
expect 0 'reads .* GB/s, computes .* \(not measured now, see HEDDLE_PERF_MACHINE' "${integer[@]}"
grep -q self_check "$dir/integer.jsonl" && complain "a machine that was not measured was checked"
expect_line "$dir/integer.jsonl" "\"machine_gbytes_per_s\":$(sed -n 's/.*"gbytes_per_s": \([0-9]*\).*/\1/p' "$dir/machine.json" | head -n 1)"
HEDDLE_PERF_MACHINE=$dir/missing.json expect 3 'missing.json: cannot be read' "${integer[@]}"
sed 's/"device": "/&Another /' "$dir/machine.json" > "$dir/another.json"
HEDDLE_PERF_MACHINE=$dir/another.json expect 2 'another.json, which is of Another .*; this is ' "${integer[@]}"
expect_line "$dir/integer.jsonl" '"implementation":"heddle::auto"'

# A file that is not there is found before the others are measured.
expect 3 "^heddle-perf: cannot read $dir/none.mtx: No such file or directory" spmv "$dir/integer.mtx" "$dir/none.mtx" --json "$dir/none.jsonl"
[ ! -e "$dir/none.jsonl" ] && [ ! -s "$dir/out" ] || complain "something was measured before a file that is not there was missed"

small=(--runs 5 --budget 0.1 --implementation all --baseline "$(in_this_build kk,serial,eigen,graphblas,mkl "$perf" baselines)" --type f32,f64)
for operation in spmv spmm spgemm; do
  expect 0 "pattern \(3 x 3, 4 entries\): $operation f32" $operation "$dir/pattern.mtx" "${small[@]}"
  expect 0 "integer \(2 x 4, 3 entries\): $operation f64" $operation "$dir/integer.mtx" "${small[@]}"
  expect 0 "zipped \(2 x 4, 3 entries\): $operation f64" $operation "$dir/zipped.mtx.gz" "${small[@]}"
  expect 0 "array \(2 x 2, 3 entries\): $operation f64" $operation "$dir/array.mtx" "${small[@]}"
  expect 0 "complex \(2 x 2, 2 entries\): $operation c32" $operation "$dir/complex.mtx" "${small[@]}"
  expect 0 'stencil5_8' $operation --gallery stencil5_8 "${small[@]}" --json "$dir/$operation.jsonl"
done
expect 0 'heddle::auto_convert' spmv --gallery stencil5_8 --implementation auto_convert --baseline serial --runs 5
# Products of pairs, of top left parts, of what filters leave. What an accumulator or a pair cannot do is said and costs nothing else.
pairs=(spgemm "$dir/integer.mtx" "$dir/array.mtx" "$dir/complex.mtx" --pairs --runs 5 --budget 0.1 --baseline kk,serial)
expect 0 'array \* integer \(2 x 2, 3 entries\): spgemm_numeric f32' "${pairs[@]}" --type f32,f64 --json "$dir/pairs.jsonl"
for line in 'integer * array is left out: integer has 4 columns but array has 2 rows' 'complex * complex (2 x 2, 2 entries): spgemm c64' \
  'array * complex is left out: one of array and complex is real, the other complex'; do
  grep -qF -- "$line" "$dir/out" || { echo "--pairs did not say: $line" && cat "$dir/out" && failures=$((failures + 1)); }
done
[ "$(grep -c '"operation":"spgemm","matrix":"array \* integer".*"heddle::auto".*"median_ms"' "$dir/pairs.jsonl")" -eq 2 ] || { echo "pairs.jsonl should have array * integer in two types" && failures=$((failures + 1)); }
expect 2 'none of the 1 pairs' spgemm "$dir/integer.mtx" --pairs
expect 0 'stencil5_8_top_40 \* stencil7_4_top_40 \(40 x 40, 174 entries\): spgemm f64' spgemm --gallery stencil5_8,stencil7_4 --pairs --top-left 40 --runs 5 --budget 0.1
expect 0 'pattern is left out: 4 entries are more than 3' spgemm "$dir/pattern.mtx" "$dir/array.mtx" --nnz 2:3 --runs 5
expect 0 'integer is left out: 2 x 4 is not square' spgemm "$dir/integer.mtx" "$dir/array.mtx" --square --runs 5
expect 0 'spgemm_numeric f64' spgemm --gallery stencil27_16 --memory --runs 5 --baseline serial --json "$dir/memory.jsonl"
for operation in spgemm spgemm_numeric; do
  grep -q '"operation":"'$operation'",.*"heddle::auto".*"workspace_bytes":[0-9]' "$dir/memory.jsonl" ||
    { echo "memory.jsonl should say what $operation takes beyond A, B and C" && failures=$((failures + 1)); }
done
! grep -q workspace_bytes "$dir/pairs.jsonl" || { echo "without --memory none is measured" && failures=$((failures + 1)); }
expect 2 'no matrix is left' spgemm "$dir/integer.mtx" --square
expect 2 'top-left' spgemm "$dir/integer.mtx" --top-left 0
expect 0 '^  heddle::register_merge +skipped: heddle::spgemm: no implementation' spgemm --gallery stencil5_8 --implementation register_merge --baseline serial --runs 5
grep -qE '^  serial::csr +0' "$dir/out" || { echo "serial::csr should run beside an accumulator that is not there" && failures=$((failures + 1)); }

# What is there is kept and not run again; what takes too long ends the program and costs its own case only.
tiny=(spmv "$dir/integer.mtx" --runs 5 --baseline serial --json "$dir/resumed.jsonl")
expect 0 'heddle::auto' "${tiny[@]}"
expect 0 'computes' "${tiny[@]}" --resume --op n,t
expect 0 'heddle::auto' "${tiny[@]}" --merge
rows() { grep -c '"median_ms"' "$dir/resumed.jsonl"; }
[ "$(rows)" -eq 4 ] || { echo "resumed.jsonl has $(rows) rows with times, expected 4 (ours and serial of two ops)" && failures=$((failures + 1)); }
grep -q 'heddle::auto' <("$perf" "${tiny[@]}" --resume --op n,t) && echo "--resume ran a case again" && failures=$((failures + 1))
expect 7 'stopped by --time-limit' "${tiny[@]}" --time-limit 1e-9
long=(spgemm --gallery stencil27_40 --baseline serial --json "$dir/long.jsonl" --resume --case-limit 0.001)
expect 8 'took longer than 0.001 s' "${long[@]}"
grep -q 'did not finish within' "$dir/long.jsonl" || { echo "no row of the case that took too long" && failures=$((failures + 1)); }

# Steps of iterative methods: each is checked, with its epilogue, in parts and with other libraries.
libraries=$(in_this_build kk,cusparse,cublas "$perf" baselines)
steps=(solver-steps --implementation all --baseline "${libraries:-none}" --runs 5 --budget 0.1)
expect 0 'stencil5_8 \(64 x 64, 288 entries\): spmv_cg f64' "${steps[@]}" "$dir/pattern.mtx" --gallery stencil5_8 --json "$dir/steps.jsonl"
for step in dot residual jacobi chebyshev cg; do
  for implementation in auto auto_apart portable::csr_team; do
    [ "$(grep -c "\"operation\":\"spmv_$step\".*\"heddle::$implementation\".*\"median_ms\"" "$dir/steps.jsonl")" -eq 2 ] ||
      complain "solver-steps: $implementation should have times of $step on two matrices"
  done
done
expect 0 'heddle::auto_apart' solver-steps "$dir/array.mtx" --step residual --baseline none --runs 5
expect 2 'integer is 2 x 4: solver-steps takes square matrices' solver-steps "$dir/integer.mtx"
expect 2 'complex is complex: solver-steps takes real matrices' solver-steps "$dir/complex.mtx"
expect 2 "'norm' is none of dot, residual, jacobi, chebyshev, cg" solver-steps "$dir/pattern.mtx" --step norm
expect 2 'no matrix' solver-steps

# Multigrid: every library makes the same hierarchy, so that CG takes the same few iterations.
libraries=$(in_this_build kk,cusparse "$perf" baselines)
multigrid=(multigrid --gallery stencil5_40 --baseline "${libraries:-none}" --runs 1 --budget 0.1)
expect 0 'stencil5_40 \(1600 x 1600, 7840 entries\): multigrid f64' "${multigrid[@]}" --json "$dir/multigrid.jsonl"
iterations=$(grep -o '"levels":[0-9]*\|"iterations":[0-9]*' "$dir/multigrid.jsonl" | sort | uniq -c | awk '{ print $1, $2 }')
runs=$(wc -l < "$dir/multigrid.jsonl")
[[ $iterations =~ ^$runs\ .iterations.:(1[0-9]|2[0-5]).$runs\ .levels.:[3-5]$ ]] || complain "multigrid on stencil5_40: expected $runs times the same 10 to 25 iterations and 3 to 5 levels, found: $iterations"
# So it is of nodes with three rows and six rigid motions, and of a graph; BoomerAMG has a hierarchy of its own.
for problem in 'elast3_8:--gallery elast3_8:[1-2][0-9]' 'laplacian_rmat10_8:--gallery rmat10_8 --laplacian:([5-9]|[1-3][0-9])'; do
  IFS=: read -r name arguments iterations <<< "$problem"
  # shellcheck disable=SC2086 # several arguments
  expect 0 "$name \\([0-9]* x" multigrid $arguments --baseline "${libraries:-none}" --runs 1 --budget 0.1 --json "$dir/problem.jsonl"
  found=$(grep -o '"iterations":[0-9]*' "$dir/problem.jsonl" | sort | uniq -c | awk '{ print $1, $2 }')
  [[ $found =~ ^$(wc -l < "$dir/problem.jsonl")\ .iterations.:$iterations$ ]] || complain "multigrid of $name: expected the same $iterations iterations for all, found: $found"
done
if [ -n "$(in_this_build hypre "$perf" baselines)" ]; then
  expect 0 'hypre::BoomerAMG_0.25 ' multigrid --gallery elast3_6 --baseline hypre --runs 1 --budget 0.1 --json "$dir/hypre.jsonl"
  [ "$(grep hypre:: "$dir/hypre.jsonl" | grep -c '"iterations"')" -eq 2 ] || complain "BoomerAMG did not converge on elast3_6"
fi
expect 0 'heddle::auto +skipped: no convergence in 2 iterations: relative residual 0\.' multigrid --gallery stencil5_40 --iterations 2 --baseline none
expect 0 'heddle::auto +skipped: heddle::perf: a diagonal entry is 0: multigrid needs' multigrid "$dir/pattern.mtx" --baseline none
expect 2 'integer is 2 x 4: multigrid takes square matrices' multigrid "$dir/integer.mtx"
expect 2 'complex is complex: multigrid takes real matrices' multigrid "$dir/complex.mtx"
expect 2 "'eigen' is none of kk, cusparse, hypre, none" multigrid "$dir/pattern.mtx" --baseline eigen
expect 2 'no matrix' multigrid

expect 0 "spmm_both f64, k = 3" spmm "$dir/integer.mtx" --op n,t,both --k 1,3 --layout row,col --runs 5 \
  --baseline "$(in_this_build kk,eigen,graphblas,mkl,spmv_loop "$perf" baselines)" --implementation auto,auto_row_segmented --json "$dir/both.jsonl"
segmented() { grep -cE "\"operation\":\"$1\".*auto_row_segmented\".*\"layout\":\"row\".*\"median_ms\".*\"heavy_share\":[01]\\.[0-9]*," "$dir/both.jsonl"; }
for operation in spmm spmm_t spmm_both; do # with k = 1 and 3; row segments are for row-major operands
  [ "$(segmented $operation)" -eq 2 ] || { echo "both.jsonl has $(segmented $operation) rows of $operation in row segments, expected 2" && failures=$((failures + 1)); }
done
expect 0 'spmv_t c64' spmv "$dir/complex.mtx" --op t --runs 5

# Every format, in both operations; what it prints is checked by the reference of the program itself.
formats=(--runs 5 --budget 0.1 --block 3 --block 2x4 --sell 4,2,8 --segments 4,1,2 --fill-limit 1000)
for operation in spmm spmv; do
  expect 0 "elast3_3 .*: formats_$operation f32" formats --operation $operation "$dir/integer.mtx" --gallery elast3_3 \
    --type f32,f64 "${formats[@]}" --json "$dir/formats_$operation.jsonl"
  for format in coo csr csc dcsr "bsr 3x3" "bsr 2x4" ell "sell 4,2,8" hyb "row_segmented 4,1,2"; do
    for implementation in heddle::auto "serial::${format%% *}"; do
      [ "$(grep -cE "^  $format $implementation +[0-9.]+ " "$dir/out")" -eq 4 ] || {
        echo "$operation: $format $implementation should have run on two matrices in two types"
        failures=$((failures + 1))
      }
    done
  done
done
# SpGEMM has two, and both phases of each.
expect 0 'elast3_3 .*: formats_spgemm_numeric f64' formats --operation spgemm "$dir/integer.mtx" --gallery elast3_3 --type f32,f64 \
  --implementation all --baseline "$(in_this_build kk "$perf" baselines)" "${formats[@]}" --json "$dir/formats_spgemm.jsonl"
for line in csr\ heddle::{auto,portable::team_hash} bsr\ {3x3,2x4}\ heddle::{auto,portable::bsr_team_hash}; do
  [ "$(grep -cE "^  $line +[0-9.]+ " "$dir/out")" -eq 8 ] || {
    echo "spgemm: $line should have run in two phases on two matrices in two types"
    failures=$((failures + 1))
  }
done
if "$perf" baselines | grep -qx kk; then
  expect 0 'bsr 3x3 kokkoskernels::block_SPGEMM_KK +[0-9.]+ ' formats --operation spgemm --gallery elast3_3 "${formats[@]}"
  expect 0 'bsr 2x4 kokkoskernels::block_SPGEMM_KK +skipped: Kokkos Kernels has square blocks alone' \
    formats --operation spgemm --gallery elast3_3 "${formats[@]}"
fi
expect 2 '--format is ell, spgemm takes csr and bsr' formats --operation spgemm --gallery elast3_3 --format csr,ell
expect 0 'integer .*: formats_spmm f64, k = 5, column-major' formats "$dir/integer.mtx" "$dir/pattern.mtx" --k 5,2 \
  --layout row,col --implementation all "${formats[@]}" --json "$dir/formats.jsonl"
expect 0 'pattern .*: formats_spmm f64, k = 2, row-major' formats "$dir/integer.mtx" "$dir/pattern.mtx" --k 5,2
expect 0 'csr heddle::auto +skipped: the operands take (1604|1348) bytes, --max-bytes is 1024' \
  formats --gallery stencil5_4 --k 2 --format csr --max-bytes 1K
expect 0 'serial::csr +skipped: more than --serial-flops' formats --gallery stencil5_4 --serial-flops 10
expect 0 'ell heddle::auto +skipped: heddle::to_ell: 40 rows of 40 places takes' \
  formats --gallery dense_row_40 --format ell --fill-limit 2
expect 0 'complex matrix; formats runs real ones' formats "$dir/complex.mtx"
expect 0 'sampled_2372_4096_933343 .*: formats_spmm f64, k = 3, row-major' \
  formats --seeded --k 3 --format csr --runs 5 --budget 0.1
expect 2 'no matrix' formats
expect 2 '--k has 3 values for 1 matrices' formats "$dir/integer.mtx" --k 1,2,3
expect 2 'no_such_format' formats "$dir/integer.mtx" --format no_such_format
expect 2 '--block is "3x"' formats "$dir/integer.mtx" --block 3x
expect 2 '--sell is "0"' formats "$dir/integer.mtx" --sell 0
expect 2 '--segments is "3,8,1"' formats "$dir/integer.mtx" --segments 3,8,1
expect 2 'parameters "2,8"' formats "$dir/integer.mtx" --segments 2,8
expect 2 'max-bytes' formats "$dir/integer.mtx" --max-bytes many

# What one matrix says of its multiplies, on this machine and on another.
grep -q '"l1_gwords_per_s": [1-9]' "$dir/machine.json" || { echo "machine.json has no l1_gwords_per_s" && failures=$((failures + 1)); }
expect 0 'SpGEMM, A A ' analyze --gallery stencil5_8 --machine "$dir/machine.json" --out "$dir/analysis.html"
expect 0 'entries of A A\^T +2' analyze "$dir/integer.mtx" --type f32 --k 8 --machine "$dir/machine.json" --out "$dir/analysis.html"
expect 0 'SpMV takes at least' analyze "$dir/complex.mtx" --out "$dir/analysis.html" --no-orders
expect 0 'more than --max-products' analyze --gallery stencil5_8 --machine "$dir/machine.json" --max-products 9 --out "$dir/analysis.html"
# The hypergraph needs Zoltan or a program of its own; a build without them says what to install.
bounded=(analyze --gallery stencil5_8 --machine "$dir/machine.json" --out "$dir/analysis.html" --upper-bound --cache 16K)
if "$perf" "${bounded[@]}" > "$dir/bounded" 2>&1; then
  expect 0 'through a cache of 2,048 words A A moves at least' "${bounded[@]}"
  expect 0 'SpMV: through a cache of 2,048 words A x moves at least 704 words and, in 1 part, at most 704' "${bounded[@]}"
  expect 0 'majority of the parts' "${bounded[@]}"
else
  expect 2 'name a program with --partitioner, or install .*libtrilinos-zoltan-dev' "${bounded[@]}"
fi
# A program of its own: halves of the vertices. Rows are the vertices where there are more products than asked for.
printf '#!/bin/sh\nawk -v parts="$2" "NR == 1 { for (v = 0; v < \\$2; ++v) print int(v * parts / \\$2) }" "$1" > "$3"\n' > "$dir/cut"
chmod +x "$dir/cut"
by_rows=("${bounded[@]}" --partitioner "$dir/cut" --max-vertices)
expect 0 'A x: hypergraph of 288 products' "${by_rows[@]}" 300
expect 0 'A A: hypergraph of 64 rows, 64 nets and 288 pins' "${by_rows[@]}" 300
expect 0 'A x: hypergraph of 64 rows' "${by_rows[@]}" 100
expect 0 'A A: cutting into 2 parts' "${by_rows[@]}" 300 --json "$dir/by_rows.jsonl"
grep -q '"spgemm_parts":2,"spgemm_vertices":"rows","spgemm_as_it_is_words":[1-9]' "$dir/by_rows.jsonl" ||
  { echo "by_rows.jsonl has no bound by rows" && failures=$((failures + 1)); }
expect 5 "command_partitioner: 'false /.*' failed with status" "${bounded[@]}" --partitioner false
expect 0 'stencil5_8__majority' reorder --gallery stencil5_8 --order majority --cache 16K --partitioner "$dir/cut" --out "$dir/moved"
expect 2 'requires --upper-bound' analyze --gallery stencil5_8 --out "$dir/analysis.html" --partitioner "$dir/cut"
# Times of this matrix beside its bounds.
expect 0 'heddle::auto' spmv --gallery stencil5_8 --runs 5 --baseline serial --json "$dir/measured.jsonl"
expect 0 'SpMV: measured .* times the least' analyze --gallery stencil5_8 --machine "$dir/machine.json" --out "$dir/analysis.html" --measured "$dir/measured.jsonl"
expect 2 'measured has no row of heddle::auto on stencil5_4' analyze --gallery stencil5_4 --machine "$dir/machine.json" --out "$dir/analysis.html" --measured "$dir/measured.jsonl"
# Its figures as a row, added to those of others.
expect 0 'SpMV takes at least' analyze --gallery stencil5_8 --machine "$dir/machine.json" --out "$dir/analysis.html" --json "$dir/figures.jsonl"
expect 0 'SpMV takes at least' analyze --gallery stencil5_4 --machine "$dir/machine.json" --out "$dir/analysis.html" --json "$dir/figures.jsonl"
[ "$(grep -c '"operation":"analyze","matrix":"stencil5_[48]"' "$dir/figures.jsonl")" -eq 2 ] || { echo "figures.jsonl should have two rows" && failures=$((failures + 1)); }
# A row is enough for the page, and needs no Python; a page does, which is said before anything else is looked at.
HEDDLE_PYTHON=$dir/no_python expect 0 'SpMV takes at least' analyze --gallery stencil5_8 --machine "$dir/machine.json" --json "$dir/alone.jsonl"
"$perf" analysis "$dir/alone.jsonl" --out "$dir/alone.html" || complain 'analysis does not make a page of alone.jsonl'
grep -q '<h1>stencil5_8</h1>' "$dir/alone.html" || { echo "alone.html is not the page of stencil5_8" && failures=$((failures + 1)); }
HEDDLE_PYTHON=$dir/no_python expect 2 'no_python: No such file .* apt-get install python3' analyze --gallery stencil5_8 --machine "$dir/missing.json" \
  --out "$dir/analysis.html"
expect 3 'figures.jsonl: 2 rows of analyze, expected one' analysis "$dir/figures.jsonl" --out "$dir/alone.html"
# Matrices in other orders, which any command reads.
expect 0 'stencil5_8__cuthill_mckee: .* entries a column' reorder --gallery stencil5_8 --order cuthill_mckee,similar_columns --out "$dir/moved" --json "$dir/orders.jsonl"
expect 0 'stencil5_8__similar_columns \(64 x 64, 288 entries\)' spmv "$dir/moved/stencil5_8__similar_columns.bin" --runs 5 --baseline serial
expect 0 'integer__degree' reorder "$dir/integer.mtx" --order degree --out "$dir/moved"
expect 2 'expected a square matrix' reorder "$dir/integer.mtx" --order cuthill_mckee --out "$dir/moved"
expect 2 'complex is complex' reorder "$dir/complex.mtx" --order degree --out "$dir/moved"
expect 2 'no matrix' reorder --order degree --out "$dir/moved"
expect 2 'none.*is none of cuthill_mckee' reorder --gallery stencil5_8 --order none --out "$dir/moved"
expect 3 'cannot be made' reorder --gallery stencil5_8 --order degree --out "$dir/integer.mtx/no"
expect 2 'requires --upper-bound' analyze --gallery stencil5_8 --out "$dir/analysis.html" --cache 1K
expect 2 'takes one matrix' analyze --out "$dir/analysis.html"
expect 2 'out' analyze --gallery stencil5_8
expect 3 'missing.json: cannot be read' analyze --gallery stencil5_8 --machine "$dir/missing.json" --out "$dir/analysis.html"
expect 3 'cannot write' analyze --gallery stencil5_8 --machine "$dir/machine.json" --out "$dir/no/analysis.html"

expect 0 'page.html: [1-9][0-9]* results' report "$dir/formats.jsonl" "$dir/formats_spmv.jsonl" "$dir/formats_spgemm.jsonl" "$dir/spmm.jsonl" \
  "$dir/read.jsonl" --out "$dir/page.html"
mkdir "$dir/results" "$dir/empty"
cp "$dir/spmv.jsonl" "$dir/spgemm.jsonl" "$dir/read.jsonl" "$dir/results"
expect 0 'folder.html: [1-9][0-9]* results' report "$dir/results" -o "$dir/folder.html" --square --nnz 10:1e6 --iterative
expect 0 'pairs.html: [1-9][0-9]* results' report "$dir/pairs.jsonl" -o "$dir/pairs.html" --square
grep -m 4 '"median_ms"' "$dir/spmm.jsonl" > "$dir/few.jsonl" # a page of all rows takes long to draw
printf '{"operation":"spmv"}\n' > "$dir/malformed.jsonl"
expect 3 'malformed.jsonl, line 1: ' report "$dir/malformed.jsonl" --out "$dir/other.html"
expect 3 'missing.jsonl' report "$dir/missing.jsonl" --out "$dir/other.html"
expect 3 'cannot write' report "$dir/few.jsonl" --out "$dir/no/folder.html"
expect 3 'the folder has no \*.jsonl' report "$dir/empty" --out "$dir/other.html"
expect 2 'out' report "$dir/few.jsonl"
expect 2 "--nnz: 'many' should be LEAST:MOST" report "$dir/few.jsonl" --out "$dir/other.html" --nnz many
expect 2 "--nnz: '5:4' should be LEAST:MOST" report "$dir/few.jsonl" --out "$dir/other.html" --nnz 5:4
expect 0 'operations without rows: .*spgemm' report "$dir/few.jsonl" --out "$dir/other.html"
expect 0 'read.jsonl: left out [0-9]+ rows? of read' report "$dir/read.jsonl" "$dir/few.jsonl" --out "$dir/other.html"
expect 0 'the filters left out ([0-9]+) of \1 rows' report "$dir/results" --out "$dir/other.html" --nnz :1

# Results beside a table of peers, and two sets of results: Python reads the arguments (unit_tests/perf/test_heddle_report_*.py has the rules).
{
  echo 'implementation,matrix,nnz,k,type,median_ms,check'
  echo '"cusparse_a",stencil5_8,288,1,f64,1e3,ok'
  echo 'kokkoskernels_native,stencil5_8,288,1,f64,2e3,'
  echo 'serial_csr,stencil5_8,288,1,f64,3e3,ok'
} > "$dir/peers.csv"
expect 0 'stencil5_8 .* kokkoskernels_native +2000 ' peers "$dir/peers.csv" "$dir/spmv.jsonl" --exclude 'cusparse_*' \
  --unchecked 'kokkos*' --json "$dir/peers.jsonl"
expect 0 '0 of 1 agree within 25 %' peers "$dir/peers.csv" "$dir/spmv.jsonl" --family serial --agreement --tolerance 0.25 \
  --json "$dir/agreement.jsonl"
expect 0 'figures.jsonl: skipped, nothing but 2 rows of analyze' peers "$dir/peers.csv" "$dir/spmv.jsonl" "$dir/figures.jsonl"
expect 0 '[1-9][0-9]* cases with times in both' compare "$dir/pairs.jsonl" "$dir/pairs.jsonl"
sed 's/"median_ms":/&9/' "$dir/spmv.jsonl" > "$dir/slower.jsonl"
expect 6 'slower \([1-9]' compare "$dir/spmv.jsonl" "$dir/slower.jsonl" --min-ms 0
expect 3 'malformed.jsonl, line 1: ' compare "$dir/spmv.jsonl" "$dir/malformed.jsonl"
expect 0 'usage: heddle-perf compare' compare --help --kokkos-num-threads=1
expect 0 '^  compare .*slower' --help
expect 0 '^  report .*HTML page' --help
HEDDLE_PYTHON=$dir/no_python expect 2 'no_python: No such file .* apt-get install python3' compare "$dir/spmv.jsonl" "$dir/spmv.jsonl"
HEDDLE_REPORT_PATH=$dir expect 2 'heddle_report is not in .*HEDDLE_REPORT_PATH' compare "$dir/spmv.jsonl" "$dir/spmv.jsonl"

# A model of row segments: what an earlier start measured is not measured again, and a limit of time leaves it to go on with.
mkdir "$dir/models"
cp "$dir/integer.mtx" "$dir/complex.mtx" "$dir/models" # too few entries, and complex
learning=(calibrate "$dir/models" --gallery stencil5_8,elast3_3,banded_200_3,dense_row_200 --least-nnz 100 --every 2 --k 8
  --synthetic 64 --runs 1 --budget 0)
expect 7 'the same command goes on' "${learning[@]}" --out "$dir/model.json" --seconds 1e-9
[ -e "$dir/model.json" ] && echo "a calibration that did not end should write no model" && failures=$((failures + 1))
expect 0 'f64: 2 of 4 matrices trained' "${learning[@]}" --out "$dir/model.json"
measured() { grep -c '"operation":"calibrate",.*"value_type":"f64".*"median_ms"' "$dir/model.jsonl"; }
[ "$(measured)" -eq 32 ] || { echo "model.jsonl has $(measured) times in f64, expected 16 thresholds of 2 matrices" && failures=$((failures + 1)); }
cp "$dir/model.jsonl" "$dir/model.jsonl.before"
expect 0 'model of' "${learning[@]}" --out "$dir/model.json"
cmp "$dir/model.jsonl" "$dir/model.jsonl.before" || { echo "calibrate measured again what was there" && failures=$((failures + 1)); }
expect 0 'model of' "${learning[@]}" --out "$dir/model.json" --evaluate
[ "$(measured)" -eq 64 ] || { echo "--evaluate: $(measured) times in f64, expected 16 thresholds of 4 matrices" && failures=$((failures + 1)); }
expect 0 'f32, 4 matrices, time over the best: no model [1-9]' model-chart "$dir/model.jsonl" --model "$dir/model.json" \
  --out "$dir/model.html"
expect 2 '2 real matrices of at least 100 entries, but one of 3 trains: see --every and --least-nnz' calibrate --gallery stencil5_8,elast3_3 \
  --least-nnz 100 --every 3 --out "$dir/few.json"
expect 2 'no matrix' calibrate --out "$dir/none.json"
expect 2 'out is required' calibrate --gallery stencil5_8
expect 3 'missing.mtx' calibrate "$dir/missing.mtx" --out "$dir/none.json"
expect 3 'cannot write' calibrate --gallery stencil5_8 --out "$dir/no/model.json"
expect 2 '0 devices' model-chart "$dir/spmm.jsonl" --model "$dir/model.json" --out "$dir/other.html"
expect 2 'parameters "8"' model-chart "$dir/model.jsonl" --model "$dir/model.json" --out "$dir/other.html" --fixed 8
echo '{"operation":"calibrate"}' > "$dir/no_device.jsonl"
expect 3 'no_device.jsonl, line 1: no device' model-chart "$dir/no_device.jsonl" --model "$dir/model.json" --out "$dir/other.html"

expect_line "$dir/spgemm.jsonl" '"operation":"spgemm_numeric","matrix":"stencil5_8"'
expect_line "$dir/spgemm.jsonl" '"implementation":"heddle::auto_reuse"'
for key in '"format":"bsr","parameters":"2x4","layout":"col"' '"fill_ratio":' '"prologue_ms":' '"epilogue_ms":' \
  '"serial_ms":' '"operation":"formats_spmm"' '"implementation":"serial::sell"'; do
  expect_line "$dir/formats.jsonl" "$key"
done
expect_line "$dir/formats_spmv.jsonl" '"operation":"formats_spmv","matrix":"elast3_3"'
expect_line "$dir/formats_spgemm.jsonl" '"operation":"formats_spgemm_numeric","matrix":"elast3_3"'
expect_line "$dir/page.html" 'Execution'
expect_line "$dir/folder.html" 'nnz: matrices of at least 10 and at most 1,000,000 entries only'
expect_line "$dir/folder.html" 'operations without rows: spmv_t, spmm, spmm_t'
expect_line "$dir/peers.jsonl" '"joined":"peers","operation":"spmv","matrix":"stencil5_8"'
expect_line "$dir/peers.jsonl" '"peer":"kokkoskernels_native","peer_ratio":'
expect_line "$dir/agreement.jsonl" '"joined":"agreement","operation":"spmv"'
expect_line "$dir/agreement.jsonl" '"implementation":"serial::csr"'
expect_line "$dir/machine.json" '"gbytes_per_s": '
expect_line "$dir/analysis.html" 'data:image/png;base64,'
expect_line "$dir/model.json" '"threshold":'
expect_line "$dir/model.html" 'stencil5_8'
expect_line "$dir/read.jsonl" '"operation":"read","file":"integer.mtx"'

# The command line alone is checked: no file is looked for, none is made, nothing is said.
said=$("$perf" --parse-only spmv "$dir/missing.mtx" --type f32,f64 --json "$dir/parsed.jsonl" 2>&1)
if [ $? -ne 0 ] || [ -n "$said" ] || [ -e "$dir/parsed.jsonl" ]; then
  echo "heddle-perf --parse-only should end with 0, print nothing and make no file: $said"
  failures=$((failures + 1))
fi
expect 2 'frobnicate' --parse-only spmv --frobnicate
expect 2 'f16' --parse-only spmm "$dir/integer.mtx" --type f16
expect 2 'no command; there are: spmv, ' --parse-only
expect 2 'no command; there are: spmv, ' # none
expect 2 'frobnicate' spmv --frobnicate
expect 2 'no matrix' spmv
expect 2 'f16' spmv "$dir/integer.mtx" --type f16
expect 2 'no_such_matrix' spmv --gallery no_such_matrix
expect 3 'missing.mtx' spmv "$dir/missing.mtx"
expect 3 'malformed.mtx:4: ' spmv "$dir/malformed.mtx"
expect 3 'cannot write' spmv "$dir/integer.mtx" --json "$dir/no/folder.jsonl"
(
  ulimit -v 600000
  expect 4 'heddle-perf: ' spmv --gallery stencil27_120
  exit $failures
) || failures=$((failures + 1))

[ $failures -eq 0 ] || exit 1
echo "all as expected"
