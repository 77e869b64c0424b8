// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Offsets from counts, by CUB's scan.

#include <heddle/cuda_native/device/pinned_words.cuh>
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

// offsets(i) = counts(0) + ... + counts(i - 1). Asynchronous.
template <class Counts, class Offsets>
void offsets_from_counts(Kokkos::Cuda const& exec, Counts const& counts, Offsets const& offsets)
{
  auto const n = static_cast<std::int64_t>(counts.extent(0));
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
