// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM with recorded terms (spgemm/terms.cuh).

#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmTermsPolicy
{
  // Of the kernel that sums, and of the one that records: terms that a block takes, and its
  // threads.
  int terms_of_block, threads_per_block;
  // Products that are sorted at once: as much scratch memory as 28 bytes for each.
  std::int64_t products_of_chunk;
};

inline constexpr SpgemmTermsPolicy spgemm_terms_policy{
    .terms_of_block = 2048, .threads_per_block = 256, .products_of_chunk = 1 << 23};

} // namespace heddle::cuda_native
