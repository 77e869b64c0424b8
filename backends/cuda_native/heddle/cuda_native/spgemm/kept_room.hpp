// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many columns the counting pass of SpGEMM keeps until their rows have offsets in C
// (kept_columns.cuh).

#include <heddle/cuda_native/spgemm/policy.hpp>

#include <algorithm>
#include <cstddef>

namespace heddle::cuda_native
{

// Room for columns that are counted before their rows have offsets, in entries.
struct KeptRoom
{
  std::size_t of_tables = 0, of_short = 0; // of short rows all or nothing
};
// For `products`, `short_products` of them of short rows, where `room` bytes are free. Both
// together take at most the policy's most_kept_bytes.
template <class Ordinal, class Sum>
KeptRoom kept_room(std::size_t products, std::size_t short_products, std::size_t room)
{
  constexpr std::size_t most = SpgemmPolicyFor::value.most_kept_bytes;
  std::size_t const short_bytes = short_products * (sizeof(Ordinal) + sizeof(Sum));
  bool const keeps_short = short_bytes <= std::min(most, room / 4);
  std::size_t const left = keeps_short ? most - short_bytes : most;
  return {std::min({products - short_products, left / sizeof(Ordinal), room / 2 / sizeof(Ordinal)}),
          keeps_short ? short_products : 0};
}

} // namespace heddle::cuda_native
