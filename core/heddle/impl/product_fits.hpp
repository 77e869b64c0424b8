// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::impl
{

// Whether the multiples 0, b, ..., a * b of b are indices: the largest std::int64_t holds them.
// Where a is 0, that is b as well.
constexpr bool product_fits(std::size_t a, std::size_t b)
{
  constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();
  return b <= most / (a == 0 ? 1 : a);
}

} // namespace heddle::impl
