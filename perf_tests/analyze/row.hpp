// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// The figures of a matrix as a row of a file of results, operation "analyze": its bounds in words,
// bytes and flops, and what the hypergraphs gave, if they were cut.
nlohmann::ordered_json row_of(MatrixAnalysis const& analysis);

} // namespace heddle::perf
