// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Kernels in which a few lanes have a row leave rows that are far longer than the others to their
// block, all threads of which take one after another when the lanes are done.

#include <heddle/cuda_native/device/device_shape.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// In shared memory. most: rows that a block has.
template <int most>
class DeferredRows
{
public:
  // By one thread, before the block waits.
  __device__ void clear() { m_count = 0; }
  // By one thread for each row.
  __device__ void add(std::int64_t row) { m_rows[atomicAdd(&m_count, 1)] = row; }
  // visit(row) by all threads of the block, which wait before.
  template <class Visit>
  __device__ void for_each(Visit const& visit) const
  {
    __syncthreads();
    int const count = m_count;
    for (int n = 0; n < count; ++n)
      visit(m_rows[n]);
  }

private:
  int m_count;
  std::int64_t m_rows[most];
};

// The longest row that lanes take, in entries; longer ones are left to the block. Where there are
// rows enough for all warps of the device, that is at least 32 times the mean.
inline std::int64_t longest_of_lanes(std::int64_t rows, std::int64_t entries,
                                     DeviceShape const& device)
{
  constexpr std::int64_t least = 1024, times_mean = 32;
  return rows < device.warps() ? least : std::max(least, times_mean * (entries / rows));
}

} // namespace heddle::cuda_native
