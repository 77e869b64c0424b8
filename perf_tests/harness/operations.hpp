// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

namespace heddle::perf
{

// What --json writes results of.
inline constexpr std::array<char const*, 9> operations{
    "spmv",   "spmv_t",         "spmm",         "spmm_t",      "spmm_both",
    "spgemm", "spgemm_numeric", "formats_spmv", "formats_spmm"};

} // namespace heddle::perf
