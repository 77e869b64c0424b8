// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Threads of a block that work together: a warp, one of several in its block, or the whole block.

#include <heddle/cuda_native/device/warp.cuh>

namespace heddle::cuda_native
{

// What a launch asked for beside static arrays, on a boundary of 16 bytes.
__device__ inline unsigned char* dynamic_shared()
{
  extern __shared__ int4 shared_words[];
  return reinterpret_cast<unsigned char*>(shared_words);
}

// The block's sum of the threads' sums, in one order; for thread 0. of_warps: room for one of each
// warp, in shared memory.
template <int threads_per_block, class Sum>
__device__ Sum sum_of_block(Sum sum, Sum* of_warps)
{
  sum = sum_of_lanes(sum, warp_size);
  if (threadIdx.x % warp_size == 0)
    of_warps[threadIdx.x / warp_size] = sum;
  __syncthreads();
  Sum total{};
  if (threadIdx.x == 0)
    for (int n = 0; n < threads_per_block / warp_size; ++n)
      total += of_warps[n];
  return total;
}

// All threads of the team take part in what it does.
template <int threads>
struct Team
{
  static_assert(threads >= warp_size && threads % warp_size == 0);
  static constexpr int size = threads;
  static constexpr bool is_warp = threads == warp_size;
  static constexpr int warps = threads / warp_size;
  static constexpr unsigned all_lanes = 0xffffffffU;

  // Shared memory that sums over the team need.
  struct Memory
  {
    int sums[warps + 1];
  };

  __device__ static int rank() { return static_cast<int>(threadIdx.x) % threads; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % warp_size; }
  __device__ static int warp() { return rank() / warp_size; }

  __device__ static void wait()
  {
    if constexpr (is_warp)
      __syncwarp();
    else
      __syncthreads();
  }

  // The sum of value over threads of lower rank; total is that over all.
  __device__ static int exclusive_sum(int value, int& total, Memory& memory)
  {
    int const sum = inclusive_sum_of_lanes<warp_size>(value);
    return after_warps_before(sum - value, __shfl_sync(all_lanes, sum, warp_size - 1), total,
                              memory);
  }
  // How many threads of lower rank say yes; total is that of all.
  __device__ static int exclusive_count(bool says_yes, int& total, Memory& memory)
  {
    unsigned const all = __ballot_sync(all_lanes, says_yes);
    return after_warps_before(__popc(all & ((1U << lane()) - 1)), __popc(all), total, memory);
  }

private:
  // What a thread has before it in its warp and in the warps before, of which each has so much.
  __device__ static int after_warps_before(int in_warp, int of_warp, int& total, Memory& memory)
  {
    if constexpr (is_warp)
    {
      total = of_warp;
      return in_warp;
    }
    else
    {
      wait(); // what the memory had before has been read
      if (lane() == 0)
        memory.sums[warp()] = of_warp;
      wait();
      int before = 0;
      total = 0;
      for (int w = 0; w < warps; ++w)
      {
        before += w < warp() ? memory.sums[w] : 0;
        total += memory.sums[w];
      }
      return before + in_warp;
    }
  }
};

} // namespace heddle::cuda_native
