#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Data races on hosts, by clang's ThreadSanitizer; Kokkos, heddle and the tests are compiled with it.
#
#   scripts/races.sh openmp [CASES]     unit_tests/races (plans shared by threads of the host, on OpenMP and Serial) and CASES (300)
#                                       random cases on OpenMP, whose runtime tells ThreadSanitizer by Archer what it orders
#   scripts/races.sh threads [CASES]    random cases on Kokkos::Threads (std::thread), where nothing of a runtime is hidden
#
# Four threads per parallel region, whatever the machine has. What was found is in build/PRESET/*.log.
# Limit: Kokkos' barriers are relaxed operations between fences, of which ThreadSanitizer knows nothing; so relaxed operations count
# as ordered here, and code that needs an order which a relaxed operation does not give is not found.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
  openmp) programs=(test_races test_random) ;;
  threads) programs=(test_random) ;;
  -h | --help) sed -n '5,14s/^# \{0,1\}//p' "$0" && exit 0 ;;
  *) echo "scripts/races.sh: name openmp or threads (see --help)" >&2 && exit 2 ;;
esac
preset=$1-tsan cases=${2:-300}
scripts/dependencies.sh "$preset"
scripts/build.sh "$preset" "${programs[@]}"
export OMP_NUM_THREADS=4 KOKKOS_NUM_THREADS=4 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
# libomp is not compiled with ThreadSanitizer: what it does inside is left alone.
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppressions=$PWD/unit_tests/races/thread_sanitizer.supp exitcode=66"
failed=0
for program in "${programs[@]}"; do
  log=build/$preset/$program.log rc=0
  arguments=()
  [ "$program" = test_races ] || arguments=("random cases agree*" --cases "$cases")
  "build/$preset/$program" "${arguments[@]}" > "$log" 2>&1 || rc=$?
  echo "$preset $program: $(grep -c 'WARNING: ThreadSanitizer' "$log" || true) reports, exit code $rc; $(grep -E '^(All tests passed|test cases:)' "$log")"
  grep 'SUMMARY: ThreadSanitizer' "$log" | sort | uniq -c || true
  [ $rc -eq 0 ] || failed=1
done
exit $failed
