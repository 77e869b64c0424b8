// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMV on host threads, for formats that store rows (row_views.hpp). Each thread takes a contiguous
// piece of the rows with its share of the entries (cut once per plan), so skewed matrices stay
// balanced and every y(i) has one owner: no atomics, bitwise repeatable for every op. A x reads
// each entry once, in a loop made for the format (spmv/rows.hpp, spmv/slices.hpp,
// spmv/bsr_blocks.hpp). A^T x adds into windows (multiply/column_windows.hpp): one pass over A, two
// over the windows; where all rows are one chunk, into y. Bytes: A once, x gathered, y once
// (transposed: the windows written, read and zeroed).

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entries_ahead.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/multiply/column_windows.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spmv/bsr_blocks.hpp>
#include <heddle/impl/spmv/rows.hpp>
#include <heddle/impl/spmv/slices.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::impl
{

template <class Exec, class Matrix>
struct SpmvChunks
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = RowViewKernelNames<Matrix>::chunks;
  static constexpr bool is_supported = has_row_views_v<Matrix> && is_host_v<Exec>;
  struct State
  {
    std::vector<std::int64_t> firsts; // chunk c has rows firsts[c] .. firsts[c + 1] - 1
    ColumnWindows windows;
    SpmvRowTuning tuning;

    std::size_t bytes() const { return firsts.size() * sizeof(std::int64_t) + windows.bytes(); }
    static bool is_repeatable(Op) { return true; }
    std::string describe() const
    {
      return std::to_string(firsts.size() - 1) + " chunks of rows with equal entries; transposed " +
             std::to_string(windows.chunks()) + " chunks in windows of " +
             std::to_string(windows.width()) + " columns together" +
             (tuning.comes_from_memory ? "; entries come from memory" : "");
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;
  template <class Epilogue>
  static constexpr bool fuses = true;

  template <class Seen>
  static Verdict can_run(Exec const&, Seen const&, RowStatistics const&, SpmvOptions const&)
  {
    return {true, "it is the one for host threads"};
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                       SpmvOptions const&)
  {
    std::int64_t const chunks = exec.concurrency();
    auto const views = row_views_of(a);
    return {split_row_views(views, chunks),
            column_windows(exec, views, a.num_cols(), a.nnz(), chunks),
            SpmvRowTuning::of<Matrix>(statistics)};
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if constexpr (is_fused_v<Y>)
      return multiply<false>(exec, state, alpha, a, x, beta, y);
    else
      with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
        if (is_transposed(op))
          multiply_transposed<Is::value>(exec, state, alpha, a, x, beta, y);
        else
          multiply<Is::value>(exec, state, alpha, a, x, beta, y);
      });
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void multiply(Exec const& exec, State const& state, Scalar alpha, Matrix const& a,
                       X const& x, Scalar beta, Y const& y)
  {
    auto const views = row_views_of(a);
    auto const* const values = a.values().data();
    SpmvRowTuning const tuning = state.tuning;
    for_each_chunk_of_rows(exec, kernel_label("spmv", name), state.firsts, views,
                           tuning.comes_from_memory, y,
                           [=](std::int64_t first, std::int64_t last, auto const& own_y) {
                             multiply_row_views<is_conjugate>(views, first, last, values, alpha, x,
                                                              beta, own_y, tuning);
                           });
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void multiply_transposed(Exec const& exec, State const& state, Scalar alpha,
                                  Matrix const& a, X const& x, Scalar beta, Y const& y)
  {
    ColumnWindows const& windows = state.windows;
    SpmvRowTuning const tuning = state.tuning;
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    auto const views = row_views_of(a);
    auto const* const values = a.values().data();
    if constexpr (std::is_same_v<Sum, typename Y::value_type> &&
                  std::is_same_v<typename Y::layout, Kokkos::LayoutRight>)
      if (windows.chunks() == 1)
      {
        for_each_chunk(exec, kernel_label("spmv", name, "::one_window"), 1, [=](std::int64_t) {
          for (std::int64_t j = 0; j < y.size; ++j)
            store(y(j), Sum(0), Sum(0), beta);
          add_rows_to_window<is_conjugate>(views, 0, views.count, values, alpha, x, y.data, 0,
                                           y.size, tuning);
        });
        return;
      }
    Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(windows.width()));
    auto const* const rows = windows.rows.data();
    auto const* const first = windows.first.data();
    auto const* const start = windows.start.data();
    Sum* const all = sums.data();
    for_each_chunk(exec, kernel_label("spmv", name, "::windows"), windows.chunks(),
                   [=](std::int64_t c) {
                     std::fill(all + start[c], all + start[c + 1], Sum{});
                     add_rows_to_window<is_conjugate>(views, rows[c], rows[c + 1], values, Sum(1),
                                                      x, all + start[c], first[c],
                                                      start[c + 1] - start[c], tuning);
                   });
    add_windows(exec, windows, all, alpha, beta, y);
  }

  // window(j - first_column) += alpha times the terms of column j of the rows first .. last - 1.
  template <bool is_conjugate, class RowViews, class Value, class X, class Sum>
  static void add_rows_to_window(RowViews const& views, std::int64_t first, std::int64_t last,
                                 Value const* values, Sum const& alpha, X const& x, Sum* window,
                                 std::int64_t first_column, std::int64_t width,
                                 SpmvRowTuning tuning)
  {
    if (first == last)
      return; // a default-constructed matrix has no offsets at all
    if constexpr (is_csr_matrix_v<Matrix>)
      if (tuning.comes_from_memory)
        return add_to_window<is_conjugate>(views, first, last, values, alpha, x, window,
                                           first_column, width,
                                           entries_ahead(views, values, first));
    add_to_window<is_conjugate>(views, first, last, values, alpha, x, window, first_column, width,
                                NothingAhead{});
  }
  // All by value, see spmv/rows.hpp.
  template <bool is_conjugate, class RowViews, class Value, class X, class Sum, class Ahead>
  static void add_to_window(RowViews views, std::int64_t first, std::int64_t last,
                            Value const* values, Sum alpha, X x, Sum* window,
                            std::int64_t first_column, std::int64_t width, Ahead ahead)
  {
    for (std::int64_t i = first; i < last; ++i)
    {
      if constexpr (!std::is_same_v<Ahead, NothingAhead>)
        ahead.reach(static_cast<std::int64_t>(views.offsets[i + 1]));
      Sum const xi = alpha * Sum(x(views.row(i)));
      views[i].for_each([&](std::int64_t column, std::int64_t slot) {
        std::int64_t const at = column - first_column;
        if (0 <= at && at < width) // else another pattern than the plan's
          window[at] += Sum(conjugated<is_conjugate>(values[slot])) * xi;
      });
    }
  }

  template <class Sum, class Scalar, class Y>
  static void add_windows(Exec const& exec, ColumnWindows const& windows, Sum const* all,
                          Scalar alpha, Scalar beta, Y const& y)
  {
    constexpr std::int64_t block = 512; // sums that stay in the L1 cache
    std::int64_t const n = y.size, chunks = windows.chunks();
    auto const* const first = windows.first.data();
    auto const* const last = windows.last.data();
    auto const* const start = windows.start.data();
    Kokkos::parallel_for(kernel_label("spmv", name, "::add_windows"),
                         range(exec, divided_up(n, block)), [=](std::int64_t b) {
                           std::array<Sum, block> sum{};
                           std::int64_t const low = b * block, high = std::min(n, low + block);
                           for (std::int64_t c = 0; c < chunks; ++c)
                             for (std::int64_t j = std::max(low, first[c]);
                                  j < std::min(high, last[c]); ++j)
                               sum[j - low] += all[start[c] + j - first[c]];
                           for (std::int64_t j = low; j < high; ++j)
                             store(y(j), alpha, sum[j - low], beta);
                         });
  }
};

} // namespace heddle::impl
