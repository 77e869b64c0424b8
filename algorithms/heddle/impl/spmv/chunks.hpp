// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMV on host threads, for formats that store rows (row_views.hpp). Each thread takes a contiguous
// piece of the rows with its share of the entries (cut once per plan), so skewed matrices stay
// balanced and every y(i) has one owner: no atomics, bitwise repeatable for every op. A x reads
// each entry once, in a loop made for the format (spmv/rows.hpp, spmv/slices.hpp,
// spmv/bsr_blocks.hpp). A^T x adds into windows (multiply/column_windows.hpp): one pass over A, two
// over the windows. Bytes: A once, x gathered, y once (transposed: the windows written, read and
// zeroed).

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
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
    bool has_long_rows = false;

    std::size_t bytes() const { return firsts.size() * sizeof(std::int64_t) + windows.bytes(); }
    static bool is_repeatable(Op) { return true; }
    std::string describe() const
    {
      return std::to_string(firsts.size() - 1) + " chunks of rows with equal entries; transposed " +
             std::to_string(windows.chunks()) + " chunks in windows of " +
             std::to_string(windows.width()) + " columns together";
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
            column_windows(exec, views, a.num_cols(), a.nnz(), chunks), has_long_rows(statistics)};
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
          multiply_transposed<Is::value>(exec, state.windows, alpha, a, x, beta, y);
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
    auto const* const first = state.firsts.data();
    bool const has_long_rows = state.has_long_rows;
    for_each_chunk_of(exec, kernel_label("spmv", name),
                      static_cast<std::int64_t>(state.firsts.size()) - 1, y,
                      [=](std::int64_t c, auto const& own_y) {
                        multiply_row_views<is_conjugate>(views, first[c], first[c + 1], values,
                                                         alpha, x, beta, own_y, has_long_rows);
                      });
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void multiply_transposed(Exec const& exec, ColumnWindows const& windows, Scalar alpha,
                                  Matrix const& a, X const& x, Scalar beta, Y const& y)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(windows.width()));
    auto const views = row_views_of(a);
    auto const* const values = a.values().data();
    auto const* const rows = windows.rows.data();
    auto const* const first = windows.first.data();
    auto const* const start = windows.start.data();
    Sum* const all = sums.data();
    for_each_chunk(exec, kernel_label("spmv", name, "::windows"), windows.chunks(),
                   [=](std::int64_t c) {
                     std::fill(all + start[c], all + start[c + 1], Sum{});
                     Sum* const mine = all + start[c];
                     std::int64_t const width = start[c + 1] - start[c];
                     for (std::int64_t i = rows[c]; i < rows[c + 1]; ++i)
                     {
                       Sum const xi = Sum(x(views.row(i)));
                       views[i].for_each([&](std::int64_t column, std::int64_t slot) {
                         std::int64_t const at = column - first[c];
                         if (0 <= at && at < width) // else another pattern than the plan's
                           mine[at] += Sum(conjugated<is_conjugate>(values[slot])) * xi;
                       });
                     }
                   });
    add_windows(exec, windows, all, alpha, beta, y);
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
