// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <string>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// Lines of a name, and what is said of it: figures of the pattern, bounds of the multiplies, what
// was measured of them (no line where nothing was), and what orders would change. The first is a
// head.
using Lines = std::vector<std::vector<std::string>>;
Lines figure_lines(MatrixAnalysis const& analysis);
Lines bound_lines(MatrixAnalysis const& analysis, MachineDescription const& machine);
Lines measured_lines(MatrixAnalysis const& analysis, MachineDescription const& machine);
Lines order_lines(MatrixAnalysis const& analysis);

} // namespace heddle::perf
