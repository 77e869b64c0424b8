// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What SpMV and SpMM of SELL-P after paper 000's section 2 share: b rows per slice, t threads per
// row.

namespace heddle::cuda_native
{

// sums[at] of the threads with y = 0 <- the sum over the t threads of their x, of which there are
// b. All threads of the block take part.
template <class Scalar>
__device__ void add_up_rows(Scalar* sums, int at, int b, int t)
{
  __syncthreads();
  for (int half = t / 2; half > 0; half /= 2)
  {
    if (static_cast<int>(threadIdx.y) < half)
      sums[at] += sums[at + b * half];
    __syncthreads();
  }
}

} // namespace heddle::cuda_native
