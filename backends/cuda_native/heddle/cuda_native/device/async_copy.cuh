// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Copies from global to shared memory that go on while the thread does something else, and take no
// registers: start_copy as often as needed, then end_of_copies; wait_for_copies waits for all that
// the thread started, wait_for_copies_before_last not for those before the last end_of_copies.
// Other lanes see them after a barrier behind that.

#include <cuda_pipeline_primitives.h>

namespace heddle::cuda_native
{

template <class T>
inline constexpr bool has_async_copy = sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16;

template <class T>
__device__ void start_copy(T* to, T const* from)
{
  if constexpr (has_async_copy<T>)
    __pipeline_memcpy_async(to, from, sizeof(T));
  else
    *to = *from; // the hardware does not copy less
}
// Zero where there is nothing at `from`, which is a valid address nevertheless.
template <class T>
__device__ void start_copy_or_zero(T* to, T const* from, bool is_there)
{
  if constexpr (has_async_copy<T>)
    __pipeline_memcpy_async(to, from, sizeof(T), is_there ? 0 : sizeof(T));
  else
    *to = is_there ? *from : T(0);
}
__device__ inline void end_of_copies() { __pipeline_commit(); }
__device__ inline void wait_for_copies() { __pipeline_wait_prior(0); }
__device__ inline void wait_for_copies_before_last() { __pipeline_wait_prior(1); }

} // namespace heddle::cuda_native
