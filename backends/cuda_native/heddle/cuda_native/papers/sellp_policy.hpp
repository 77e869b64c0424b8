// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the kernels for SELL-P of papers: b rows per slice, t threads per row, and in SpMM z
// columns of B per block.

#include <heddle/sell_matrix.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// What a block may have on every GPU (CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability"): threads, which the kernels' registers must allow, and as threadIdx.z.
struct SellpPaperPolicy
{
  int most_threads, most_threads_z;
};
struct SellpPaperPolicyFor
{
  static constexpr SellpPaperPolicy value{.most_threads = 1024, .most_threads_z = 64};

  // t a power of two, b t threads per block.
  static bool can_take(SellShape const& shape)
  {
    auto const [b, t, sigma] = shape;
    return (t & (t - 1)) == 0 && static_cast<std::int64_t>(b) * t <= value.most_threads;
  }
  // Columns of B that a block takes at once.
  static int columns_per_block(SellShape const& shape, std::int64_t columns)
  {
    auto const [b, t, sigma] = shape;
    return static_cast<int>(std::min<std::int64_t>(
        {columns, value.most_threads / (static_cast<std::int64_t>(b) * t), value.most_threads_z}));
  }
};

} // namespace heddle::cuda_native
