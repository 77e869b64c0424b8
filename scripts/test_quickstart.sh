#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/test_quickstart.sh: runs scripts/quickstart.sh as a new user does and looks at what it leaves: the sentence, the
# report page, the tables, an installation. Prints the time of each stage. HEDDLE_QUICKSTART_BUILD names a build of everything that is
# there: it saves ten minutes of a core, and what a build for double alone refuses is not looked at.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail()
{
  echo "scripts/test_quickstart.sh: $*" >&2
  exit 1
}

rm -rf build/quickstart
mkdir -p build
log=build/test_quickstart.log
scripts/quickstart.sh > "$log" 2>&1 || { tail -n 30 "$log" >&2 && fail "quickstart.sh failed, see $log"; }
grep -E '^\[[123]/3\] .*: [0-9]+ s$' "$log"
for stage in 1 2 3; do
  grep -qE "^\[$stage/3\] .*: [0-9]+ s\$" "$log" || fail "$log does not say how long stage $stage took"
done
sentence=$(tail -n 2 "$log" | head -n 1)
[[ $sentence =~ ^(Speed of heddle over that of Kokkos Kernels|No case has times) ]] || fail "the last but one line is '$sentence'"
echo "$sentence"
page=build/quickstart/report.html
[ "$(grep -c '<svg' "$page")" -gt 0 ] || fail "$page has no chart"
grep -q '</html>' "$page" || fail "$page is not whole"
for operation in spmv spmm spgemm; do
  grep -q "\"operation\":\"$operation\".*\"heddle::auto\".*\"median_ms\"" "build/quickstart/$operation.jsonl" ||
    fail "build/quickstart/$operation.jsonl has no time of heddle::auto"
done

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "${HEDDLE_QUICKSTART_BUILD:-build/quickstart-build}" --prefix "$prefix" > build/test_quickstart-install.log
perf=$prefix/bin/heddle-perf
"$perf" report build/quickstart -o "$prefix/page.html" > /dev/null || fail "the installed heddle-perf makes no report"
# What this build leaves out is refused with its name.
if [ -z "${HEDDLE_QUICKSTART_BUILD:-}" ]; then
  rc=0
  said=$("$perf" spmv --gallery stencil5_8 --type f32 2>&1) || rc=$?
  [ $rc -eq 2 ] && [[ $said == *"this build has f64 alone"* ]] || fail "--type f32 ended with $rc and said: $said"
  printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 2\n' > "$prefix/complex.mtx"
  rc=0
  said=$("$perf" spmv "$prefix/complex.mtx" 2>&1) || rc=$?
  [ $rc -eq 2 ] && [[ $said == *"complex is complex: this build has f64 alone"* ]] || fail "a complex matrix ended with $rc and said: $said"
fi
echo "quickstart: ok"
