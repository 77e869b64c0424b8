#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupt.sh HEDDLE_PERF: what Ctrl-C and SIGTERM leave of a run.

. "$(dirname "$0")/expect.sh"

# start ARGUMENT...: the program behind, as a terminal would start it: with SIGINT not ignored. Its number is $running.
start()
{
  rm -f "$dir/rows.jsonl"
  env --default-signal=INT "$perf" "$@" --json "$dir/rows.jsonl" > "$dir/out" 2> "$dir/err" &
  running=$!
}
# wait_for PATTERN FILE: until a line of the file has it, for a minute at most.
wait_for()
{
  for _ in {1..600}; do
    grep -qs -- "$1" "$2" && return
    sleep 0.1
  done
  complain "there was no $1 in $(basename "$2") after a minute"
}
rows() { grep -c '"median_ms"' "$dir/rows.jsonl"; }

# Many cases of half a second each: after the first one there are more to come.
cases=(spmv --gallery stencil5_60,stencil5_50 --op n,t --type f32,f64 --runs 1000000 --budget 0.5 --baseline serial)
for signal in INT TERM; do
  start "${cases[@]}"
  wait_for '"median_ms"' "$dir/rows.jsonl"
  kill -$signal $running
  wait $running
  code=$?
  [ $code -eq $((128 + $(kill -l $signal))) ] || complain "SIG$signal: exit code $code"
  grep -q '^stencil5_60 .*: spmv f32$' "$dir/out" && grep -qE '^  (heddle::auto|serial::csr) +[0-9]' "$dir/out" ||
    { complain "SIG$signal: no table of what was measured:" && cat "$dir/out"; }
  [ "$(rows)" -lt 16 ] || complain "SIG$signal: all cases ran"
  [ "$(tail -n 1 "$dir/err")" = 'heddle-perf: interrupted; the same command with --resume goes on with the other cases' ] ||
    { complain "SIG$signal: the last line is not about --resume:" && cat "$dir/err"; }
done
before=$(rows)
expect 0 'stencil5_50 .*: spmv_t f64' "${cases[@]}" --json "$dir/rows.jsonl" --resume
[ "$(rows)" -eq 16 ] || complain "--resume: $before rows before, $(rows) after, expected 16"

# The second one does not wait for the case.
start spmv --gallery stencil5_60 --runs 1000000 --budget 600 --baseline none --resume
wait_for 'did not finish' "$dir/rows.jsonl"
kill -INT $running
wait_for 'this case still comes to its end' "$dir/err"
kill -INT $running
wait $running
code=$?
[ $code -eq 130 ] && ! grep -q '^stencil5_60' "$dir/out" || { complain "a second SIGINT: exit code $code" && cat "$dir/out"; }

[ $failures -eq 0 ] || exit 1
echo "all as expected"
