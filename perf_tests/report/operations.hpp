// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace heddle::perf
{

// What --json writes results of, in the order of the page.
inline constexpr std::array<char const*, 9> operations{
    "spmv",   "spmv_t",         "spmm",         "spmm_t",      "spmm_both",
    "spgemm", "spgemm_numeric", "formats_spmv", "formats_spmm"};

// Unknown ones come last.
inline std::size_t place_of_operation(std::string const& operation)
{
  return static_cast<std::size_t>(std::find(operations.begin(), operations.end(), operation) -
                                  operations.begin());
}

// spgemm plans within the call.
inline bool has_plan(std::string const& operation) { return operation != "spgemm"; }

} // namespace heddle::perf
