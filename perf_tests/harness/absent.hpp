// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/candidate.hpp>
#include <harness/settings.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// Adds a candidate for each kernel that was asked for by name and is not among `all`, because it
// does not exist for this value type or for as many entries: its row is skipped and says so.
void add_absent(std::vector<Candidate>& all, Settings const& settings,
                std::string const& value_type);

} // namespace heddle::perf
