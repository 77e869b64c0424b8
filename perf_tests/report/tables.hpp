// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <report/charts.hpp>
#include <report/contents.hpp>

namespace heddle::perf
{

// Tables as HTML, which sort by a click on a column's head. Columns that would be empty are left
// out.

// The means of speedups of all sections; links lead to them.
std::string overview_table(std::vector<Part> const& parts);
// Those of one section.
std::string speedup_table(Part const& part);
// Every case that ran, with its % of roofline.
std::string cases_table(Section const& section);
// Every case that did not, with the reason. Empty text where there is none.
std::string skipped_table(Section const& section);

std::string anchor_of(std::size_t part);

} // namespace heddle::perf
