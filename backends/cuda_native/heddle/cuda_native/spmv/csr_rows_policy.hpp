// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/row_statistics.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// A kernel takes such a type, not its value: nvcc 13.0 cannot compile a __global__ template whose
// parameter is a struct value from a namespace.
struct SpmvCsrRowsPolicy
{
  int threads_per_block;
  int loads_in_flight; // entries that a thread loads before it uses the first
};

struct SpmvCsrRowsPolicyFor
{
  static constexpr SpmvCsrRowsPolicy value{128, 4};

  // 2 to 32 threads a row, so that a row of mean length takes one batch of loads: a second costs
  // more than idle threads do, until a batch would be half empty again (a mean beyond 64 entries).
  // Measured on an H200 over 42 matrices, 2026-11-22: docs/spmv.md.
  static int threads_per_row(impl::RowStatistics const& rows)
  {
    constexpr int least = 2, usual = 16, most = 32;
    constexpr double long_row = 100.0;
    int threads = least;
    while (threads < usual && rows.mean() > threads * value.loads_in_flight)
      threads *= 2;
    return rows.mean() > long_row ? most : threads;
  }

  // Whether the longest row is done before the whole matrix: a batch of loads takes as long as
  // about 200000 entries of other rows, of which half is allowed; less than four batches are not
  // waited for.
  static bool is_regular(impl::RowStatistics const& rows)
  {
    std::int64_t const batches = 4 + rows.nonzeros / 400000;
    return rows.longest <= batches * threads_per_row(rows) * value.loads_in_flight;
  }
};

} // namespace heddle::cuda_native
