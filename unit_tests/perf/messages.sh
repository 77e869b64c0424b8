#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# messages.sh HEDDLE_PERF: what the program makes of its command line, and what it says of one that is wrong.

. "$(dirname "$0")/expect.sh"

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/pattern.mtx"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 4 3\n1 1 5\n2 4 -7\n1 3 2\n' > "$dir/integer.mtx"
quick=(--runs 5 --budget 0.1 --baseline serial)
measure_machine_once

# prints TEXT...: the last command printed a line with each of them.
prints()
{
  local text
  for text in "$@"; do
    grep -qF -- "$text" "$dir/out" || { complain "no line with '$text':" && cat "$dir/out"; }
  done
}

# A list is one text: what follows it is a file. It may be given again.
expect 0 'pattern .*: spmv f32' spmv "${quick[@]}" --type f32,f64 "$dir/pattern.mtx" --gallery stencil5_4,stencil5_3 "$dir/integer.mtx" \
  --gallery stencil5_5 --op n --op t --implementation auto
prints 'pattern (3 x 3, 4 entries): spmv_t f64' 'integer (2 x 4, 3 entries): spmv f32' 'stencil5_4 (' 'stencil5_3 (' 'stencil5_5 ('
expect 0 'k = 7' spmm "${quick[@]}" --k 5,7 "$dir/pattern.mtx"
expect 0 'csr heddle::auto' formats "${quick[@]}" --format csr "$dir/pattern.mtx"
expect 0 'pattern__degree' reorder --order degree "$dir/pattern.mtx" --out "$dir/moved"

# ends_with_2 LINE ARGUMENT...: exit code 2 and this one line alone.
ends_with_2()
{
  local line=$1 rc=0
  shift
  "$perf" "$@" > "$dir/out" 2> "$dir/err" || rc=$?
  [ $rc -eq 2 ] && [ ! -s "$dir/out" ] && [ "$(cat "$dir/err")" = "heddle-perf: $line" ] ||
    { complain "heddle-perf $*: exit code $rc, expected 2 and the line '$line'; it printed:" && cat "$dir/out" "$dir/err"; }
}
# starts_with_2 BEGINNING ARGUMENT...: exit code 2 and one line that begins so.
starts_with_2()
{
  expect 2 . "${@:2}"
  [[ $(cat "$dir/err") == "heddle-perf: $1"* ]] || { complain "heddle-perf ${*:2} should say '$1':" && cat "$dir/err"; }
}

# An option without its value.
ends_with_2 "--runs needs a value" spmv "$dir/pattern.mtx" --runs
ends_with_2 "--gallery needs a value" spmv --gallery

# Names that are not known: the nearest one.
starts_with_2 "unknown command 'smpv'; did you mean 'spmv'? There are: spmv, spmm, " smpv "$dir/pattern.mtx" --type f32
starts_with_2 "unknown command 'frobnicate'; there are: spmv, spmm, " frobnicate
starts_with_2 "unknown command 'comapre'; did you mean 'compare'? There are: " comapre
starts_with_2 "no command; there are: spmv, spmm, "
ends_with_2 "unknown option '--typ'; did you mean '--type'? heddle-perf spmv --help lists them" spmv "$dir/pattern.mtx" --typ=f32
ends_with_2 "unknown option '--frobnicate'; heddle-perf spmv --help lists them" spmv --frobnicate
ends_with_2 "unknown option '--odrer'; did you mean '--order'? heddle-perf reorder --help lists them" reorder --odrer degree
ends_with_2 "unknown option '--treshold'; did you mean '--threshold'? heddle-perf compare --help lists them" \
  --parse-only compare a b --treshold=2
ends_with_2 "unknown option '--verson'; did you mean '--version'? heddle-perf --help lists them" --verson
ends_with_2 "the option '--type' stands behind its command: heddle-perf spmv --type" --type f32 spmv
ends_with_2 "--type: 'f46' is none of f32, f64; did you mean 'f64'?" spmv "$dir/pattern.mtx" --type f46
ends_with_2 "--gallery: unknown gallery matrix 'stencl27_50'; did you mean 'stencil27_NX[_NY_NZ]'? heddle-perf gallery lists them" \
  spmv --gallery stencil5_4,stencl27_50
ends_with_2 "--gallery: unknown gallery matrix 'rmt15_8'; did you mean 'rmatSCALE_EDGES[_SEED]'? heddle-perf gallery lists them" \
  spgemm --gallery rmt15_8
ends_with_2 "--gallery: unknown gallery matrix 'elast3'; did you mean 'elast3_NX[_NY_NZ]'? heddle-perf gallery lists them" \
  analyze --gallery elast3 --out "$dir/page.html"
