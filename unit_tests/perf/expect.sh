# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the tests of heddle-perf as a program share: the program in $perf, a scratch folder in $dir, the number of $failures.

set -u
perf=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/in_this_build.sh"

# complain TEXT: a failure.
complain()
{
  echo "$1"
  failures=$((failures + 1))
}

# expect CODE TEXT ARGUMENT...: exit code, and a pattern in what it prints. An error is one line on standard error.
expect()
{
  local code=$1 text=$2 rc=0
  shift 2
  timeout 300 "$perf" "$@" > "$dir/out" 2> "$dir/err" || rc=$?
  if [ $rc -ne "$code" ] || ! grep -qE -- "$text" "$dir/out" "$dir/err"; then
    complain "heddle-perf $*: exit code $rc, expected $code and '$text'; it printed:"
    cat "$dir/out" "$dir/err"
  elif [ $rc -ge 2 ] && [ "$(wc -l < "$dir/err")" -ne 1 ]; then
    complain "heddle-perf $*: an error should be one line:"
    cat "$dir/err"
  fi
}
