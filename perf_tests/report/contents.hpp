// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <report/charts.hpp>
#include <report/figure.hpp>
#include <report/input.hpp>
#include <report/settings.hpp>
#include <report/speedups.hpp>

namespace heddle::perf
{

struct Part
{
  Section section;
  std::vector<Figure> figures;
  std::vector<Speedups> speedups;
  std::vector<std::string> not_charted; // implementations that only tables have
};

// All that the page says, before it is written as HTML.
struct Contents
{
  std::size_t results = 0;
  std::vector<std::string> about;   // what was read, where it was measured, what was asked for
  std::vector<std::string> missing; // what a reader may look for in vain, or should mind
  std::vector<Part> parts;
  std::vector<Figure> across;
};

Contents contents_of(Input input, ReportSettings const& settings);

} // namespace heddle::perf
