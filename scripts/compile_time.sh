#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What one translation unit of an application costs to compile that calls an operation for one type, with
# heddle::instances and without, and one that only includes Kokkos: seconds of the compiler's own time (other work on the
# machine adds little), the least of so many runs (3), and the size of the object file. Prints CSV;
# perf_tests/results/compile_time.csv is what it said last. For CUDA: CXX=nvcc_wrapper and its flags in CXXFLAGS.
#
#   scripts/compile_time.sh HEDDLE_INCLUDE_FOLDER KOKKOS_INCLUDE_FOLDER [RUNS]   such as PREFIX/include of both installs

set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -f "$1/heddle/spmv.hpp" ] || [ ! -f "$2/Kokkos_Core.hpp" ]; then
  sed -n '5,10s/^# \{0,1\}//p' "$0" >&2
  exit 1
fi
heddle=$1
kokkos=$2
runs=${3:-3}
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

# cost FILE OPTION...: processor time of the fastest compilation, and bytes of its object file
cost()
{
  local file=$1 best='' used _
  shift
  for _ in $(seq "$runs"); do
    TIMEFORMAT='%U %S'
    # shellcheck disable=SC2086 # flags are words
    used=$({ time "$compiler" -std=c++20 -O3 -DNDEBUG -fopenmp ${CXXFLAGS:-} -I"$heddle" -isystem "$kokkos" "$@" \
      -c "$work/$file.cpp" -o "$work/object.o"; } 2>&1 | awk 'END {print $1 + $2}')
    best=$(printf '%s\n' $best "$used" | sort -g | head -n 1)
  done
  printf '%.1f,%s' "$best" "$(stat -c %s "$work/object.o")"
}

echo "compiler,includes,instances,seconds,object_bytes"
version="$(basename "$compiler") $("$compiler" -dumpfullversion)"
echo "$version,Kokkos alone,no,$(cost kokkos)"
for operation in spmv spmm spgemm; do
  echo "$version,heddle/$operation.hpp,no,$(cost $operation)"
  echo "$version,heddle/$operation.hpp,yes,$(cost $operation -DHEDDLE_USE_INSTANCES)"
done
