// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>

#include <cmath>
#include <vector>

#include <calibrate/fit_cost.hpp>

namespace heddle::perf
{

LinearCost fit_cost(std::vector<CostSample> const& samples)
{
  // The normal equations of accumulations x + entries y = milliseconds.
  double aa = 0, ae = 0, ee = 0, at = 0, et = 0;
  for (CostSample const& s : samples)
  {
    aa += s.accumulations * s.accumulations;
    ae += s.accumulations * s.entries;
    ee += s.entries * s.entries;
    at += s.accumulations * s.milliseconds;
    et += s.entries * s.milliseconds;
  }
  double const determinant = aa * ee - ae * ae;
  impl::require(determinant > 1e-12 * aa * ee, "fit_cost", samples.size(),
                " samples whose accumulations and entries are in one proportion");
  LinearCost const both{(at * ee - et * ae) / determinant, (et * aa - at * ae) / determinant};
  if (both.per_accumulation < 0)
    return {0, et / ee};
  if (both.per_entry < 0)
    return {at / aa, 0};
  return both;
}

} // namespace heddle::perf
