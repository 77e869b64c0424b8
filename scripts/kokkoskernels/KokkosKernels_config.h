// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Replaces the configuration header of Debian's package where scripts/dependencies.sh unpacks it: the headers are used
// alone, so nothing is precompiled and no vendor library stands behind them.

#include <Kokkos_Macros.hpp>

#define KOKKOSKERNELS_VERSION 50002
#define KOKKOSKERNELS_VERSION_MAJOR 5
#define KOKKOSKERNELS_VERSION_MINOR 0
#define KOKKOSKERNELS_VERSION_PATCH 2

#define KOKKOSKERNELS_IMPL_COMPILE_LIBRARY false

#define KOKKOSKERNELS_ENABLE_COMPONENT_BLAS
#define KOKKOSKERNELS_ENABLE_COMPONENT_SPARSE
#define KOKKOSKERNELS_ENABLE_COMPONENT_GRAPH

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP) && !defined(KOKKOS_ENABLE_SYCL)
#define KOKKOSKERNELS_ENABLE_HOST_ONLY
#endif
