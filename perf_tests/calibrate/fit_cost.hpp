// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/row_segment_model.hpp>

#include <vector>

namespace heddle::perf
{

struct CostSample
{
  double accumulations = 0, entries = 0, milliseconds = 0;
};

// The cost that comes nearest to the samples by least squares: through both of two, as paper 000
// solves them (section 4.3). No part of it is negative: where noise makes one so, the other part
// says all. Throws InvalidArgument where the samples do not tell the parts apart.
LinearCost fit_cost(std::vector<CostSample> const& samples);

} // namespace heddle::perf