ends_with_2 "--gallery: unknown gallery matrix 'nothing_like_it'; heddle-perf gallery lists them" formats --gallery nothing_like_it
for name in stencil27_2_3_4 banded_perm_20_3_9 rmat4_2 band15 uniform_128k_32; do
  "$perf" --parse-only spmv --gallery $name || complain "$name should be a matrix of the gallery"
done

# Names that are not in this build end it before anything is measured.
known=(--gallery stencil5_8 --json "$dir/none.jsonl")
for command in spmv spmm spgemm formats; do
  starts_with_2 "unknown implementation 'auot'; did you mean 'auto'? There are: " $command "${known[@]}" --implementation auot
  kernel=$("$perf" implementations ${command/formats/formats_spmm} | grep ^portable | head -n 1)
  starts_with_2 "unknown implementation '${kernel}x'; did you mean '$kernel'? There are: auto" $command "${known[@]}" \
    --implementation "auto,${kernel}x"
  starts_with_2 "--baseline: 'serail' is none of kk, cusparse, cublas, eigen, graphblas, hypre, mkl, serial, spmv_loop, none; did you mean 'serial'?" \
    $command "${known[@]}" --baseline serail
done
built=$("$perf" baselines | paste -sd ,)
for baseline in kk cusparse cublas eigen graphblas hypre mkl; do
  [[ ,$built, == *,$baseline,* ]] ||
    ends_with_2 "the baseline '$baseline' is not in this build; there are: ${built//,/, }" spmv "${known[@]}" --baseline "$baseline"
done
if ! "$perf" implementations spmv | grep -q '^cuda_native::'; then
  starts_with_2 "the implementation 'cuda_native::csr_merge' is not in this build; there are: auto" spmv "${known[@]}" \
    --implementation cuda_native::csr_merge
  starts_with_2 "the implementation 'step_packets' is not in this build; there are: auto" spmm "${known[@]}" --implementation step_packets
fi
[ ! -e "$dir/none.jsonl" ] || complain "a name that is not known should leave no file of results"
# All that is listed is taken, also together.
for command in spmv spmm spgemm; do
  expect 0 'heddle::portable::' $command --gallery stencil5_4 "${quick[@]}" \
    --implementation "$("$perf" implementations $command | paste -sd ,)"
done
for operation in spmv spmm; do
  expect 0 'sell.* heddle::portable::sell_' formats --operation $operation --gallery stencil5_4 "${quick[@]}" \
    --implementation "$("$perf" implementations formats_$operation | paste -sd ,)"
done
expect 0 'heddle::auto' spmv --gallery stencil5_4 --runs 5 --baseline none
grep -q ' x ' <(grep implementation "$dir/out") && complain "--baseline none should leave no column of speedups"

# Numbers are finite.
ends_with_2 "--budget: 'inf' is not a finite number of at least 0" spmv "$dir/pattern.mtx" --budget inf
ends_with_2 "--budget: '-1' is not a finite number of at least 0" spmv "$dir/pattern.mtx" --budget=-1
ends_with_2 "--time-limit: 'nan' is not a finite number of at least 0" spmv "$dir/pattern.mtx" --time-limit nan
ends_with_2 "--fill-limit: '0' is not a finite number above 0" formats "$dir/pattern.mtx" --fill-limit 0
ends_with_2 "--threshold: 'nan' is not a number from 1 to 1e+06" compare "$dir" "$dir" --threshold nan

# Help of a command has the program's name and examples of this command alone.
"$perf" --help > "$dir/help"
grep -qx 'Usage: heddle-perf \[OPTIONS\] SUBCOMMAND' "$dir/help" || { complain "no line of usage in --help:" && cat "$dir/help"; }
commands=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$dir/help")
[ "$(wc -w <<< "$commands")" -ge 12 ] || complain "--help lists few commands: $commands"
for command in $commands; do
  expect 0 "^[Uu]sage: heddle-perf $command" $command --help
  sed -n '/^Example/,$p' "$dir/out" | grep -E '^  ' > "$dir/examples"
  [ -s "$dir/examples" ] || complain "$command --help has no example"
  grep -vE "^  heddle-perf $command( |$)" "$dir/examples" && complain "$command --help has examples of other commands"
  while read -r _ words; do
    read -ra words <<< "${words//\'/}"
    "$perf" --parse-only "${words[@]}" > /dev/null 2> "$dir/err" || { complain "an example of $command is wrong: ${words[*]}" && cat "$dir/err"; }
  done < "$dir/examples"
done

[ $failures -eq 0 ] || exit 1
echo "all as expected"
