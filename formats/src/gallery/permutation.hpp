// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/gallery_pcg64.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::impl
{

using Permutation = std::vector<std::int32_t>;

// numpy.random.default_rng(seed).permutation(n): the shuffle of Fisher and Yates from the end.
inline Permutation random_permutation(std::int64_t n, std::uint64_t seed)
{
  Permutation permutation(static_cast<std::size_t>(n));
  std::iota(permutation.begin(), permutation.end(), 0);
  Pcg64 random(seed);
  for (std::size_t i = permutation.size(); i-- > 1;)
    std::swap(permutation[i],
              permutation[random.next_below_by_mask(static_cast<std::uint32_t>(i) + 1)]);
  return permutation;
}

inline Permutation inverse(Permutation const& permutation)
{
  Permutation inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int32_t>(i);
  return inverse;
}

} // namespace heddle::impl
