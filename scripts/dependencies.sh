#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what heddle needs and this machine lacks, then links it where the presets look.
#
#   scripts/dependencies.sh [--checks] PRESET...     openmp-release serial-debug threads-tsan openmp-tsan cuda-release cuda-debug tpetra-cuda tidy; or site
#
# Debian packages come from apt (as root or through sudo). Kokkos, Kokkos Kernels (headers) and Catch2 are newer
# than Debian 12's: what find_package cannot find is made from an archive pinned by SHA-256, taken from the first
# of: the folder HEDDLE_DEPS_CACHE, the pool of a Debian mirror of this machine's apt, the project's own release.
# Builds live in HEDDLE_DEPS_PREFIX (default ~/.cache/heddle), one folder per version, options and compiler (CXX, or
# CMake's default), and are made once. What is there is used only where this user owns it and no other can write it.
# The preset tidy is read by a clang-tidy from PyPI, pinned in the same way (scripts/clang_tidy/requirements.txt); site is no preset
# but what scripts/site.sh makes the web site with (mkdocs, scripts/site/requirements.txt).
#   --checks   also what .ci/run needs: to check the sources (clang-format, cmake-format, codespell, doxygen), the
#              libraries that heddle-perf compares with on hosts (Eigen, SuiteSparse:GraphBLAS, hypre), and the hypergraph
#              partitioner (Zoltan with MPI: 12 MB to fetch, 54 MB installed)

set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022

fail()
{
  echo "scripts/dependencies.sh: $*" >&2
  exit 1
}

say() { echo "dependencies: $*"; }

# ---- versions and pins -----------------------------------------------------------------------------------------

kokkos_version=5.0.2
kokkos_archive=kokkos_5.0.2.orig.tar.gz
kokkos_sha256=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
kokkos_pool=pool/main/k/kokkos
# The release file has the same bytes as Debian's archive, hence the same sum.
kokkos_upstream=https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
kokkos_upstream_sha256=$kokkos_sha256

catch2_version=3.7.1
catch2_archive=catch2_3.7.1.orig.tar.gz
catch2_sha256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
catch2_pool=pool/main/c/catch2
catch2_upstream=https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
catch2_upstream_sha256=$catch2_sha256

# Upstream's release of Kokkos Kernels is laid out differently and has no sum here: it is not used.
kokkoskernels_version=5.0.2
kokkoskernels_archive='libtrilinos-kokkos-kernels-dev_17.0.0+dfsg-5_amd64.deb'
kokkoskernels_sha256=11a645e2b3468aafc62e021dd5e06559841f2a6ef6725265dbfa6bb1fd7fbb9b
kokkoskernels_pool=pool/main/t/trilinos
kokkoskernels_upstream=
kokkoskernels_upstream_sha256=

# ---- arguments -------------------------------------------------------------------------------------------------

with_checks=false
with_site=false
presets=()
for argument in "$@"; do
  case $argument in
    --checks) with_checks=true ;;
    -h | --help) sed -n '5,18s/^# \{0,1\}//p' scripts/dependencies.sh && exit 0 ;;
    site) with_site=true ;;
    openmp-release | serial-debug | threads-tsan | openmp-tsan | cuda-release | cuda-debug | tpetra-cuda | tidy) presets+=("$argument") ;;
    *) fail "unknown argument '$argument' (see --help)" ;;
  esac
