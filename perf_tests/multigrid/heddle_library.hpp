// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include <multigrid/library.hpp>

namespace heddle::perf
{

// heddle with default plans, and with plans that keep what numeric phases are replayed from.
std::vector<MultigridLibrary> heddle_multigrid();

} // namespace heddle::perf
