// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

namespace heddle::perf
{

// What --json writes results of.
inline constexpr std::array<char const*, 16> operations{
    "spmv",         "spmv_t",         "spmv_dot",       "spmv_residual",
    "spmv_jacobi",  "spmv_chebyshev", "spmv_cg",        "spmm",
    "spmm_t",       "spmm_both",      "spgemm",         "spgemm_numeric",
    "formats_spmv", "formats_spmm",   "formats_spgemm", "formats_spgemm_numeric"};

} // namespace heddle::perf
