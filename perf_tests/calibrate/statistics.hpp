// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace heddle::perf
{

// What is said of several ratios.
struct RatioSummary
{
  std::size_t count = 0;
  double geometric_mean = 1.0, least = 1.0, most = 1.0; // 1 where there are none
};

inline RatioSummary summary_of(std::vector<double> const& ratios)
{
  if (ratios.empty())
    return {};
  double logarithms = 0.0;
  for (double const ratio : ratios)
    logarithms += std::log(ratio);
  auto const [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return {ratios.size(), std::exp(logarithms / static_cast<double>(ratios.size())), *least, *most};
}

} // namespace heddle::perf
