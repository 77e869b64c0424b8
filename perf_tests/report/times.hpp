// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <report/charts.hpp>

namespace heddle::perf
{

// Paper 004's Table III of each section, as plain text: a row a matrix, a column a kernel
// (kernels.hpp), seconds a call as the mean of the timed calls and again as their median, then why
// cells are without a time.
std::string times_text(std::vector<Section> const& sections);

} // namespace heddle::perf
