// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// One HTML page that needs nothing else: the charts of each section, a table of its numbers and
// what was skipped, with reasons.
std::string page_of(std::vector<Result> const& results);

} // namespace heddle::perf
