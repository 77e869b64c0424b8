// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <multigrid/library.hpp>

namespace heddle::perf
{

// heddle, each product with a plan that is made for many numeric phases.
MultigridLibrary heddle_multigrid();

} // namespace heddle::perf
