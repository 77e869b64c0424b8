# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Trilinos' own package names no targets and lists the flags of its compilers. Defines Zoltan::zoltan, with the MPI it was
# built on, and Zoltan_FOUND.
find_path(Zoltan_INCLUDE_DIR zoltan.h PATH_SUFFIXES trilinos)
find_library(Zoltan_LIBRARY NAMES trilinos_zoltan zoltan)
mark_as_advanced(Zoltan_INCLUDE_DIR Zoltan_LIBRARY)
if(Zoltan_INCLUDE_DIR AND Zoltan_LIBRARY)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zoltan REQUIRED_VARS Zoltan_LIBRARY Zoltan_INCLUDE_DIR MPI_CXX_FOUND)
if(Zoltan_FOUND AND NOT TARGET Zoltan::zoltan)
  add_library(Zoltan::zoltan UNKNOWN IMPORTED)
  set_target_properties(
    Zoltan::zoltan PROPERTIES IMPORTED_LOCATION ${Zoltan_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Zoltan_INCLUDE_DIR}
                              INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
endif()
