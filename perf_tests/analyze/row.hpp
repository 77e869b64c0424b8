// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <nlohmann/json_fwd.hpp>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// All that is said of a matrix on a machine as a row of a file of results, operation "analyze": its
// bounds in words, bytes and flops, what the hypergraphs gave, if they were cut, and what a page
// shows besides: tables, advice, what was measured, row lengths, distances of entries and density.
nlohmann::ordered_json row_of(MatrixAnalysis const& analysis, MachineDescription const& machine);

} // namespace heddle::perf