done
[ ${#presets[@]} -gt 0 ] || $with_site || fail "name at least one preset (see --help)"

# absolute PATH: as seen from where the script was called
absolute()
{
  case $1 in
    /*) echo "$1" ;;
    *) echo "$caller/$1" ;;
  esac
}

# is_ours PATH: this user alone can have written the file, or the folder and all that is in it
is_ours()
{
  [ -e "$1" ] && [ ! -L "$1" ] && [ -z "$(find "$1" \( ! -uid "$EUID" -o ! -type l -perm /022 \) -print -quit)" ]
}

prefix=$(absolute "${HEDDLE_DEPS_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/heddle}")
mkdir -p "$prefix" || fail "cannot make the folder $prefix: set HEDDLE_DEPS_PREFIX to one that can be written"
prefix=$(realpath "$prefix")
if [ ! -O "$prefix" ] || [ -n "$(find "$prefix" -maxdepth 0 -perm /022)" ]; then
  fail "another user owns $prefix or can write it: set HEDDLE_DEPS_PREFIX to a folder of your own that only you can write"
fi
jobs=${HEDDLE_JOBS:-$(nproc)}

# ---- Debian packages -------------------------------------------------------------------------------------------

# package=command that shows it is there; without a command dpkg is asked
packages=(python3=python3)
if [ ${#presets[@]} -gt 0 ]; then
  packages+=(g++=g++ cmake=cmake ninja-build=ninja curl=curl ca-certificates zlib1g-dev libhwloc-dev libcli11-dev
             nlohmann-json3-dev python3-matplotlib python3-jinja2)
fi
if $with_site; then
  packages+=(python3-pip)
fi
case " ${presets[*]} " in
  *' serial-debug '* | *-tsan\ *) packages+=(clang-14=clang++-14 libclang-rt-14-dev) ;; # their compiler, and that of fuzzers
esac
case " ${presets[*]} " in
  *' openmp-tsan '*) packages+=(libomp-14-dev) ;; # has Archer, which tells ThreadSanitizer what OpenMP's runtime orders
esac
case " ${presets[*]} " in
  *' tidy '*) packages+=(python3-pip) ;; # brings clang-tidy
esac
if $with_checks; then
  packages+=(clang-format-14=clang-format-14 doxygen=doxygen cmake-format=cmake-format python3-yaml codespell=codespell
             libeigen3-dev libgraphblas-dev libhypre-dev libtrilinos-zoltan-dev libopenmpi-dev)
fi

is_installed()
{
  local package=${1%%=*} tool=${1#*=}
  if [ "$tool" != "$1" ]; then
    command -v "$tool" > /dev/null
  else
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null)" = installed ]
  fi
}

install_packages()
{
  local missing=() item
  for item in "${packages[@]}"; do
    is_installed "$item" || missing+=("${item%%=*}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get > /dev/null ||
    fail "missing: ${missing[*]} (Debian's names), and this machine has no apt to install them with"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null ||
      fail "missing Debian packages: ${missing[*]}; run as root, or install sudo"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  local log=$prefix/apt.log
  "${sudo[@]}" apt-get update > "$log" 2>&1 || fail "apt-get update failed: see $log"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" \
    >> "$log" 2>&1 || fail "apt-get could not install ${missing[*]}: see $log"
}

check_tools()
{
  local have
  have=$(cmake --version | sed -n '1s/[^0-9]*//p')
  [ "$(printf '%s\n' 3.23 "$have" | sort -V | head -n 1)" = 3.23 ] || fail "CMake 3.23 or newer is needed, found $have"
}

# ---- archives --------------------------------------------------------------------------------------------------

has_sum() { [ -f "$1" ] && [ "$(sha256sum < "$1" | cut -d ' ' -f 1)" = "$2" ]; }

debian_mirrors()
{
  command -v apt-get > /dev/null || return 0
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2> /dev/null | sort -u
}

# pin NAME FIELD: what is pinned above
pin()
{
  local variable=$1_$2
  echo "${!variable}"
}

# fetch NAME: leaves the checked archive of NAME in the prefix and its path in $archive.
fetch()
{
  local file sum upstream base
  file=$(pin "$1" archive) sum=$(pin "$1" sha256) upstream=$(pin "$1" upstream)
  archive=$prefix/archives/$file
  is_ours "$prefix/archives" || rm -rf "$prefix/archives"
  mkdir -p "$prefix/archives"
  ! has_sum "$archive" "$sum" || return 0
  if [ -n "${HEDDLE_DEPS_CACHE:-}" ] && [ -f "$(absolute "$HEDDLE_DEPS_CACHE")/$file" ]; then
    cp --no-preserve=all "$(absolute "$HEDDLE_DEPS_CACHE")/$file" "$archive.part"
    accept "$sum" || fail "$HEDDLE_DEPS_CACHE/$file has not the SHA-256 sum $sum"
    return 0
  fi
  say "fetching $file" # once, however many mirrors are tried
  for base in $(debian_mirrors); do
    download "${base%/}/$(pin "$1" pool)/$file" "$sum" && return 0
  done
  if [ -n "$upstream" ]; then
    download "$upstream" "$(pin "$1" upstream_sha256)" && return 0
  fi
  fail "cannot get $file (sha256 $sum): put it into a folder and name that folder in HEDDLE_DEPS_CACHE"
}

# download URL SUM: into $archive, if what comes has the sum. No archive has more than 2 MB.
download()
{
  curl -fsSL --retry 2 --connect-timeout 20 --max-time 600 -o "$archive.part" "$1" 2> /dev/null && accept "$2"
}

# accept SUM: $archive.part becomes $archive if it has the sum. It is a copy that nobody else can write, so it stays what was
# summed.
accept()
{
  if ! has_sum "$archive.part" "$1"; then
    rm -f "$archive.part"
    return 1
  fi
  mv "$archive.part" "$archive"
}

# ---- builds ----------------------------------------------------------------------------------------------------

# found PACKAGE VERSION [DEVICE...]: does find_package find it by itself (with these Kokkos devices)?
found()
{
  local scratch rc=0
  scratch=$(mktemp -d)
  cat > "$scratch/CMakeLists.txt" << PROBE
cmake_minimum_required(VERSION 3.23)
project(probe LANGUAGES CXX)
find_package($1 $2 REQUIRED CONFIG)
foreach(device ${*:3})
  if(NOT device IN_LIST Kokkos_DEVICES)
    message(FATAL_ERROR "no \${device}")
  endif()
endforeach()
PROBE
  cmake -S "$scratch" -B "$scratch/build" > /dev/null 2>&1 || rc=1
  rm -rf "$scratch"
  return $rc
}

# What a build with these options depends on beside them: compilers, as CMake and nvcc_wrapper choose them, and flags.
environment_of()
{
  local cxx=${CXX:-}
  [ -n "$cxx" ] || cxx=$(command -v c++ || command -v g++) || fail "there is no C++ compiler: install g++, or set CXX"
  case "$*" in
    *nvcc_wrapper*)
      nvcc --version | tail -n 1
      cxx=${NVCC_WRAPPER_DEFAULT_COMPILER:-g++}
      ;;
  esac
  # CXX may hold options as well. The first word of the version is the name that the compiler was called by.
  local version
  version=$({ $cxx --version 2> /dev/null || true; } | sed -n '1s/^[^ ]* //p')
  [ -n "$version" ] || fail "the compiler '$cxx' does not run"
  echo "$version, $($cxx -dumpmachine), options '${cxx#"${cxx%% *}"}'"
  echo "CXXFLAGS '${CXXFLAGS:-}', LDFLAGS '${LDFLAGS:-}', toolchain '${CMAKE_TOOLCHAIN_FILE:-}'"
}

# is_complete: is $installed there, made by this user of what $recipe says?
is_complete() { is_ours "$installed" && [ -f "$installed/.complete" ] && [ "$(cat "$installed/.complete")" = "$recipe" ]; }

# build_with_cmake NAME VERSION LABEL OPTION...: installs once per version, options and environment; path in $installed
build_with_cmake()
{
  local name=$1 version=$2 label=$3 environment recipe
  shift 3
  environment=$(environment_of "$@")
  recipe=$(printf '%s\n' "$name $version" "$(pin "$name" sha256)" "$@" "$environment")
  installed=$prefix/$name-$version-$label-$(sha256sum <<< "$recipe" | cut -c 1-10)
  ! is_complete || return 0
  fetch "$name"
  say "building $name $version ($label)"
  local work=$prefix/work-${installed##*/} log=$prefix/$name-$version-$label.log
  rm -rf "$work" "$installed"
  mkdir -p "$work/source"
  tar -xzf "$archive" -C "$work/source" --strip-components=1
  local options=()
  local option
  for option in "$@"; do
    options+=("${option//@SOURCE@/$work/source}")
  done
  {
    cmake -G Ninja -S "$work/source" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$installed" "${options[@]}" &&
      cmake --build "$work/build" -j "$jobs" && cmake --install "$work/build"
  } > "$log" 2>&1 || fail "building $name failed: see $log"
  echo "$recipe" > "$installed/.complete"
  rm -rf "$work"
}

make_kokkos()
{
  local common=(-DCMAKE_CXX_STANDARD=20 -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_TESTS=OFF
                -DKokkos_ENABLE_EXAMPLES=OFF)
  case $1 in
    openmp) build_with_cmake kokkos $kokkos_version openmp "${common[@]}" -DCMAKE_BUILD_TYPE=Release \
      -DKokkos_ENABLE_OPENMP=ON ;;
    serial-debug) build_with_cmake kokkos $kokkos_version serial-debug "${common[@]}" -DCMAKE_BUILD_TYPE=Debug \
      -DKokkos_ENABLE_DEBUG=ON -DKokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON ;;
    # ThreadSanitizer must see what Kokkos' own library orders. By clang, as what is linked with it. Kokkos' barriers are relaxed
    # operations between fences, of which ThreadSanitizer knows nothing: to it, relaxed operations are ordered.
    *-tsan) build_with_cmake kokkos $kokkos_version "$1" "${common[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
      -DCMAKE_CXX_COMPILER=clang++-14 "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -fsanitize=thread -Wno-macro-redefined -D__ATOMIC_RELAXED=__ATOMIC_SEQ_CST" \
      "-DKokkos_ENABLE_$(case $1 in openmp*) echo OPENMP ;; *) echo THREADS ;; esac)=ON" ;;
    cuda) build_with_cmake kokkos $kokkos_version "cuda-$cuda_arch" "${common[@]}" -DCMAKE_BUILD_TYPE=Release \
      -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_CUDA=ON "-DKokkos_ARCH_$cuda_arch=ON" \
      -DCMAKE_CXX_COMPILER=@SOURCE@/bin/nvcc_wrapper ;;
    # Shared, and with Serial alone beside CUDA: it stands in for the Kokkos of Debian's Trilinos, whose name it has.
    tpetra-cuda) build_with_cmake kokkos $kokkos_version "cuda-shared-$cuda_arch" "${common[@]}" -DCMAKE_BUILD_TYPE=Release \
      -DBUILD_SHARED_LIBS=ON -DKokkos_ENABLE_CUDA=ON "-DKokkos_ARCH_$cuda_arch=ON" \
      -DCMAKE_CXX_COMPILER=@SOURCE@/bin/nvcc_wrapper ;;
  esac
}

