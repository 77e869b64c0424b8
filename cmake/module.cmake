# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/precompile.cmake)

# One folder = one INTERFACE target heddle::NAME with its headers, installable; with tests on, also one object library
# that compiles each header, included twice, against this folder's target alone.
#   heddle_add_module(NAME [DIR folder] [DEPENDS targets...] [GENERATED headers in the build tree...])
function(heddle_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIR" "DEPENDS;GENERATED")
  if(NOT arg_DIR)
    set(arg_DIR ${name})
  endif()
  set(base ${PROJECT_SOURCE_DIR}/${arg_DIR})
  set(generated_base ${PROJECT_BINARY_DIR}/include)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${base} ${base}/heddle/*.hpp ${base}/heddle/*.cuh)
  set(paths ${headers})
  list(TRANSFORM paths PREPEND ${base}/)
  set(bases ${base})
  if(arg_GENERATED)
    list(APPEND bases ${generated_base})
    list(TRANSFORM arg_GENERATED PREPEND ${generated_base}/ OUTPUT_VARIABLE generated)
    list(APPEND paths ${generated})
    list(APPEND headers ${arg_GENERATED})
  endif()

  add_library(heddle_${name} INTERFACE)
  add_library(heddle::${name} ALIAS heddle_${name})
  set_target_properties(heddle_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(heddle_${name} INTERFACE FILE_SET HEADERS BASE_DIRS ${bases} FILES ${paths})
  target_compile_features(heddle_${name} INTERFACE cxx_std_20)
  target_link_libraries(heddle_${name} INTERFACE ${arg_DEPENDS})
  install(
    TARGETS heddle_${name}
    EXPORT heddleTargets
    FILE_SET HEADERS
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(HEDDLE_ENABLE_TESTS)
    heddle_add_header_test(${name} ${headers})
  endif()
endfunction()

# A host build checks the .hpp, the CUDA build only the .cuh (nvcc takes 8 s for any file that includes Kokkos).
# With HEDDLE_HEADER_TEST_AS_ONE one file includes them all: clang-tidy then reads each header once (preset tidy), and
# serial-debug sees that each folder compiles with its Kokkos, but not again that each header includes what it uses.
function(heddle_add_header_test name)
  set(headers ${ARGN})
  if(Kokkos_ENABLE_CUDA)
    list(FILTER headers INCLUDE REGEX "\\.cuh$")
  endif()
  set(folder ${PROJECT_BINARY_DIR}/headers/${name})
  set(all)
  foreach(header ${headers})
    string(APPEND all "#include <${header}>\n")
    if(NOT HEDDLE_HEADER_TEST_AS_ONE)
      string(MAKE_C_IDENTIFIER ${header} id)
      file(CONFIGURE OUTPUT ${folder}/${id}.cpp CONTENT "#include <${header}>\n#include <${header}>\n")
      list(APPEND sources ${folder}/${id}.cpp)
    endif()
  endforeach()
  if(HEDDLE_HEADER_TEST_AS_ONE)
    file(CONFIGURE OUTPUT ${folder}/all.cpp CONTENT "${all}")
    set(sources ${folder}/all.cpp)
  endif()
  if(sources)
    add_library(heddle_headers_${name} OBJECT ${sources})
    target_link_libraries(heddle_headers_${name} PRIVATE heddle_${name})
    heddle_warn(heddle_headers_${name})
    if(name STREQUAL core)
      heddle_precompile(heddle_headers_core)
    elseif(NOT HEDDLE_HEADER_TEST_AS_ONE)
      heddle_precompile(heddle_headers_${name} FROM heddle_headers_core)
    endif()
  endif()
endfunction()

# A compiled part of a folder: DIR/src/NAME/*.cpp become heddle::NAME, which needs DEPENDS and hides USES.
# With HEDDLE_DOUBLE_ONLY without the files of other value types.
#   heddle_add_library(NAME DIR folder [DEPENDS targets...] [USES targets...])
function(heddle_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIR" "DEPENDS;USES")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_DIR}/src/${name}/*.cpp)
  if(HEDDLE_DOUBLE_ONLY)
    list(FILTER sources EXCLUDE REGEX "_(float|complex_double)\\.cpp$")
  endif()
  add_library(heddle_${name} ${sources})
  add_library(heddle::${name} ALIAS heddle_${name})
  set_target_properties(heddle_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(heddle_${name} PRIVATE ${PROJECT_SOURCE_DIR}/${arg_DIR}/src)
  target_link_libraries(heddle_${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_USES})
  heddle_warn(heddle_${name})
  heddle_precompile(heddle_${name})
  install(TARGETS heddle_${name} EXPORT heddleTargets)
endfunction()

# Warnings are for heddle's own translation units, never for its users'. g++ 12 sees overlaps in std::string that are not
# there (GCC bug 105651, mended in 13), in builds for debugging uninitialised Views inside of Kokkos' deep_copy, in what nvcc
# makes of them an empty std::optional that is destroyed all the same, and with a precompiled header warns of
# what is inside of the standard library.
function(heddle_warn target)
  set(is_gcc_12 $<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wshadow
            $<${is_gcc_12}:-Wno-restrict>
            $<$<AND:${is_gcc_12},$<OR:$<CONFIG:Debug>,$<BOOL:${Kokkos_ENABLE_CUDA}>>>:-Wno-maybe-uninitialized>
            $<$<AND:${is_gcc_12},$<BOOL:${HEDDLE_PRECOMPILE_HEADERS}>>:-Wno-stringop-overflow>
            $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
endfunction()

function(heddle_install_package)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
  configure_package_config_file(cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
                                INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                                                                 ARCH_INDEPENDENT)
  install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
                cmake/FindHwloc.cmake cmake/FindZoltan.cmake DESTINATION ${folder})
  install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${folder})
  export(EXPORT heddleTargets NAMESPACE heddle:: FILE ${PROJECT_BINARY_DIR}/heddleTargets.cmake)
  configure_file(cmake/FindHwloc.cmake ${PROJECT_BINARY_DIR}/FindHwloc.cmake COPYONLY)
  configure_file(cmake/FindZoltan.cmake ${PROJECT_BINARY_DIR}/FindZoltan.cmake COPYONLY)
endfunction()
