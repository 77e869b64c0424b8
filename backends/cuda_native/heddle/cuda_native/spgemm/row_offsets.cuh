// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Offsets from counts: of few by one thread block, else by CUB's scan.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // g++ 12 does not see that dispatch is set
#endif
#include <cub/device/device_scan.cuh>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace heddle::cuda_native
{

// counts(i), and 0 behind the last.
template <class Counts>
struct CountOrZero
{
  Counts counts;
  std::int64_t n;
  __device__ std::int64_t operator()(std::int64_t i) const
  {
    return i < n ? static_cast<std::int64_t>(counts(i)) : 0;
  }
};

// The same by one thread block.
struct FewOffsets
{
  static constexpr int threads = 1024, warps = threads / warp_size;
  // Numbers of which the block takes less time than two launches of CUB's and their memory.
  static constexpr std::int64_t most = std::int64_t(8) * threads;
};
template <class Numbers, class Offset>
__global__ void __launch_bounds__(FewOffsets::threads)
    spgemm_few_offsets_kernel(Numbers numbers, std::int64_t count, Offset* offsets)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  __shared__ std::int64_t of_warps[FewOffsets::warps];
  auto const thread = static_cast<int>(threadIdx.x);
  int const lane = thread % warp_size, warp = thread / warp_size;
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < count; first += FewOffsets::threads)
  {
    std::int64_t const n = first + thread, number = n < count ? numbers(n) : 0;
    std::int64_t sum = number;
    for (int distance = 1; distance < warp_size; distance *= 2)
    {
      std::int64_t const lower = __shfl_up_sync(all_lanes, sum, static_cast<unsigned>(distance));
      sum += lane >= distance ? lower : 0;
    }
    if (lane == warp_size - 1)
      of_warps[warp] = sum;
    __syncthreads();
    std::int64_t less = 0, total = 0;
    for (int w = 0; w < FewOffsets::warps; ++w)
    {
      less += w < warp ? of_warps[w] : 0;
      total += of_warps[w];
    }
    if (n < count)
      offsets[n] = static_cast<Offset>(before + less + sum - number);
    before += total;
    __syncthreads();
  }
}

// offsets(i) = counts(0) + ... + counts(i - 1). Asynchronous.
template <class Counts, class Offsets>
void offsets_from_counts(Kokkos::Cuda const& exec, Counts const& counts, Offsets const& offsets)
{
  auto const n = static_cast<std::int64_t>(counts.extent(0));
  if (n + 1 <= FewOffsets::most)
    return launch(
        exec, "heddle::spgemm::few_offsets",
        spgemm_few_offsets_kernel<CountOrZero<Counts>, typename Offsets::non_const_value_type>,
        Grid{1, FewOffsets::threads}, CountOrZero<Counts>{counts, n}, n + 1, offsets.data());
  auto const numbers = thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::int64_t(0)), CountOrZero<Counts>{counts, n});
  std::size_t bytes = 0;
  impl::require_cuda(cub::DeviceScan::ExclusiveSum(nullptr, bytes, numbers, offsets.data(), n + 1,
                                                   exec.cuda_stream()),
                     "cub::DeviceScan::ExclusiveSum");
  impl::Scratch<unsigned char, Kokkos::Cuda> const memory(exec, bytes);
  impl::require_cuda(cub::DeviceScan::ExclusiveSum(memory.data(), bytes, numbers, offsets.data(),
                                                   n + 1, exec.cuda_stream()),
                     "cub::DeviceScan::ExclusiveSum");
}

// The last of these offsets. Waits for exec.
template <class Exec, class Offset, class... Properties>
std::int64_t last_of(Exec const& exec, Kokkos::View<Offset*, Properties...> const& offsets)
{
  static_assert(sizeof(Offset) <= sizeof(PinnedWords::Word));
  PinnedWords const host(1);
  Kokkos::View<Offset, Kokkos::CudaHostPinnedSpace, Kokkos::MemoryUnmanaged> const last(
      reinterpret_cast<Offset*>(host.view().data()));
  Kokkos::deep_copy(exec, last, Kokkos::subview(offsets, offsets.extent(0) - 1));
  exec.fence("heddle::spgemm::binned");
  return static_cast<std::int64_t>(last());
}

} // namespace heddle::cuda_native
