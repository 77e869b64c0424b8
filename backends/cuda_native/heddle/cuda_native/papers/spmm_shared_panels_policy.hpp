// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/cuda_native/device/device_shape.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Numbers of csr_shared and ell_shared, not tuned.
struct SharedPanelsPolicy
{
  int threads_per_block;
  int columns; // of B that a block takes at once
  int bytes;   // of a piece of B in shared memory
  int rows_per_warp;
  int kept_columns; // column indices of the block's rows in shared memory, of csr_shared
};
struct SharedPanelsPolicyFor
{
  static constexpr SharedPanelsPolicy value{.threads_per_block = 256,
                                            .columns = 8,
                                            .bytes = 32 << 10,
                                            .rows_per_warp = 4,
                                            .kept_columns = 2048};
  // Rows of A of a block of csr_shared.
  static constexpr int rows_per_block = value.threads_per_block / 32 * value.rows_per_warp;

  // Rows of a piece of B.
  template <class Scalar>
  static constexpr int rows = value.bytes / value.columns / static_cast<int>(sizeof(Scalar));

  // Shared memory of a block, given the size of a column index.
  static constexpr std::size_t shared_bytes(std::size_t ordinal_bytes)
  {
    return value.bytes + value.kept_columns * ordinal_bytes +
           (rows_per_block + 1) * sizeof(std::int64_t);
  }
  static constexpr bool fits(int architecture, std::size_t ordinal_bytes)
  {
    return shared_bytes(ordinal_bytes) <=
           static_cast<std::size_t>(architecture_shape(architecture).shared_kib_of_block) << 10;
  }
};

} // namespace heddle::cuda_native
