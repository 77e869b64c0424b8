#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# heddle::tpetra on CUDA, from Debian's packages: Tpetra for CUDA (double, int, long long), heddle, its tests and its example, and a
# folder of these with all that they need but the driver, which runs on another machine.
#
#   scripts/tpetra_cuda.sh [STEP...]      root dependencies tpetra heddle folder; all of them without an argument
#
# Debian has no Tpetra with CUDA. Its package has all that is needed to make one: Teuchos, MPI and the part of Tpetra that is no
# template and calls no kernel are used as they are; the class templates are instantiated for CUDA from its headers
# (scripts/tpetra_cuda/). Kokkos is heddle's own, built as shared libraries that take the place of the package's Kokkos of the same
# version; Kokkos Kernels are headers. So twelve files are compiled, not the hundreds of Trilinos.
#
#   root            scripts/test_tpetra.sh --make: a Debian root of sid and experimental (root rights)
#   dependencies    scripts/dependencies.sh tpetra-cuda: Kokkos with CUDA, Catch2, headers of Kokkos Kernels
#   tpetra          the library of instantiations
#   heddle          the library of heddle's kernels for double, the tests and the example
#   folder          binaries and shared libraries side by side, with run.sh
#
# Needs nvcc and its host compiler on the PATH. A step that is interrupted goes on where it was. The time of each is printed and
# kept in times.txt. Everything lies in HEDDLE_TPETRA_CUDA or build/tpetra-cuda; HEDDLE_JOBS compilers run at once, up to 2 GB each.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=${HEDDLE_TPETRA_CUDA:-$PWD/build/tpetra-cuda}
root=${HEDDLE_TPETRA_ROOT:-$PWD/build/tpetra-root}
jobs=${HEDDLE_JOBS:-$(nproc)}
deps=$PWD/build/deps/tpetra-cuda
libraries=$root/usr/lib/x86_64-linux-gnu

fail()
{
  echo "scripts/tpetra_cuda.sh: $*" >&2
  exit 1
}

# built LOG COMMAND...: prints what went wrong, not the whole log
built()
{
  local log=$1
  shift
  "$@" >> "$log" 2>&1 || { grep -E -A 8 'error|FAILED|undefined reference' "$log" | tail -n 60 >&2; fail "see $log"; }
}

do_root() { HEDDLE_TPETRA_ROOT=$root scripts/test_tpetra.sh --make; }

do_dependencies() { scripts/dependencies.sh tpetra-cuda; }

# What all three projects are configured with. nvcc_wrapper is the compiler, as everywhere that heddle has CUDA of its own Kokkos.
common=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$deps/kokkos/bin/nvcc_wrapper")

do_tpetra()
{
  : > "$work/tpetra.log"
  built "$work/tpetra.log" cmake "${common[@]}" -S scripts/tpetra_cuda -B "$work/tpetra-build" -DCMAKE_INSTALL_PREFIX="$work/tpetra" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$deps/kokkos" -DHEDDLE_TPETRA_ROOT="$root" \
    -DHEDDLE_KOKKOSKERNELS="$(realpath "$deps/kokkoskernels")"
  built "$work/tpetra.log" ninja -C "$work/tpetra-build" -j "$jobs" install
}

do_heddle()
{
  # The root's MPI is a package of $work/tpetra, in front of CMake's own FindMPI.
  local paths=("-DCMAKE_PREFIX_PATH=$work/tpetra;$deps/kokkos;$deps/catch2;$deps/kokkoskernels"
               -DCMAKE_FIND_PACKAGE_PREFER_CONFIG=ON -DCMAKE_DISABLE_FIND_PACKAGE_Zoltan=ON)
  : > "$work/heddle.log"
  built "$work/heddle.log" cmake "${common[@]}" -S . -B "$work/heddle" "${paths[@]}" -DHEDDLE_ENABLE_TPETRA=ON \
    -DHEDDLE_ENABLE_PERF_TESTS=OFF -DHEDDLE_ENABLE_EXAMPLES=OFF -DHEDDLE_DOUBLE_ONLY=ON -DHEDDLE_TEST_FEW_TYPES=ON
  built "$work/heddle.log" ninja -C "$work/heddle" -j "$jobs" test_tpetra heddle_gallery
  built "$work/heddle.log" cmake "${common[@]}" -S examples/tpetra -B "$work/example" "${paths[@]}" -Dheddle_DIR="$work/heddle"
  built "$work/heddle.log" ninja -C "$work/example" -j "$jobs"
}

# libraries_of PROGRAM: what it is loaded with, from the root, with Kokkos and Tpetra for CUDA in front of its own
libraries_of()
{
  local cuda
  cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")/lib64
  LD_TRACE_LOADED_OBJECTS=1 "$root/lib64/ld-linux-x86-64.so.2" --library-path "$work/tpetra/lib:$deps/kokkos/lib:$libraries:$cuda" \
    "$1" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'
}

do_folder()
{
  local folder=$work/folder program
  rm -rf "$folder"
  mkdir -p "$folder/bin" "$folder/lib"
  cp "$work/heddle/test_tpetra" "$work"/example/example_{distributed_cg,operator_times} "$root/usr/bin/prterun" "$folder/bin/"
  cp scripts/tpetra_cuda/run.sh "$folder/"
  cp "$root/lib64/ld-linux-x86-64.so.2" "$folder/lib/"
  # All but the driver, which is the other machine's.
  for program in "$folder"/bin/*; do
    libraries_of "$program"
  done | grep -v '/libcuda\.so' | sort -u | xargs -r cp -L -t "$folder/lib"
  strip --strip-unneeded "$folder"/bin/* "$folder"/lib/*.so* 2> /dev/null || true
  tar -C "$work" -cJf "$work/folder.tar.xz" folder
  echo "$(du -sh "$folder" | cut -f 1) in $folder, $(du -h "$work/folder.tar.xz" | cut -f 1) as folder.tar.xz: sh run.sh RANKS test_tpetra"
}

[ $# -gt 0 ] || set -- root dependencies tpetra heddle folder
mkdir -p "$work"
for step in "$@"; do
  case $step in
    root | dependencies | tpetra | heddle | folder) ;;
    *) fail "unknown step '$step': root, dependencies, tpetra, heddle or folder" ;;
  esac
  begin=$SECONDS
  "do_$step"
  echo "$step: $((SECONDS - begin)) s" | tee -a "$work/times.txt"
done
