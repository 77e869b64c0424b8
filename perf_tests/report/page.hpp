// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include <report/contents.hpp>

namespace heddle::perf
{

// One HTML page that needs nothing else: what is in it and what is missing, means of speedups, and
// by section charts, a table of all cases and the reasons of those that were skipped.
std::string page_of(Contents const& contents);

} // namespace heddle::perf
