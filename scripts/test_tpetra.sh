#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests of heddle::tpetra on 1, 2 and 4 ranks, in a Debian root of its own: Debian 12 has no Tpetra with Kokkos 5, and
# experimental has Trilinos 17.0 with Kokkos 5.0.2, and its solvers. The first run makes the root (root rights, a Debian mirror, 2 GB,
# some minutes); --make stops after that. The folder is HEDDLE_TPETRA_ROOT or build/tpetra-root. Arguments go to ctest.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=${HEDDLE_TPETRA_ROOT:-$PWD/build/tpetra-root}
mirror=${HEDDLE_DEBIAN_MIRROR:-} # debootstrap's own where empty
jobs=${HEDDLE_JOBS:-$(nproc)}

fail()
{
  echo "scripts/test_tpetra.sh: $*" >&2
  exit 1
}

inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

# Package versions that fit together: Trilinos and its Kokkos of experimental, MPI as they were built with it.
# MueLu's CMake package names those of all that its library is linked with.
packages=(libtrilinos-{tpetra-17.0,tpetra-dev,teuchos-dev,kokkos-dev,kokkos-kernels-dev}/experimental
          libtrilinos-{muelu,belos,ifpack2,galeri,xpetra,amesos2,zoltan,zoltan2,thyra,rtop,stratimikos,teko}-dev/experimental
          libtrilinos-{anasazi,intrepid2,pamgen,sacado,shards,shylu,trilinosss}-dev/experimental
          trilinos-dev/experimental libopenmpi-dev=6.0.0~rc2-2 openmpi-bin=6.0.0~rc2-2
          g++ cmake make ninja-build libblas-dev liblapack-dev libptscotch-dev zlib1g-dev catch2)

make_root()
{
  [ "$(id -u)" -eq 0 ] || fail "making $root needs root rights"
  if ! command -v debootstrap > /dev/null; then
    apt-get update > /dev/null && apt-get install -y --no-install-recommends debootstrap > /dev/null ||
      fail "apt-get could not install debootstrap"
  fi
  local log=$root.log wanted=$root
  [ ! -e "$wanted" ] || fail "$wanted is there and no root that this script made: remove it or name another"
  mkdir -p "$(dirname "$wanted")"
  echo "making $wanted (log: $log)"
  root=$wanted.part # under its own name only when it is whole
  if [ -e "$root" ]; then
    # An interrupted debootstrap leaves /proc of the machine mounted in it.
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    rm -rf --one-file-system "$root"
  fi
  {
    debootstrap --variant=minbase sid "$root" ${mirror:+"$mirror"} &&
      sed 's/ sid / experimental /' "$root/etc/apt/sources.list" > "$root/etc/apt/sources.list.d/experimental.list" &&
      inside apt-get -o Acquire::Check-Valid-Until=false update &&
      inside apt-get install -y --no-install-recommends "${packages[@]}"
  } > "$log" 2>&1 || fail "making $wanted failed: see $log"
  echo "${packages[*]}" > "$root/.complete"
  mv "$root" "$wanted"
  root=$wanted
}

# A root of an older script lacks packages.
complete_root()
{
  [ "$(cat "$root/.complete")" != "${packages[*]}" ] || return 0
  { inside apt-get -o Acquire::Check-Valid-Until=false update && inside apt-get install -y --no-install-recommends "${packages[@]}"; } \
    >> "$root.log" 2>&1 || fail "installing packages in $root failed: see $root.log"
  echo "${packages[*]}" > "$root/.complete"
}

# What git knows of this checkout, with its times, so that a second run compiles only what is new.
copy_sources()
{
  rm -rf "$root/heddle/source"
  mkdir -p "$root/heddle/source"
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
  done | tar -c --null -T - | tar -x -C "$root/heddle/source"
}

# Ranks are root's here, and talk through memory: the root has no network devices to look at.
in_build()
{
  inside OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,sm "$@"
}

[ -e "$root/.complete" ] || make_root
complete_root
[ "${1:-}" != --make ] || exit 0
copy_sources
in_build cmake -G Ninja -S /heddle/source -B /heddle/build -DCMAKE_BUILD_TYPE=Release -DHEDDLE_ENABLE_TPETRA=ON \
  -DHEDDLE_ENABLE_PERF_TESTS=OFF -DHEDDLE_TEST_FEW_TYPES=ON -DMPIEXEC_PREFLAGS=--oversubscribe > "$root/configure.log" 2>&1 ||
  fail "configuring failed: see $root/configure.log"
libraries=(heddle_{topology,matrix_market,gallery,reorder,data_movement,partition,instances})
in_build ninja -C /heddle/build -j "$jobs" test_tpetra heddle_headers_tpetra "${libraries[@]}" > "$root/build.log" 2>&1 ||
  { grep -E -A 12 'error|FAILED' "$root/build.log" | head -n 40 >&2; fail "building failed: see $root/build.log"; }
in_build ctest --test-dir /heddle/build -L tpetra --output-on-failure "$@"

# The examples see nothing but the installed package.
{
  in_build rm -rf /heddle/installed &&
    in_build cmake --install /heddle/build --prefix /heddle/installed &&
    in_build cmake -G Ninja -S /heddle/source/examples/tpetra -B /heddle/example -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH=/heddle/installed -DMPIEXEC_PREFLAGS=--oversubscribe &&
    in_build ninja -C /heddle/example
} > "$root/example.log" 2>&1 || fail "building the examples failed: see $root/example.log"
in_build ctest --test-dir /heddle/example --output-on-failure
