// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/cuda_native/device/warp.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// The row that an entry is in, the last that does not begin behind it, found by a warp: each step
// leaves a 33rd of the rows.
template <class Offset>
__device__ std::int64_t row_of_entry(Offset const* offsets, std::int64_t rows, std::int64_t entry)
{
  std::int64_t first = 0, end = rows; // the row is one of these
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  while (end - first > 1)
  {
    auto const probe = [&](int n) { return first + (end - first) * (n + 1) / (warp_size + 1); };
    bool const is_before = static_cast<std::int64_t>(offsets[probe(lane)]) <= entry;
    int const before = __popc(__ballot_sync(0xffffffffU, is_before));
    std::int64_t const next_first = before > 0 ? probe(before - 1) : first;
    end = before < warp_size ? probe(before) : end;
    first = next_first;
  }
  return first;
}

} // namespace heddle::cuda_native
