// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Before a function for host and device that calls what it is given, which may be for the host
// alone: nvcc warns of that unless told that the caller knows.
#if defined(__CUDACC__)
#define HEDDLE_NO_EXEC_CHECK _Pragma("nv_exec_check_disable")
#else
#define HEDDLE_NO_EXEC_CHECK
#endif
