// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>

namespace heddle::impl
{

inline constexpr std::int64_t max_gallery_size = (std::int64_t(1) << 31U) - 1; // columns are int32
inline constexpr std::int64_t max_gallery_entries = std::int64_t(1) << 34U;    // 206 GB in CSR

// "function: what is value, expected low to high"
void require_between(char const* function, char const* what, std::int64_t value, std::int64_t low,
                     std::int64_t high = max_gallery_size);

// The product of numbers that are not negative. Throws InvalidArgument above the limit: "function:
// what are more than limit".
std::int64_t require_product(char const* function, char const* what,
                             std::initializer_list<std::int64_t> factors,
                             std::int64_t limit = max_gallery_size);

// What a generator is about to make; both counts of entries may be estimates.
struct GallerySize
{
  std::int64_t rows = 0, cols = 0;
  std::int64_t entries = 0;       // at most 2^63 - 1: each row has at most 2^31 - 1
  std::int64_t scratch_bytes = 0; // besides the matrix
  bool is_exact = false;          // whether `entries` is exact; else it is an estimate
};

// Throws InvalidArgument above the limits, OutOfMemory above what the machine has.
void require_size(char const* function, GallerySize const& size);

} // namespace heddle::impl
