# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What find_package sees of a Kokkos that has the devices and the GPU architecture that the caller says.
set(Kokkos_DEVICES ${OTHER_KOKKOS_DEVICES})
set(Kokkos_CUDA_ARCHITECTURES ${OTHER_KOKKOS_CUDA_ARCHITECTURES})
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
endif()
