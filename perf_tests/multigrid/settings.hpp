// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>

namespace heddle::perf
{

struct MultigridSettings
{
  Settings common;
  double tolerance = 1e-8;   // of the relative residual
  int iterations = 100;      // at most
  bool is_laplacian = false; // of the graph that the matrix is
};

} // namespace heddle::perf
