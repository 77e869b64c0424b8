#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/soak.sh RESULTS SECONDS [TEST_RANDOM [ARGUMENT...]]: random cases, one after the other in one process for so long
#
# Every case makes matrices and plans, calls, compares with the oracle and drops all; memory between the cases must stay what it was
# (test_random --watch-memory). RESULTS gets a line for each piece. Run again, it goes on with the next seed, so that half an hour may
# be made of pieces; the last line of the output has the sum of all pieces. TEST_RANDOM is that of build/openmp-release unless
# named; arguments behind it go to it. Ends with 1 where a case or the memory was wrong.

set -euo pipefail

fail()
{
  echo "scripts/soak.sh: $*" >&2
  exit 2
}

case ${1:-} in
  -h | --help) sed -n '5,11s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac
[ $# -ge 2 ] || fail "name a file for the results, and a number of seconds (see --help)"
results=$1 seconds=$2
shift 2
program=${1:-$(dirname "${BASH_SOURCE[0]}")/../build/openmp-release/test_random}
[ $# -eq 0 ] || shift
[ -x "$program" ] || fail "there is no program $program"
touch "$results"
seed=$(($(sed -n 's/.* seed \([0-9]*\):.*/\1/p' "$results" | sort -n | tail -n 1) + 1))
[ $seed -gt 1 ] || seed=20261127
rc=0
out=$("$program" "random cases agree*" --seed $seed --cases 1000000000 --seconds "$seconds" --watch-memory "$@" 2>&1) || rc=$?
line=$(sed -n 's/^\(seed .*\)/\1/p' <<< "$out" | head -n 1)
memory=$(sed -n 's/^  \(memory in use .*\)/\1/p' <<< "$out" | head -n 1)
[ $rc -eq 0 ] || tail -n 40 <<< "$out" >&2
[ -n "$line" ] || line="seed $seed: ended with $rc"
echo "$(date -u +%F) $(basename "$program") $(sha256sum < "$program" | cut -c 1-8) $line; $memory; $([ $rc -eq 0 ] && echo passed || echo FAILED)" | tee -a "$results"
awk '{for (n = 1; n < NF; ++n) {if ($(n + 1) == "cases" && $(n + 2) == "in") {cases += $n; seconds += $(n + 3)}}}
  END {printf "soak: %d pieces, %d cases, %.1f minutes\n", NR, cases, seconds / 60}' "$results"
! grep -q FAILED "$results"
