# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include(Catch)

# How programs of OpenMP are run, since ctest runs several at once: threads that wait by turning, which is the default, take
# the time of those that they wait for when there are more threads than cores.
set(heddle_test_threads)
if(Kokkos_ENABLE_OPENMP)
  set(heddle_test_threads ENVIRONMENT_MODIFICATION OMP_WAIT_POLICY=set:passive)
endif()

# Tests are built with -O1, and without optimisation where they are debugged (they spend their time in compilation), but for those
# that would then run for minutes; the kernels they test come from heddle::instances where these have them.
set(heddle_unit_tests ${PROJECT_SOURCE_DIR}/unit_tests)
file(GLOB heddle_tests_that_run_long CONFIGURE_DEPENDS ${heddle_unit_tests}/random/*.cpp
     ${heddle_unit_tests}/algorithms/test_spgemm*.cpp)
foreach(name add data_movement instances multiply_bsr multiply_ell multiply_row_segmented other_pattern papers)
  list(APPEND heddle_tests_that_run_long ${heddle_unit_tests}/algorithms/test_${name}.cpp)
endforeach()
if(CMAKE_BUILD_TYPE STREQUAL "Debug") # clang takes no precompiled header of another optimisation
  set_source_files_properties(${heddle_tests_that_run_long} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()

function(heddle_compile_tests target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/unit_tests)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0>)
  target_compile_definitions(
    ${target}
    PRIVATE HEDDLE_TEST_MATRICES="${PROJECT_SOURCE_DIR}/../shared/matrices"
            HEDDLE_TEST_MODEL="${PROJECT_SOURCE_DIR}/core/data/row_segment_model.json"
            $<$<BOOL:${HEDDLE_TEST_ALL_TYPES}>:HEDDLE_TEST_ALL_TYPES>
            $<$<BOOL:${HEDDLE_TEST_FEW_TYPES}>:HEDDLE_TEST_FEW_TYPES>)
  target_link_libraries(${target} PRIVATE heddle::heddle $<TARGET_NAME_IF_EXISTS:heddle::instances>
                                          $<TARGET_NAME_IF_EXISTS:Kokkos::kokkoskernels> Catch2::Catch2)
  heddle_warn(${target})
  if(TARGET Kokkos::kokkoskernels)
    target_compile_definitions(${target} PRIVATE HEDDLE_TEST_KOKKOSKERNELS)
  endif()
endfunction()

# What all of them have: the structures of matrices, and main where the folder has none.
add_library(heddle_test_support OBJECT ${PROJECT_SOURCE_DIR}/unit_tests/support/structures.cpp)
heddle_compile_tests(heddle_test_support)
heddle_precompile(heddle_test_support HEADERS <catch2/catch_template_test_macros.hpp> <catch2/catch_test_macros.hpp>)
add_library(heddle_test_main OBJECT ${PROJECT_SOURCE_DIR}/unit_tests/support/main.cpp)
heddle_compile_tests(heddle_test_main)
# What replaces malloc, or new, of a program, and on CUDA what allocates there.
add_library(heddle_failing_allocations OBJECT ${PROJECT_SOURCE_DIR}/unit_tests/support/failing_allocations.cpp)
heddle_compile_tests(heddle_failing_allocations)
set(wrapped _ZNK6Kokkos9HostSpace8allocateEPKcmm _ZN6Kokkos4Impl22SharedAllocationRecordIvvE9incrementEPS2_
            _ZN6Kokkos4Impl22SharedAllocationRecordIvvE9decrementEPS2_)
if(Kokkos_ENABLE_CUDA)
  list(
    APPEND
    wrapped
    _ZNK6Kokkos9CudaSpace8allocateERKNS_4CudaEPKcmm
    _ZN6Kokkos4Impl12CudaInternal26acquire_team_scratch_spaceEv
    _ZN6Kokkos4Impl12CudaInternal26release_team_scratch_spaceEi
    cudaMalloc
    cudaMallocAsync
    cudaMallocFromPoolAsync
    cudaMallocHost
    cudaHostAlloc
    cudaFree
    cudaFreeAsync)
endif()
foreach(function ${wrapped})
  target_link_options(heddle_failing_allocations INTERFACE LINKER:--wrap=${function})
endforeach()

# What writes down which native kernels each test launches.
if(HEDDLE_ENABLE_CUDA_NATIVE)
  add_library(heddle_kernel_log OBJECT ${PROJECT_SOURCE_DIR}/unit_tests/support/kernel_log.cpp)
  heddle_compile_tests(heddle_kernel_log)
  target_link_options(heddle_kernel_log INTERFACE LINKER:--wrap=cudaLaunchKernelExC)
endif()

# One executable per folder of unit_tests/. Tests are listed when ctest runs, not when they are built: a program linked
# against libcuda does not start on a build machine without a driver.
#   heddle_add_tests(folder [further targets to link...])
function(heddle_add_tests folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/unit_tests/${folder}/*.cpp)
  add_executable(test_${folder} ${sources})
  heddle_compile_tests(test_${folder})
  target_link_libraries(test_${folder} PRIVATE heddle_test_support $<TARGET_NAME_IF_EXISTS:heddle_kernel_log> ${ARGN})
  heddle_precompile(test_${folder} FROM heddle_test_support)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/unit_tests/${folder}/main.cpp)
    target_link_libraries(test_${folder} PRIVATE heddle_test_main)
  endif()
  set(properties LABELS ${folder})
  if(Kokkos_ENABLE_CUDA)
    list(APPEND properties RESOURCE_LOCK gpu)
  else()
    list(APPEND properties ENVIRONMENT "OMP_PROC_BIND=false")
  endif()
  list(APPEND properties ${heddle_test_threads})
  if(folder STREQUAL perf)
    list(APPEND properties RUN_SERIAL TRUE) # they time calls
  endif()
  catch_discover_tests(test_${folder} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()

# unit_tests/compile_only/refused/NAME.cpp must not compile, and each of its errors is one that it expects. By g++ alone, since
# clang 14 goes on after a failed assertion and finds more; a plan of another space needs a second space.
function(heddle_add_refused name)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     OR Kokkos_ENABLE_CUDA
     OR Kokkos_DEVICES STREQUAL "SERIAL"
     OR NOT Python3_FOUND)
    return()
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/unit_tests/compile_only/refused)
  add_library(heddle_${name} OBJECT EXCLUDE_FROM_ALL ${folder}/${name}.cpp)
  target_link_libraries(heddle_${name} PRIVATE heddle::algorithms)
  add_test(NAME ${name} COMMAND Python3::Interpreter -B ${folder}/expect_errors.py ${folder}/${name}.cpp
                                ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target heddle_${name})
  set_tests_properties(${name} PROPERTIES LABELS compile_only)
endfunction()

# The same for programs of several ranks, with a main of their own: each is one test for 1, 2 and 4 ranks. A rank that
# fails while others wait for it ends by the time limit. Tests named *_multigrid.cpp need Trilinos' solvers.
#   heddle_add_mpi_tests(folder targets to link...)
function(heddle_add_mpi_tests folder)
  set(base ${PROJECT_SOURCE_DIR}/unit_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${base}/${folder}/*.cpp)
  if(HEDDLE_DOUBLE_ONLY)
    list(FILTER sources EXCLUDE REGEX "_complex\\.cpp$")
  endif()
  find_package(MueLu QUIET CONFIG)
  if(NOT MueLu_FOUND)
    list(FILTER sources EXCLUDE REGEX "_multigrid\\.cpp$")
  endif()
  add_executable(test_${folder} ${sources})
  target_include_directories(test_${folder} PRIVATE ${base})
  target_compile_options(test_${folder} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(test_${folder} PRIVATE ${ARGN} $<TARGET_NAME_IF_EXISTS:MueLu::all_libs>
                                               $<TARGET_NAME_IF_EXISTS:heddle::instances> Catch2::Catch2)
  heddle_warn(test_${folder})
  foreach(ranks 1 2 4)
    add_test(NAME test_${folder}_on_${ranks}_ranks
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                     $<TARGET_FILE:test_${folder}> --order decl)
    set_tests_properties(test_${folder}_on_${ranks}_ranks PROPERTIES LABELS ${folder} PROCESSORS ${ranks} TIMEOUT 300)
  endforeach()
endfunction()
