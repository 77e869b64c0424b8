// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coefficients of the model of a call of csr_rows (spmm/row_model.hpp). Written by
// scripts/fit_spmm_choice.py from perf_tests/results/h100/zoo/spmm_rows.jsonl.gz; a test keeps the
// two in step. Measured on an H100 alone, and used on all architectures.

#include <cstddef>

namespace heddle::cuda_native
{

struct SpmmRowCosts
{
  double launch_us;      // of a call that does nothing
  double turn_us;        // four entries by each group of a warp
  double block_turns;    // what a row costs a block of four warps beside its entries, in turns
  double warp_turns;     // a warp
  double group_turns;    // a group of lanes
  double narrow;         // a turn of groups of four lanes, as a multiple
  double warps;          // of a multiprocessor that get on at once
  double us_of_megabyte; // of C, and of A in each tile
  double segments_us;    // the second launch where rows are cut

  // By the bytes of a value.
  static constexpr SpmmRowCosts of(std::size_t value_bytes);
};

// clang-format off: numbers of scripts/fit_spmm_choice.py, in the order of the members
inline constexpr SpmmRowCosts of_4_bytes{4.29, 0.238, 2.88, 1.62, 1.83, 1.17, 13.3, 0.656, 4.93};
inline constexpr SpmmRowCosts of_8_bytes{4.23, 0.242, 2.69, 2.11, 2.4, 1.01, 13.5, 0.621, 4.9};
// clang-format on

constexpr SpmmRowCosts SpmmRowCosts::of(std::size_t value_bytes)
{
  return value_bytes <= 4 ? of_4_bytes : of_8_bytes;
}

} // namespace heddle::cuda_native
