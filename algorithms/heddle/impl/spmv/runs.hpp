// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR times a vector with columns from runs (row_runs.hpp), on any Kokkos backend. Host threads
// take blocks: one index and one load of x serve all rows of the block, whose sums stay in
// registers. Where the entries of a regular block stand is the plan's knowledge, and its columns
// are the plan's pattern's: of another pattern nothing outside of the operands is read.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/row_runs.hpp>
#include <heddle/impl/spmv/rows.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// Columns are base + unit * indices[n / size] + n % size, or columns[n] where there are no indices.
template <class Ordinal>
struct RunRowView
{
  Ordinal const* columns;
  std::uint16_t const* indices;
  std::int64_t first, length, base, unit;
  int size;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    if (indices == nullptr)
      return f(static_cast<std::int64_t>(columns[n]), first + n);
    auto const m = static_cast<std::uint32_t>(n), run = m / static_cast<std::uint32_t>(size);
    f(base + unit * indices[run] + (m - run * static_cast<std::uint32_t>(size)), first + n);
  }
};

template <class Ordinal, class Offset>
struct RunRowViews
{
  std::int64_t count, unit; // rows, and rows of a block
  Offset const* offsets;
  Ordinal const* columns;
  RowRunsView<Ordinal> runs;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION RunRowView<Ordinal> operator[](std::int64_t i) const
  {
    std::int64_t const b = i / runs.size;
    if (!runs.is_regular(b))
    {
      auto const first = static_cast<std::int64_t>(offsets[i]);
      return {columns + first,
              nullptr,
              first,
              static_cast<std::int64_t>(offsets[i + 1]) - first,
              0,
              1,
              1};
    }
    RunRowView<Ordinal> view = of_block(b);
    view.first += (i - b * runs.size) * view.length;
    return view;
  }
  // The first row of a regular block.
  KOKKOS_FUNCTION RunRowView<Ordinal> of_block(std::int64_t b) const
  {
    std::int64_t const first = runs.first(b);
    std::int64_t const length = (runs.first(b + 1) - first) / runs.size;
    std::int64_t const g = b / runs.group;
    bool const has_indices = runs.bases[g] >= 0;
    return {columns + first,
            has_indices ? runs.indices + runs.first_index(first, runs.size) : nullptr,
            first,
            length,
            static_cast<std::int64_t>(runs.bases[g]),
            static_cast<std::int64_t>(runs.units[g]),
            runs.size};
  }
};

// Sums of the rows of a regular block.
template <int size, bool is_conjugate, class Sum, class Ordinal, class Value, class X>
std::array<Sum, size> sums_of_block(RunRowView<Ordinal> const& view, Value const* values,
                                    X const& x)
{
  std::array<Sum, size> sums{};
  Value const* const first = values + view.first;
  for (std::int64_t n = 0; n < view.length; n += size)
  {
    std::int64_t const begin =
        view.indices != nullptr ? view.base + view.unit * view.indices[n / size] : 0;
    for (int c = 0; c < size; ++c)
    {
      Sum const factor = Sum(x(view.indices != nullptr ? begin + c : view.columns[n + c]));
      for (int r = 0; r < size; ++r)
        sums[r] += Sum(conjugated<is_conjugate>(first[r * view.length + n + c])) * factor;
    }
  }
  return sums;
}

// The part of SpmvCompressed (spmv/compressed.hpp) that is its own.
template <class Matrix>
struct SpmvRuns
{
  static constexpr char const* name = "portable::csr_runs";
  using Form = RunsForm<Matrix>;
  using RowViews = RunRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>;

  static RowViews row_views(Matrix const& a, typename Form::Structure const& runs)
  {
    auto const view = runs.view();
    return {a.num_rows(), view.size, a.row_offsets().data(), a.columns().data(), view};
  }
  // Rows first .. last - 1, by a host thread; first begins a block, last ends one.
  template <bool is_conjugate, class Scalar, class X, class Y, class Ahead>
  static void multiply(RowViews const& views, std::int64_t first, std::int64_t last,
                       typename Matrix::value_type const* values, Scalar alpha, X const& x,
                       Scalar beta, Y const& y, Ahead ahead)
  {
    auto const of_size = [&]<int size>(std::integral_constant<int, size>) {
      multiply_blocks<size, is_conjugate>(views, first, last, values, alpha, x, beta, y, ahead);
    };
    switch (views.runs.size)
    {
    case 2:
      return of_size(std::integral_constant<int, 2>{});
    case 3:
      return of_size(std::integral_constant<int, 3>{});
    case 4:
      return of_size(std::integral_constant<int, 4>{});
    case 5:
      return of_size(std::integral_constant<int, 5>{});
    default:
      return of_size(std::integral_constant<int, 6>{});
    }
  }
  template <int size, bool is_conjugate, class Scalar, class X, class Y, class Ahead>
  static void multiply_blocks(RowViews const& views, std::int64_t first, std::int64_t last,
                              typename Matrix::value_type const* values, Scalar alpha, X const& x,
                              Scalar beta, Y const& y, Ahead ahead)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    for (std::int64_t row = first; row < last; row += size)
    {
      ahead.reach(static_cast<std::int64_t>(views.offsets[std::min(row + size, last)]));
      if (views.runs.is_regular(row / size))
      {
        auto const sums =
            sums_of_block<size, is_conjugate, Sum>(views.of_block(row / size), values, x);
        for (int r = 0; r < size; ++r)
          store(y(row + r), alpha, sums[r], beta);
      }
      else
        for (std::int64_t i = row; i < std::min(row + size, last); ++i)
        {
          auto const view = views[i];
          store(y(i), alpha,
                sparse_dot<true, is_conjugate, Sum>(view.columns, values + view.first, 0,
                                                    view.length, x),
                beta);
        }
    }
  }
};

} // namespace heddle::impl