# Kokkos Kernels works from its headers alone when its configuration says that nothing is precompiled.
make_kokkoskernels()
{
  local recipe
  recipe=$(cat scripts/kokkoskernels/KokkosKernels_config.h scripts/kokkoskernels/cmake/* | sha256sum)$kokkoskernels_sha256
  installed=$prefix/kokkoskernels-$kokkoskernels_version-headers-$(sha256sum <<< "$recipe" | cut -c 1-10)
  ! is_complete || return 0
  fetch kokkoskernels
  say "unpacking the headers of Kokkos Kernels $kokkoskernels_version"
  local work=$prefix/work-kokkoskernels
  rm -rf "$work" "$installed"
  mkdir -p "$work" "$installed/lib/cmake"
  dpkg-deb -x "$archive" "$work"
  mv "$work/usr/include/trilinos" "$installed/include"
  cp scripts/kokkoskernels/KokkosKernels_config.h "$installed/include/"
  cp -r scripts/kokkoskernels/cmake "$installed/lib/cmake/KokkosKernels"
  # The package lists what its own library has precompiled (double, int, size_t, Serial); that library is not here.
  local list
  for list in "$installed"/include/generated_specializations_hpp/*; do
    : > "$list"
  done
  echo "$recipe" > "$installed/.complete"
  rm -rf "$work"
}

# fetch_wheels NAME REQUIREMENTS [PYTHON]: from PyPI; PYTHON where they are for one version of it. A wheel that lies in
# HEDDLE_DEPS_CACHE is taken from there.
fetch_wheels()
{
  local name=$1 requirements=$2 recipe log=$prefix/$1.log
  recipe=$(sha256sum < "$requirements")${3:+ $3}
  installed=$prefix/$name-$(if [ -z "${3:-}" ]; then echo "$recipe"; else sha256sum <<< "$recipe"; fi | cut -c 1-10)
  ! is_complete || return 0
  say "fetching $name"
  rm -rf "$installed"
  python3 -m pip install --target "$installed" --no-deps --only-binary :all: --require-hashes -r "$requirements" \
    ${HEDDLE_DEPS_CACHE:+--find-links "$(absolute "$HEDDLE_DEPS_CACHE")"} > "$log" 2>&1 ||
    fail "cannot get what $requirements names: see $log"
  echo "$recipe" > "$installed/.complete"
}

link() { ln -sfn "$1" "build/deps/$preset/$2"; }

provide()
{
  preset=$1
  local kind=openmp devices=(OPENMP SERIAL)
  case $preset in
    serial-debug) kind=serial-debug ;;
    *-tsan) kind=$preset ;;
    tpetra-cuda) kind=tpetra-cuda ;;
    cuda-*) kind=cuda devices=(CUDA OPENMP SERIAL) ;;
  esac
  mkdir -p "build/deps/$preset"
  if [[ $kind = *cuda ]]; then
    command -v nvcc > /dev/null || fail "preset $preset needs nvcc (the CUDA toolkit) on the PATH"
    [ -n "$cuda_arch" ] || fail "preset $preset needs a GPU of compute capability 7.5 (Turing) or newer, this machine's is older:" \
      "set HEDDLE_KOKKOS_CUDA_ARCH to build for another machine"
  fi
  # A Kokkos of the machine's own has no bounds checks or sanitizers that one could ask for.
  if [[ $kind != serial-debug && $kind != *-tsan && $kind != tpetra-cuda ]] && found Kokkos 5.0 "${devices[@]}"; then
    rm -f "build/deps/$preset/kokkos"
  else
    make_kokkos $kind
    link "$installed" kokkos
  fi
  if found Catch2 3; then
    rm -f "build/deps/$preset/catch2"
  else
    build_with_cmake catch2 $catch2_version release -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 \
      -DCATCH_INSTALL_DOCS=OFF -DCATCH_INSTALL_EXTRAS=ON -DBUILD_TESTING=OFF
    link "$installed" catch2
  fi
  if found KokkosKernels 5.0; then
    rm -f "build/deps/$preset/kokkoskernels"
  else
    make_kokkoskernels
    link "$installed" kokkoskernels
  fi
  if [ "$preset" = tidy ]; then
    fetch_wheels clang-tidy scripts/clang_tidy/requirements.txt
    link "$installed" clang_tidy
  fi
}

# Kokkos' name of the GPU architecture: of the GPU in this machine, else Hopper. None where the kernels do not compile.
cuda_arch=${HEDDLE_KOKKOS_CUDA_ARCH:-}
if [ -z "$cuda_arch" ]; then
  case $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1) in
    [1-6].* | 7.[0-4]) cuda_arch= ;;
    7.5) cuda_arch=TURING75 ;;
    8.0) cuda_arch=AMPERE80 ;;
    8.6) cuda_arch=AMPERE86 ;;
    8.9) cuda_arch=ADA89 ;;
    10.0) cuda_arch=BLACKWELL100 ;;
    12.0) cuda_arch=BLACKWELL120 ;;
    *) cuda_arch=HOPPER90 ;;
  esac
fi

install_packages
[ ${#presets[@]} -eq 0 ] || check_tools
exec 9> "$prefix/.lock"
command -v flock > /dev/null && flock 9
for one in "${presets[@]}"; do
  provide "$one"
done
if $with_site; then
  fetch_wheels site scripts/site/requirements.txt "$(python3 --version)"
  mkdir -p build/deps/site
  ln -sfn "$installed" build/deps/site/python
  presets+=(site)
fi
say "ready for ${presets[*]}"
