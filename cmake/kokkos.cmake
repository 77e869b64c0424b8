# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Kokkos, which is a part of the build that heddle is a part of (FetchContent or add_subdirectory, before heddle's), or else an
# installed one. Sets what Kokkos' package sets: Kokkos_DEVICES, Kokkos_CUDA_ARCHITECTURES, Kokkos_ENABLE_<DEVICE>.
set(heddle_kokkos_version 5.0)
if(TARGET Kokkos::kokkos AND DEFINED Kokkos_BINARY_DIR) # where the project Kokkos leaves the files of its package
  set(PACKAGE_FIND_VERSION ${heddle_kokkos_version})
  include(${Kokkos_BINARY_DIR}/KokkosConfigVersion.cmake)
  if(NOT PACKAGE_VERSION_COMPATIBLE)
    message(
      FATAL_ERROR "heddle needs Kokkos ${heddle_kokkos_version} or newer, the one in this build is ${PACKAGE_VERSION}")
  endif()
  unset(PACKAGE_FIND_VERSION)
  include(${Kokkos_BINARY_DIR}/KokkosConfigCommon.cmake)
else()
  find_package(Kokkos ${heddle_kokkos_version} REQUIRED CONFIG)
endif()
