# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# hwloc has no CMake package of its own. Defines hwloc::hwloc and Hwloc_FOUND.
find_path(Hwloc_INCLUDE_DIR hwloc.h)
find_library(Hwloc_LIBRARY hwloc)
mark_as_advanced(Hwloc_INCLUDE_DIR Hwloc_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hwloc REQUIRED_VARS Hwloc_LIBRARY Hwloc_INCLUDE_DIR)
if(Hwloc_FOUND AND NOT TARGET hwloc::hwloc)
  add_library(hwloc::hwloc UNKNOWN IMPORTED)
  set_target_properties(hwloc::hwloc PROPERTIES IMPORTED_LOCATION ${Hwloc_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                                   ${Hwloc_INCLUDE_DIR})
endif()
