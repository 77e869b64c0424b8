// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include <multigrid/library.hpp>

namespace heddle::perf
{

// heddle with default plans; with plans that expect one call; with plans that keep what numeric
// phases are replayed from; and with default plans and passes over vectors apart from products, as
// the other libraries have them.
std::vector<MultigridLibrary> heddle_multigrid();

} // namespace heddle::perf
