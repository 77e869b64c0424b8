// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <string>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// What to do with the matrix on this machine, and why, in sentences: formats and plans of SpMV and
// SpMM, what limits each multiply, and what the tried orders would gain.
std::vector<std::string> advice_of(MatrixAnalysis const& analysis,
                                   MachineDescription const& machine);

} // namespace heddle::perf
