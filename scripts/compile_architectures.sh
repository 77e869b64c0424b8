#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles the native kernels to machine code of several GPU architectures, whatever GPU the build is for, and says for
# each file whether it compiled and in how many seconds. Nothing is linked or run.
#
#   scripts/compile_architectures.sh [ARCHITECTURE...]     compute capabilities without the dot; 75 80 90 100 120
#
# One file includes every native header; unit_tests/architectures has one file per operation, which compiles its kernels.
# 75 (Turing) is the oldest architecture that heddle supports, as it is the oldest that nvcc 13 knows. Needs nvcc and
# scripts/dependencies.sh cuda-release.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
  -h | --help) sed -n '5,12s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac
[ $# -gt 0 ] || set -- 75 80 90 100 120

kokkos_name()
{
  case $1 in
    75) echo TURING75 ;;
    80) echo AMPERE80 ;;
    86) echo AMPERE86 ;;
    89) echo ADA89 ;;
    90) echo HOPPER90 ;;
    100) echo BLACKWELL100 ;;
    120) echo BLACKWELL120 ;;
    *) echo "scripts/compile_architectures.sh: unknown architecture '$1'" >&2 && return 1 ;;
  esac
}

work=build/architectures
mkdir -p "$work"
cmake --preset cuda-release > "$work/configure.log" 2>&1 || { tail -n 20 "$work/configure.log" >&2; exit 1; }
kokkos=$(sed -n 's|^Kokkos_DIR:PATH=\(.*\)/lib[^/]*/cmake/Kokkos$|\1|p' build/cuda-release/CMakeCache.txt)
[ -f "$kokkos/include/KokkosCore_config.h" ] || { echo "scripts/compile_architectures.sh: no Kokkos in '$kokkos'" >&2; exit 1; }

(cd backends/cuda_native && find heddle -name '*.cuh' | sort | sed 's/.*/#include <&>/') > "$work/headers.cpp"

# The headers that say what a build is for, as a build for the architecture would have them.
configure()
{
  local folder=$work/sm_$1 name
  name=$(kokkos_name "$1")
  mkdir -p "$folder/heddle"
  sed "s/^#define HEDDLE_CUDA_ARCH .*/#define HEDDLE_CUDA_ARCH $1/" build/cuda-release/include/heddle/config.hpp \
    > "$folder/heddle/config.hpp"
  sed -E -e '/^#define KOKKOS_ARCH_(VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)$/d' \
    -e "s/^#define KOKKOS_ARCH_(VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)[0-9]+$/#define KOKKOS_ARCH_$name/" \
    "$kokkos/include/KokkosCore_config.h" > "$folder/KokkosCore_config.h"
  grep -q "^#define KOKKOS_ARCH_$name$" "$folder/KokkosCore_config.h"
}

# compile ARCHITECTURE FILE: one line of the result
compile()
{
  local folder=$work/sm_$1 start=$SECONDS state=ok name
  name=$(basename "$2" .cpp)
  nvcc -x cu -std=c++20 -O3 -DNDEBUG -arch="sm_$1" -cubin -extended-lambda -Xcompiler -fopenmp \
    -I"$folder" -Ibuild/cuda-release/include -Icore -Iformats -Ibackends/cuda_native -Ialgorithms \
    -isystem "$kokkos/include" "$2" -o "$folder/$name.cubin" > "$folder/$name.log" 2>&1 || state=FAILED
  printf 'sm_%-4s %-12s %-7s %4d s\n' "$1" "$name" "$state" $((SECONDS - start))
  [ $state = ok ]
}
export -f compile
export work kokkos

for architecture; do
  configure "$architecture"
done
rc=0
for architecture; do
  for file in unit_tests/architectures/*.cpp "$work/headers.cpp"; do
    printf '%s\n%s\n' "$architecture" "$file"
  done
done | xargs -P "${HEDDLE_JOBS:-$(nproc)}" -n 2 bash -c 'compile "$@"' _ || rc=$?
if [ $rc -ne 0 ]; then
  grep -h -m 3 -E 'error|fatal' "$work"/sm_*/*.log >&2 || true
  echo "scripts/compile_architectures.sh: see $work/sm_*/*.log" >&2
  exit 1
fi
