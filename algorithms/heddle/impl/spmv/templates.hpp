// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR times a vector with columns from row templates (row_templates.hpp), on any Kokkos backend.
// The length of a row is the caller's matrix's, at most its list's: of another pattern than the
// plan's nothing outside of the operands is read.

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/row_templates.hpp>
#include <heddle/impl/spmv/rows.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Columns are row + columns[n]; row is 0 where they are those of the matrix.
template <class Ordinal>
struct TemplateRowView
{
  Ordinal const* columns;
  std::int64_t first, length, row;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    f(row + static_cast<std::int64_t>(columns[n]), first + n);
  }
};

template <class Ordinal, class Offset>
struct TemplateRowViews
{
  static constexpr std::int64_t unit = 1;
  std::int64_t count;
  Offset const* offsets;
  Ordinal const* columns;
  RowTemplatesView<Ordinal> templates;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION TemplateRowView<Ordinal> operator[](std::int64_t i) const
  {
    auto const first = static_cast<std::int64_t>(offsets[i]);
    std::int64_t const length = static_cast<std::int64_t>(offsets[i + 1]) - first;
    unsigned const list = templates.of_row[i];
    if (list == templates.none)
      return {columns + first, first, length, 0};
    std::int64_t const start = templates.starts[list];
    std::int64_t const of_list = templates.starts[list + 1] - start;
    return {templates.offsets + start, first, length < of_list ? length : of_list, i};
  }
};

// x(j + row) for the column j of a template.
template <class X>
struct ShiftedVector
{
  X x;
  std::int64_t row;

  auto const& operator()(std::int64_t j) const { return x(row + j); }
};

// The part of SpmvCompressed (spmv/compressed.hpp) that is its own.
template <class Matrix>
struct SpmvTemplates
{
  static constexpr char const* name = "portable::csr_templates";
  using Form = TemplatesForm<Matrix>;
  using RowViews = TemplateRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>;

  static RowViews row_views(Matrix const& a, typename Form::Structure const& templates)
  {
    return {static_cast<std::int64_t>(a.num_rows()), a.row_offsets().data(), a.columns().data(),
            templates.view()};
  }
  // Rows first .. last - 1, by a host thread.
  template <bool is_conjugate, class Scalar, class X, class Y, class Ahead>
  static void multiply(RowViews const& views, std::int64_t first, std::int64_t last,
                       typename Matrix::value_type const* values, Scalar alpha, X const& x,
                       Scalar beta, Y const& y, Ahead ahead)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    for (std::int64_t i = first; i < last; ++i)
    {
      auto const view = views[i];
      ahead.reach(view.first + view.length);
      Sum const sum = sparse_dot<true, is_conjugate, Sum>(
          view.columns, values + view.first, 0, view.length, ShiftedVector<X>{x, view.row});
      store(y(i), alpha, sum, beta);
    }
  }
};

} // namespace heddle::impl
