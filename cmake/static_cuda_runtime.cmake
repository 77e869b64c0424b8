# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Kokkos finds the CUDA runtime through find_package(CUDAToolkit) and links the shared one whatever -cudart says;
# this names the static library first. CUDAToolkit's module keeps a value that is set.
find_program(HEDDLE_NVCC nvcc REQUIRED)
mark_as_advanced(HEDDLE_NVCC)
file(REAL_PATH ${HEDDLE_NVCC} nvcc)
get_filename_component(toolkit ${nvcc}/../.. ABSOLUTE)
find_library(
  CUDA_cudart_LIBRARY
  NAMES libcudart_static.a
  HINTS ${toolkit}
  PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
if(NOT CUDA_cudart_LIBRARY)
  message(FATAL_ERROR "HEDDLE_STATIC_CUDA_RUNTIME: no libcudart_static.a below ${toolkit}")
endif()
