// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// Results that belong together: of one operation, value type, layout and device, and of one k
// unless they are of the command formats.
struct Section
{
  std::string title;
  std::vector<Result> results;
};

// In the order in which the first result of each comes.
std::vector<Section> sections_of(std::vector<Result> const& results);

// The charts that a section has results for, as SVG. Of formats, after paper 002: times and
// speedups by matrix, and over density where matrices of one size differ only in it. Of everything:
// GFLOPS by entries, roofline, performance profile (paper 000, Fig. 10; Dolan and More, Math.
// Program. 91, 2002) and how often which speedup is reached.
std::vector<std::string> charts_of(Section const& section);

} // namespace heddle::perf
