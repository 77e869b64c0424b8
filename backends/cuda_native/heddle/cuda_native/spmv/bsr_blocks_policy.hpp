// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::cuda_native
{

struct SpmvBsrBlocksPolicy
{
  int threads_per_block;
  int loads_in_flight; // values that a lane loads before it uses the first
};

struct SpmvBsrBlocksPolicyFor
{
  static constexpr SpmvBsrBlocksPolicy value{128, 4};
  static constexpr int most_values = 8; // of a block, in the registers of a lane

  // 2, 8 or 32, each with up to four small blocks.
  static int threads_per_row(double blocks)
  {
    constexpr double each = 4.0;
    return blocks <= 2 * each ? 2 : blocks <= 8 * each ? 8 : 32;
  }
};

} // namespace heddle::cuda_native
