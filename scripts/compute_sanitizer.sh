#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/compute_sanitizer.sh RESULTS PROGRAM... [--tool memcheck,racecheck,synccheck,initcheck] [--log FILE] [--random N]
#                                                 [--limit S] [--minutes N] [--jobs N]
#
# Every test case of these programs (unit tests of a CUDA build) under NVIDIA's compute-sanitizer, a process for each case and tool.
# RESULTS gets a line for each: tool, outcome, seconds, program with the first digits of its SHA-256, case. Run again, it goes on:
# what has a line of the same program is not run again.
#
#   --tool LIST    these tools (all four)
#   --log FILE     only cases that launch native kernels, by a log of the same programs (HEDDLE_KERNEL_LOG), or those that
#                  scripts/kernel_tests.py --cases FILE names
#   --random N     instead of test cases N pieces of random cases, each of a seed and for half of the limit; PROGRAM is test_random.
#                  A line ends with the number of cases that there was time for
#   --limit S      a case ends after S seconds, outcome "limit" (120): tools cost 5 to 100 times of a case's time
#   --minutes N    begin no case after N minutes
#   --jobs N       cases at once (4), which share the GPU
#
# Outcomes: clean; ERRORS, where the tool found something; FAILED, where the test itself failed; tool, where the tool gave up by an error of
# its own; limit. What those but clean and limit printed is in RESULTS.d. Ends with 1 where a line of RESULTS says ERRORS or FAILED.

set -euo pipefail

fail()
{
  echo "scripts/compute_sanitizer.sh: $*" >&2
  exit 2
}

tools=memcheck,racecheck,synccheck,initcheck limit=120 minutes=100000 jobs=4 log='' random=0
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '5,23s/^# \{0,1\}//p' "$0" && exit 0 ;;
    --tool | --limit | --minutes | --jobs | --log | --random)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in
        --tool) tools=$2 ;;
        --limit) limit=$2 ;;
        --minutes) minutes=$2 ;;
        --jobs) jobs=$2 ;;
        --log) log=$2 ;;
        --random) random=$2 ;;
      esac
      shift
      ;;
    -*) fail "unknown option $1 (see --help)" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
[ "$random" = 0 ] || [ -z "$log" ] || fail "--random and --log exclude each other: a log names test cases"
[ ${#arguments[@]} -ge 2 ] || fail "name a file for the results and a program (see --help)"
results=${arguments[0]} programs=("${arguments[@]:1}")
command -v compute-sanitizer > /dev/null || fail "there is no compute-sanitizer on the PATH: it is in CUDA's bin"
for tool in ${tools//,/ }; do
  case $tool in
    memcheck | racecheck | synccheck | initcheck) ;;
    *) fail "unknown tool $tool" ;;
  esac
done
mkdir -p "$results.d"
touch "$results"

cases_of()
{
  if [ "$random" -gt 0 ]; then
    seq -f 'random cases of seed %.0f' "$random"
  else
    "$1" --list-tests --verbosity quiet | sed 's/^ *//; s/ *$//' | grep .
  fi
}

# check TOOL PROGRAM NAME CASE: NAME is the program with its sum.
check()
{
  local tool=$1 program=$2 name=$3 case=$4 rc=0 start=$EPOCHREALTIME outcome out arguments said=''
  local options=(--tool "$tool" --error-exitcode 99 --print-limit 20)
  [ "$(date +%s)" -lt "$deadline" ] || return 0
  out=$results.d/$tool-${name%% *}-$(cksum <<< "$case" | cut -d ' ' -f 1)
  if [[ $case =~ ^'random cases of seed '([0-9]+)$ ]]; then
    arguments=("random cases agree*" --seed "${BASH_REMATCH[1]}" --cases 1000000000 --seconds $((limit / 2)))
  else
    arguments=("$(sed 's/[][,\\]/\\&/g' <<< "$case")") # commas and brackets mean something to Catch2
  fi
  # Calls of the runtime that fail, as tests make them do, heddle finds and tells itself.
  [ "$tool" != memcheck ] || options+=(--report-api-errors no)
  timeout -k 5 "$limit" compute-sanitizer "${options[@]}" "$program" "${arguments[@]}" > "$out" 2>&1 || rc=$?
  said=$(sed -n 's/^seed [0-9]*: \([0-9]* cases\) in .*/\t\1/p' "$out" | head -n 1)
  case $rc in
    0) outcome=clean ;;
    99) outcome=ERRORS && ! grep -q 'Internal Sanitizer Error' "$out" || outcome=tool ;;
    124 | 137) outcome=limit ;;
    *) outcome=FAILED ;;
  esac
  [[ $outcome != clean && $outcome != limit ]] || rm "$out"
  printf '%s\t%s\t%.1f\t%s\t%s%s\n' "$tool" $outcome "$(awk "BEGIN {print $EPOCHREALTIME - $start}")" "$name" "$case" "$said" >> "$results"
}
export -f check
export results limit
export deadline=$(($(date +%s) + 60 * minutes))

for tool in ${tools//,/ }; do
  for program in "${programs[@]}"; do
    [ -x "$program" ] || fail "there is no program $program"
    name="$(basename "$program") $(sha256sum < "$program" | cut -c 1-8)"
    cases_of "$program" |
      { [ -z "$log" ] && cat || grep -xF -f <(cut -f 1 "$log" | sort -u); } |
      grep -vxF -f <(awk -F '\t' -v tool="$tool" -v name="$name" '$1 == tool && $4 == name {print $5}' "$results"; echo) |
      while read -r case; do printf '%s\0' "$tool" "$program" "$name" "$case"; done || true
  done
done | xargs -0 -r -n 4 -P "$jobs" bash -euc 'check "$@"' _

cut -f 1,2 "$results" | sort | uniq -c
! cut -f 2 "$results" | grep -qE 'ERRORS|FAILED'
