# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A precompiled header must not hide that a file lacks an include. So a file is compiled with Kokkos' precompiled header only
# if its own includes reach Kokkos, outside of any #if, and each header of heddle's among them that mentions Kokkos reaches
# it by its own includes as well. All other files are compiled without. Limit: this is decided when CMake configures, so only a
# fresh build sees an include that was removed; a unit test that lacks its include of Catch2 still compiles.

# heddle_reaches_kokkos(FILE variable): TRUE, or FALSE, or HIDDEN where a header that mentions Kokkos does not reach it
function(heddle_reaches_kokkos file result)
  get_property(known GLOBAL PROPERTY heddle_reaches_kokkos_${file})
  if("${known}" STREQUAL "")
    set_property(GLOBAL PROPERTY heddle_reaches_kokkos_${file} FALSE) # ends a circle
    set(known FALSE)
    set(hidden FALSE)
    set(depth 0)
    get_filename_component(folder ${file} DIRECTORY)
    file(STRINGS ${file} lines REGEX "^ *# *(include|if|endif)")
    foreach(line IN LISTS lines)
      if(line MATCHES "^ *# *if")
        math(EXPR depth "${depth} + 1")
      elseif(line MATCHES "^ *# *endif")
        math(EXPR depth "${depth} - 1")
      elseif(line MATCHES "<Kokkos_[A-Za-z]+\\.hpp>")
        if(depth EQUAL 0)
          set(known TRUE)
        endif()
      elseif(line MATCHES "[<\"]([^>\"]+\\.(hpp|cuh))[>\"]")
        set(name ${CMAKE_MATCH_1})
        foreach(base ${folder} ${heddle_include_roots})
          if(EXISTS ${base}/${name})
            heddle_reaches_kokkos(${base}/${name} included)
            if(included STREQUAL HIDDEN)
              set(hidden TRUE)
            elseif(included AND depth EQUAL 0)
              set(known TRUE)
            endif()
            break()
          endif()
        endforeach()
      endif()
    endforeach()
    if(NOT known)
      file(STRINGS ${file} mentions REGEX "Kokkos::|KOKKOS_" LIMIT_COUNT 1)
      if(mentions)
        set(hidden TRUE)
      endif()
    endif()
    if(hidden)
      set(known HIDDEN)
    endif()
    set_property(GLOBAL PROPERTY heddle_reaches_kokkos_${file} ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# Compiles Kokkos' header, and HEADERS, once for all files of the target that may have it, or takes what was compiled for
# the target FROM, which must have the same options: g++ 12 takes 2 s to read Kokkos' header, and 7 s to precompile it. For a single
# build on hosts: ccache does better from the second on, nvcc and clang-tidy cannot.
#   heddle_precompile(target [FROM target] [HEADERS "<header>"...])
function(heddle_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "HEADERS")
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(NOT HEDDLE_PRECOMPILE_HEADERS OR Kokkos_ENABLE_CUDA OR (count LESS 6 AND NOT arg_FROM AND NOT arg_HEADERS))
    return()
  endif()
  set(heddle_include_roots
      ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/formats ${PROJECT_SOURCE_DIR}/algorithms
      ${PROJECT_SOURCE_DIR}/formats/src ${PROJECT_SOURCE_DIR}/algorithms/src ${PROJECT_SOURCE_DIR}/perf_tests
      ${PROJECT_SOURCE_DIR}/unit_tests ${PROJECT_BINARY_DIR}/include)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE)
    heddle_reaches_kokkos(${path} reaches)
    if(NOT reaches STREQUAL TRUE)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  if(arg_FROM)
    target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
  else()
    target_precompile_headers(${target} PRIVATE <Kokkos_Core.hpp> ${arg_HEADERS})
  endif()
endfunction()
