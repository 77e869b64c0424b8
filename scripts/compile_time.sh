#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What one translation unit of an application costs to compile that calls spmv for one type, with heddle::instances and
# without, and one that only includes Kokkos: seconds of the compiler's own time (other work on the machine adds little),
# the least of three. Prints CSV; perf_tests/results/compile_time.csv is what it said last.
#
#   scripts/compile_time.sh HEDDLE_INCLUDE_FOLDER KOKKOS_INCLUDE_FOLDER     such as PREFIX/include of both installs

set -euo pipefail

if [ $# -ne 2 ] || [ ! -f "$1/heddle/spmv.hpp" ] || [ ! -f "$2/Kokkos_Core.hpp" ]; then
  sed -n '5,9s/^# \{0,1\}//p' "$0" >&2
  exit 1
fi
heddle=$1
kokkos=$2
compiler=${CXX:-g++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo '#include <Kokkos_Core.hpp>' > "$work/kokkos.cpp"
for operation in spmv spmm spgemm; do
  echo "#include <heddle/$operation.hpp>
using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = heddle::CsrMatrix<double, int, std::size_t>;" > "$work/$operation.cpp"
done
cat >> "$work/spmv.cpp" << 'SOURCE'
using Vector = Kokkos::View<double*>;
void multiply(Exec const& exec, Matrix const& a, Vector const& x, Vector const& y)
{
  heddle::SpmvPlan const plan(exec, a);
  heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
}
SOURCE
cat >> "$work/spmm.cpp" << 'SOURCE'
using Dense = Kokkos::View<double**, Kokkos::LayoutRight>;
void multiply(Exec const& exec, Matrix const& a, Dense const& b, Dense const& c)
{
  heddle::SpmmPlan const plan(exec, a);
  heddle::spmm(exec, plan, 1.0, a, b, 0.0, c);
}
SOURCE
cat >> "$work/spgemm.cpp" << 'SOURCE'
Matrix multiply(Exec const& exec, Matrix const& a, Matrix const& b) { return heddle::spgemm(exec, a, b); }
SOURCE

# seconds FILE OPTION...: processor time of the fastest of three compilations
seconds()
{
  local file=$1 best='' used _
  shift
  for _ in 1 2 3; do
    TIMEFORMAT='%U %S'
    used=$({ time "$compiler" -std=c++20 -O3 -DNDEBUG -fopenmp -I"$heddle" -isystem "$kokkos" "$@" -c "$work/$file.cpp" \
      -o "$work/object.o"; } 2>&1 | awk '{print $1 + $2}')
    best=$(printf '%s\n' $best "$used" | sort -g | head -n 1)
  done
  printf '%.1f' "$best"
}

echo "compiler,includes,instances,seconds"
version="$(basename "$compiler") $("$compiler" -dumpfullversion)"
echo "$version,Kokkos alone,no,$(seconds kokkos)"
for operation in spmv spmm spgemm; do
  echo "$version,heddle/$operation.hpp,no,$(seconds $operation)"
  echo "$version,heddle/$operation.hpp,yes,$(seconds $operation -DHEDDLE_USE_INSTANCES)"
done
