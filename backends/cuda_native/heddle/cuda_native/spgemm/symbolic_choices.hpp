// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the symbolic phase decides before it knows any row: from sizes, memory and the device alone.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct FactorSizes
{
  std::int64_t rows_a, nnz_a, rows_b, nnz_b;
};

// How many products A B has if rows of B are taken as often as each other.
inline double expected_products(std::int64_t nnz_a, std::int64_t nnz_b, std::int64_t rows_b)
{
  return rows_b == 0 ? 0.0
                     : static_cast<double>(nnz_a) * static_cast<double>(nnz_b) /
                           static_cast<double>(rows_b);
}

struct SymbolicChoices
{
  bool may_have_bitmasks;  // there is room for B as column bitmasks
  bool bitmasks_with_rows; // they are written by the pass that bounds B's rows
  RowLimits limits;
};

// may_have_one_pass: short rows may have their sums at once. room: bytes that may be used.
inline SymbolicChoices choose_symbolic(FactorSizes const& sizes, std::size_t bytes_of_bitmask,
                                       std::size_t room, bool may_have_one_pass,
                                       DeviceShape const& device)
{
  constexpr SpgemmPolicy const& policy = SpgemmPolicyFor::value;
  double const products = expected_products(sizes.nnz_a, sizes.nnz_b, sizes.rows_b);
  double const of_row = products / static_cast<double>(std::max<std::int64_t>(sizes.rows_a, 1));
  bool const may_have_bitmasks =
      static_cast<std::size_t>(sizes.nnz_b) * bytes_of_bitmask <= room / 4;
  return {may_have_bitmasks, may_have_bitmasks && of_row >= policy.products_for_words,
          RowLimits{may_have_one_pass && products <= policy.few_products_in_all,
                    SpgemmPolicyFor::most_products_of_warp(device, sizes.rows_a, products),
                    std::int64_t(policy.shares_of_multiprocessor) * device.multiprocessors}};
}

} // namespace heddle::cuda_native
