#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/test_package.sh PRESET: installs build/PRESET into build/installed-PRESET and builds against nothing but that: an
# application of three files in a fresh folder, whose CMakeLists.txt is the one in docs/install.md, unit_tests/install and the
# examples; the application also against the build folder; and unit_tests/install/subproject, which has heddle in its build,
# with an installed Kokkos and with one that is in its build too. All is run, and so is a command of the installed heddle-perf that
# is a Python package.
#
# openmp-release has been built before, with everything. Of cuda-release a package is built first, without the library of
# instances and the programs, which take an hour; then nvcc compiles the application and unit_tests/install. What needs a GPU
# runs where there is one.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?scripts/test_package.sh: name a preset}
prefix=$PWD/build/installed-$preset
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# outside PROJECT FOLDER OPTION...: configures, builds and tests a project of its own.
outside()
{
  cmake -G Ninja -S "$1" -B "$2" "${@:3}"
  cmake --build "$2" -j "${HEDDLE_JOBS:-$(nproc)}"
  ctest --test-dir "$2" --output-on-failure "${tests[@]}"
}

# application NAME OPTION...: the three files, against one package of heddle.
application()
{
  cmake -G Ninja -S "$folder" -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release -DKokkos_DIR="$kokkos" "${@:2}"
  cmake --build "$folder/$1"
  [ ${#tests[@]} -gt 0 ] || "$folder/$1/app" "$folder/small.mtx"
}

tests=()
build=build/$preset
if [[ $preset == cuda-* ]]; then
  build=build/package-$preset
  cmake --preset "$preset" -B "$build" -DHEDDLE_ENABLE_INSTANCES=OFF -DHEDDLE_ENABLE_TESTS=OFF \
    -DHEDDLE_ENABLE_PERF_TESTS=OFF -DHEDDLE_ENABLE_EXAMPLES=OFF > /dev/null
  cmake --build "$build" -j "${HEDDLE_JOBS:-$(nproc)}"
  nvidia-smi > /dev/null 2>&1 || tests=(-E '^application$') # linked, but without a driver it does not start
fi
rm -rf "$prefix" build/outside-"$preset"-*
cmake --install "$build" --prefix "$prefix" > "$build/install.log"
kokkos=$(sed -n 's/^Kokkos_DIR:PATH=//p' "$build/CMakeCache.txt")
options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DKokkos_DIR="$kokkos")

awk '/^<!-- the whole CMakeLists.txt/ { wanted = 1; next } wanted && /^```/ { if (inside) exit; inside = 1; next } inside' \
  docs/install.md > "$folder/CMakeLists.txt"
cp examples/spmm_from_file.cpp "$folder/main.cpp"
cp examples/small.mtx "$folder"
application installed -DCMAKE_PREFIX_PATH="$prefix"

outside unit_tests/install "build/outside-$preset-install" "${options[@]}"
if [[ $preset != cuda-* ]]; then
  # The program finds its Python package wherever both are moved.
  cp -r "$prefix" "$folder/moved"
  (cd / && "$folder/moved/bin/heddle-perf" compare --help > /dev/null)
  application from_build -Dheddle_DIR="$PWD/$build"
  outside examples "build/outside-$preset-examples" "${options[@]}"
  # Not optimised, since it is about CMake.
  outside unit_tests/install/subproject "build/outside-$preset-subproject" -DCMAKE_BUILD_TYPE=Debug -DKokkos_DIR="$kokkos"
  # Kokkos in the same build: from the archive that scripts/dependencies.sh has made this build's from, if it has.
  if archive=$(ls "${HEDDLE_DEPS_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/heddle}"/archives/kokkos_*.orig.tar.gz 2> /dev/null | tail -n 1); then
    mkdir "$folder/kokkos"
    tar -xzf "$archive" -C "$folder/kokkos" --strip-components=1
    outside unit_tests/install/subproject "build/outside-$preset-subproject-with-kokkos" -DCMAKE_BUILD_TYPE=Debug \
      -DKOKKOS_SOURCE="$folder/kokkos"
  else
    echo "scripts/test_package.sh: no archive of Kokkos, so heddle and Kokkos in one build are not tested"
  fi
fi
