// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpmvCsrPanelsPolicy
{
  int threads_per_block; // one block a multiprocessor
  int loads_in_flight;   // entries that a thread loads before it uses the first
  int panel_bytes;       // of x in shared memory, of which a block has 227 KiB on Hopper
};

struct SpmvCsrPanelsPolicyFor
{
  static constexpr SpmvCsrPanelsPolicy value{1024, 4, 200 << 10};
  static constexpr std::int64_t best_panels = 2;

  static std::int64_t panel_length(std::size_t value_bytes)
  {
    return value.panel_bytes / static_cast<std::int64_t>(value_bytes);
  }
  static std::int64_t panels(std::int64_t cols, std::size_t value_bytes)
  {
    return impl::divided_up(cols, panel_length(value_bytes));
  }
  // Whether panels can pay, if columns are scattered. An x that fits into one panel fits into the
  // first-level cache too, which then is as fast (H200, permuted band in f32, 2026-11-22). Else a
  // gather is answered about twice as fast, but every multiprocessor, of which there are 132, reads
  // all of x, 64 bytes a cycle.
  static bool can_pay(impl::RowStatistics const& rows, std::int64_t cols, std::size_t value_bytes)
  {
    constexpr double processors = 132.0, bytes_per_cycle = 64.0;
    double const gathers = static_cast<double>(rows.nonzeros) / processors;
    double const copying =
        static_cast<double>(cols) * static_cast<double>(value_bytes) / bytes_per_cycle;
    return panels(cols, value_bytes) == best_panels && gathers > 2.0 * copying;
  }
  // Of neighbours in a row, those whose columns lie in different lines of 128 bytes.
  static constexpr double least_scattered = 0.5;
};

} // namespace heddle::cuda_native
