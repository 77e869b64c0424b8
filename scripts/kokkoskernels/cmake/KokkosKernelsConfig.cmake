# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The headers of Kokkos Kernels alone, under the target name of the full package.
include(CMakeFindDependencyMacro)
find_dependency(Kokkos 5.0)
if(NOT TARGET Kokkos::kokkoskernels)
  add_library(Kokkos::kokkoskernels INTERFACE IMPORTED)
  get_filename_component(prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
  target_include_directories(Kokkos::kokkoskernels SYSTEM INTERFACE ${prefix}/include)
  target_link_libraries(Kokkos::kokkoskernels INTERFACE Kokkos::kokkos)
endif()
