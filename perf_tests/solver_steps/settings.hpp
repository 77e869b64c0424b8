// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// Of the command solver-steps.
struct SolverStepsSettings
{
  Settings common;
  std::vector<std::string> steps{"dot", "residual", "jacobi", "chebyshev", "cg"};
};

} // namespace heddle::perf
