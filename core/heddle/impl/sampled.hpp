// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// The n-th of `samples` numbers from 0 .. count - 1, ascending: one from each of as many equal
// ranges, by a hash of n, so that no period of a grid hides from the sample. All numbers where
// there are no more than samples.
KOKKOS_INLINE_FUNCTION std::int64_t sampled(std::int64_t n, std::int64_t samples,
                                            std::int64_t count)
{
  if (count <= samples)
    return n;
  std::int64_t const length = count / samples, longer = count % samples;
  std::int64_t const first = n * length + (n < longer ? n : longer);
  auto const of_range = static_cast<std::uint64_t>(length + (n < longer ? 1 : 0));
  return first + static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(n) + 1) % of_range);
}

} // namespace heddle::impl
