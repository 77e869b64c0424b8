// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Copies from global to shared memory that go on while the thread does something else, and take no
// registers: start_copy as often as needed, then end_of_copies; wait_for_copies waits for all that
// the thread started. Other lanes see them after a barrier behind that.

#include <cuda_pipeline_primitives.h>

namespace heddle::cuda_native
{

template <class T>
__device__ void start_copy(T* to, T const* from)
{
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    __pipeline_memcpy_async(to, from, sizeof(T));
  else
    *to = *from; // the hardware does not copy less
}
__device__ inline void end_of_copies() { __pipeline_commit(); }
__device__ inline void wait_for_copies() { __pipeline_wait_prior(0); }

} // namespace heddle::cuda_native
