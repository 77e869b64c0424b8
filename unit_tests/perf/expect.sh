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

# expect_line FILE TEXT: a line of the file has the text.
expect_line()
{
  grep -qF -- "$2" "$1" || complain "no line with $2 in ${1##*/}"
}

# write_matrices: pattern, integer, array and complex.mtx, and integer packed as zipped.mtx.gz.
write_matrices()
{
  printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/pattern.mtx"
  printf '%%%%MatrixMarket matrix coordinate integer general\n2 4 3\n1 1 5\n2 4 -7\n1 3 2\n' > "$dir/integer.mtx"
  printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n2.5\n3\n' > "$dir/array.mtx"
  printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 1 2\n2 1 0 -1\n' > "$dir/complex.mtx"
  gzip -kc "$dir/integer.mtx" > "$dir/zipped.mtx.gz"
}

# measure_machine_once: into $dir/machine.json, which the runs after it take (HEDDLE_PERF_MACHINE), each of which would measure for seconds.
measure_machine_once()
{
  expect 0 'GB/s, .* GFLOPS in f32' machine --out "$dir/machine.json"
  export HEDDLE_PERF_MACHINE=$dir/machine.json
}
