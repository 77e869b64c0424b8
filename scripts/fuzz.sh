#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Feeds inputs that libFuzzer makes up to what reads files (fuzz/*.cpp), and says how many have run.
#
#   scripts/fuzz.sh TARGET MINUTES     goes on with the inputs of earlier runs
#   scripts/fuzz.sh --merge TARGET     keeps the inputs that reach code which no seed and no other input reaches in fuzz/corpus/TARGET
#   scripts/fuzz.sh --check SECONDS    for .ci/run: replays seeds and corpus and runs each target so long, two at a time
#
# Targets: matrix_market matrix_market_gzip binary_csr json_rows. fuzz/seeds/TARGET is written by hand. Inputs of earlier runs,
# their number, and those that failed are in HEDDLE_FUZZ_DIR (default ~/.cache/heddle/fuzz), a folder per target.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail()
{
  echo "scripts/fuzz.sh: $*" >&2
  exit 1
}

targets=(matrix_market matrix_market_gzip binary_csr json_rows)
kept=${HEDDLE_FUZZ_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/heddle/fuzz}
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT

is_target()
{
  local one
  for one in "${targets[@]}"; do
    [ "$one" != "$1" ] || return 0
  done
  fail "no target '$1': there are ${targets[*]}"
}

# fuzzer TARGET FAILURES ARGUMENT...: an input may take 10 seconds and 1 GiB.
fuzzer()
{
  local target=$1 failures=$2 dictionary=fuzz/dictionaries/${1%_gzip}.dict
  shift 2
  mkdir -p "$failures" "$scratch/$target"
  UBSAN_OPTIONS=print_stacktrace=1 TMPDIR=$scratch/$target "build/fuzz/fuzz/fuzz_$target" -dict="$dictionary" -max_len=4096 \
    -timeout=10 -rss_limit_mb=1024 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$failures/" "$@"
}

# run TARGET SECONDS CORPUS FAILURES LOG: fuzzes, adds to CORPUS; leaves the number of inputs in $inputs.
run()
{
  local target=$1 rc=0
  mkdir -p "$3"
  fuzzer "$target" "$4" -max_total_time="$2" "$3" "fuzz/seeds/$target" "fuzz/corpus/$target" > "$5" 2>&1 || rc=$?
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$5")
  if [ $rc -ne 0 ]; then
    grep -E 'fuzz: not so|ERROR|runtime error|Test unit written' "$5" >&2 || tail -n 20 "$5" >&2
    fail "$target fails: see $5; 'build/fuzz/fuzz/fuzz_$target FILE' runs the file again"
  fi
}

build() { scripts/build.sh fuzz "${@:-fuzz_targets}"; }

check_one()
{
  run "$1" "$2" "$scratch/new-$1" build/fuzz/failures "build/fuzz/$1.log"
  echo "fuzz $1: $inputs inputs, $(find "fuzz/seeds/$1" "fuzz/corpus/$1" -type f | wc -l) of them in the tree, none failed"
}

# What libFuzzer merges reaches all code that any input reaches, in few and small ones.
merge()
{
  local target=$1 new=$scratch/merged seed
  mkdir -p "$new" "$kept/$target/corpus"
  cp "fuzz/seeds/$target"/* "$new"
  fuzzer "$target" "$kept/$target/failures" -set_cover_merge=1 -use_counters=0 "$new" "fuzz/corpus/$target" "$kept/$target/corpus" > "$scratch/log" 2>&1 ||
    fail "merging failed: $(tail -n 3 "$scratch/log")"
  for seed in "fuzz/seeds/$target"/*; do
    rm "$new/${seed##*/}"
  done
  rm -rf "fuzz/corpus/$target"
  cp -r "$new" "fuzz/corpus/$target"
  echo "fuzz/corpus/$target: $(find "$new" -type f | wc -l) inputs, $(cat "$new"/* | wc -c) bytes"
}

case ${1:-} in
  --check)
    build
    export -f fail fuzzer run check_one
    export scratch
    printf '%s\n' "${targets[@]}" | xargs -P 2 -I TARGET bash -euc 'check_one TARGET "$1"' _ "${2:?seconds are missing}"
    ;;
  --merge)
    is_target "${2:-}"
    build "fuzz_$2"
    merge "$2"
    ;;
  -h | --help) sed -n '5,12s/^# \{0,1\}//p' "$0" ;;
  *)
    is_target "${1:-}"
    build "fuzz_$1"
    run "$1" $((60 * ${2:?minutes are missing})) "$kept/$1/corpus" "$kept/$1/failures" "build/fuzz/$1.log"
    total=$((inputs + $(cat "$kept/$1/inputs" 2> /dev/null || echo 0)))
    echo "$total" > "$kept/$1/inputs"
    echo "fuzz $1: $inputs inputs in $2 minutes, $total in all runs, $(find "$kept/$1/corpus" -type f | wc -l) kept in $kept/$1"
    ;;
esac
