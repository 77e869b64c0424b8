// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM on host threads, rows cut by entries as in spmv/chunks.hpp and multiplied one by one
// (spmm/row.hpp for CSR, spmm/row_view.hpp for other formats): A is read from memory once, its row
// from the L1 cache for the later tiles; B is gathered once per entry. A^T B adds tiles into
// windows (multiply/column_windows.hpp), as many tiles at once as keep the threads busy, and sums
// the windows: no atomics, bitwise repeatable.

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/host_caches.hpp>
#include <heddle/impl/multiply/column_windows.hpp>
#include <heddle/impl/multiply/csr_pointers.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spmm/row.hpp>
#include <heddle/impl/spmm/row_view.hpp>
#include <heddle/impl/spmv/chunks.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

template <class Exec, class Matrix>
struct SpmmChunks
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = RowViewKernelNames<Matrix>::chunks;
  static constexpr bool is_supported = has_row_views_v<Matrix> && is_host_v<Exec>;
  struct State
  {
    typename SpmvChunks<Exec, Matrix>::State chunks;
    bool has_two_chains = false;
    bool is_local = true;

    std::size_t bytes() const { return chunks.bytes(); }
    static bool is_repeatable(Op) { return true; }
    std::string describe() const
    {
      return chunks.describe() + (is_local ? "" : "; rows of a large B are prefetched");
    }
  };
  template <class B, class C>
  static constexpr Takes takes = Takes::all;

  template <class Seen>
  static Verdict can_run(Exec const&, Seen const&, RowStatistics const&, SpmmOptions const&)
  {
    return {true, "it is the one for host threads"};
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& rows,
                       SpmmOptions const&)
  {
    State state{SpmvChunks<Exec, Matrix>::analyze(exec, a, rows, {})};
    if constexpr (is_csr_matrix_v<Matrix>)
    {
      state.has_two_chains = rows.mean() >= SpmmRowTuning::two_chain_row;
      state.is_local = locality(CsrPointers<Matrix>(a), a.num_rows()) >= SpmmRowTuning::local_share;
    }
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (is_transposed(op))
        multiply_transposed<Is::value>(exec, state.chunks.windows, alpha, a, b, beta, c);
      else
        multiply<Is::value>(exec, state, alpha, a, b, beta, c);
    });
  }

  template <bool is_conjugate, class Scalar, class B, class C>
  static void multiply(Exec const& exec, State const& state, Scalar alpha, Matrix const& a,
                       B const& b, Scalar beta, C const& c)
  {
    auto const* const first = state.chunks.firsts.data();
    std::size_t const bytes =
        static_cast<std::size_t>(b.rows * b.cols) * sizeof(typename B::value_type);
    SpmmRowTuning const tuning{state.has_two_chains,
                               !state.is_local && bytes > host_caches().gathered_bytes()};
    using Sum = accumulator_t<typename Matrix::value_type, typename B::value_type, Scalar>;
    with_tile<Sum, widest_tile<Sum, B, C>>(c.cols, [&](auto tile) {
      for_each_chunk(
          exec, kernel_label("spmm", name),
          static_cast<std::int64_t>(state.chunks.firsts.size()) - 1, [=](std::int64_t n) {
            if constexpr (is_csr_matrix_v<Matrix>)
              multiply_rows<decltype(tile)::value, is_conjugate, Sum>(
                  first[n], first[n + 1], alpha, CsrPointers<Matrix>(a), b, beta, c, tuning);
            else
              multiply_row_views<decltype(tile)::value, is_conjugate, Sum>(
                  row_views_of(a), first[n], first[n + 1], a.values().data(), alpha, b, beta, c);
          });
    });
  }

  template <bool is_conjugate, class Scalar, class B, class C>
  static void multiply_transposed(Exec const& exec, ColumnWindows const& windows, Scalar alpha,
                                  Matrix const& a, B const& b, Scalar beta, C const& c)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename B::value_type, Scalar>;
    constexpr std::int64_t tile = 2 * line_tile<Sum>;
    std::int64_t const chunks = windows.chunks(), tiles = divided_up(c.cols, tile);
    std::int64_t const at_once =
        std::min<std::int64_t>(tiles, divided_up(exec.concurrency(), chunks));
    std::int64_t const size = windows.width() * tile; // of the windows of one tile
    Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(size * at_once));
    Sum* const all = sums.data();
    for (std::int64_t first = 0; first < tiles; first += at_once)
    {
      std::int64_t const now = std::min(at_once, tiles - first);
      fill_windows<is_conjugate, tile>(exec, windows, a, b, first, now, all);
      for (std::int64_t t = 0; t < now; ++t)
        add_windows<tile>(exec, windows, all + t * size, (first + t) * tile, alpha, beta, c);
    }
  }

  // Into windows: tiles first .. first + now - 1 of A^T B, each chunk's share of its own.
  template <bool is_conjugate, std::int64_t tile, class Sum, class B>
  static void fill_windows(Exec const& exec, ColumnWindows const& windows, Matrix const& a,
                           B const& b, std::int64_t first_tile, std::int64_t now, Sum* all)
  {
    auto const views = row_views_of(a);
    auto const* const values = a.values().data();
    auto const* const rows = windows.rows.data();
    auto const* const first = windows.first.data();
    auto const* const start = windows.start.data();
    std::int64_t const chunks = windows.chunks(), width = windows.width();
    auto const label = kernel_label("spmm", name, "::windows");
    for_each_chunk(exec, label, chunks * now, [=](std::int64_t task) {
      std::int64_t const chunk = task % chunks, t = task / chunks;
      std::int64_t const j = (first_tile + t) * tile, columns_here = std::min(tile, b.cols - j);
      Sum* const window = all + (t * width + start[chunk]) * tile;
      std::int64_t const columns_of_window = start[chunk + 1] - start[chunk];
      std::fill(window, window + columns_of_window * tile, Sum{});
      std::array<Sum, tile> row{};
      for (std::int64_t i = rows[chunk]; i < rows[chunk + 1]; ++i)
      {
        std::int64_t const from = views.row(i);
        for (std::int64_t n = 0; n < columns_here; ++n)
          row[n] = Sum(b(from, j + n));
        views[i].for_each([&](std::int64_t column, std::int64_t slot) {
          std::int64_t const at = column - first[chunk];
          if (at < 0 || at >= columns_of_window)
            return; // another pattern than the plan's
          Sum const value = Sum(conjugated<is_conjugate>(values[slot]));
          Sum* const target = window + at * tile;
          for (std::int64_t n = 0; n < tile; ++n)
            target[n] += value * row[n];
        });
      }
    });
  }

  template <std::int64_t tile, class Sum, class Scalar, class C>
  static void add_windows(Exec const& exec, ColumnWindows const& windows, Sum const* all,
                          std::int64_t j, Scalar alpha, Scalar beta, C const& c)
  {
    std::int64_t const chunks = windows.chunks(), columns_here = std::min(tile, c.cols - j);
    auto const* const first = windows.first.data();
    auto const* const last = windows.last.data();
    auto const* const start = windows.start.data();
    Kokkos::parallel_for(
        kernel_label("spmm", name, "::add_windows"), range(exec, c.rows), [=](std::int64_t i) {
          std::array<Sum, tile> sum{};
          for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
            if (first[chunk] <= i && i < last[chunk])
            {
              Sum const* const window = all + (start[chunk] + i - first[chunk]) * tile;
              for (std::int64_t n = 0; n < tile; ++n)
                sum[n] += window[n];
            }
          for (std::int64_t n = 0; n < columns_here; ++n)
            store(c(i, j + n), alpha, sum[n], beta);
        });
  }
};

} // namespace heddle::impl
