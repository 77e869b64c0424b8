// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The pattern of A^T with, for each entry, its position in A: whoever holds it multiplies with A^T
// by gathering, without atomics and bitwise repeatable, and never moves a value before it is used.

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template <class Ordinal, class Offset, class MemorySpace>
struct TransposedPattern
{
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  Kokkos::View<Offset*, MemorySpace> row_offsets; // columns of A + 1
  Kokkos::View<Ordinal*, MemorySpace> columns;    // rows of A, ascending in each row
  Kokkos::View<Offset*, MemorySpace> positions;   // in A's columns and values

  std::size_t bytes() const
  {
    return row_offsets.span() * sizeof(Offset) + columns.span() * sizeof(Ordinal) +
           positions.span() * sizeof(Offset);
  }
};

// columns(k) = columns_of(positions(k)). A functor: nvcc's copies of lambdas may be of another
// translation unit (scan.hpp).
template <class ColumnsOf, class Columns, class Positions>
struct GatherColumns
{
  ColumnsOf columns_of;
  Columns columns;
  Positions positions;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { columns(k) = columns_of(positions(k)); }
};

// What gather_by_row makes, of positions that are sorted by row already. Asynchronous.
template <class Exec, class Rows, class ColumnsOf, class RowOffsets, class Columns, class Positions>
void gather_sorted(Exec const& exec, Rows const& rows, ColumnsOf const& columns_of,
                   RowOffsets const& row_offsets, Columns const& columns,
                   Positions const& positions)
{
  offsets_of_sorted(exec, rows, positions, row_offsets);
  Kokkos::parallel_for(
      "heddle::transposed::gather", range(exec, positions.extent(0)),
      GatherColumns<ColumnsOf, Columns, Positions>{columns_of, columns, positions});
}

// Entries by row, where entry k of a list is in row rows(k) and column columns_of(k): row_offsets
// has an entry a row and one more, columns and positions (in the list) one an entry. Asynchronous
// on CUDA and hosts.
template <class Exec, class Rows, class ColumnsOf, class RowOffsets, class Columns, class Positions>
void gather_by_row(Exec const& exec, Rows const& rows, ColumnsOf const& columns_of,
                   RowOffsets const& row_offsets, Columns const& columns,
                   Positions const& positions)
{
  fill_with_positions(exec, positions);
  stable_sort_by_key(exec, rows, static_cast<std::int64_t>(row_offsets.extent(0)) - 1, positions);
  gather_sorted(exec, rows, columns_of, row_offsets, columns, positions);
}

// Writes the pattern into Views of columns of A + 1, nnz and nnz entries. Asynchronous on CUDA and
// hosts.
template <class Exec, class Matrix, class RowOffsets, class Columns, class Positions>
void transpose_pattern(Exec const& exec, Matrix const& a, RowOffsets const& row_offsets,
                       Columns const& columns, Positions const& positions)
{
  Scratch<typename Matrix::ordinal_type, Exec> const rows(exec, a.nnz());
  expand_rows(exec, a.row_offsets(), rows.view());
  gather_by_row(exec, a.columns(), rows.view(), row_offsets, columns, positions);
}

// What gather_values does with one entry: a functor, see scan.hpp.
template <bool is_conjugate, class Positions, class From, class To>
struct GatherValue
{
  Positions positions;
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    to(k) = conjugated<is_conjugate>(from(positions(k)));
  }
};

// to(k) = from(positions(k)), conjugated or not. Asynchronous.
template <bool is_conjugate, class Exec, class Positions, class From, class To>
void gather_values(Exec const& exec, Positions const& positions, From const& from, To const& to)
{
  Kokkos::parallel_for("heddle::transpose::values", range(exec, to.extent(0)),
                       GatherValue<is_conjugate, Positions, From, To>{positions, from, to});
}

template <class Matrix>
using TransposedPatternOf =
    TransposedPattern<typename Matrix::ordinal_type, typename Matrix::offset_type,
                      typename Matrix::memory_space>;

// Arrays for so many rows and entries, not yet written.
template <class Pattern, class Exec>
Pattern new_transposed_pattern(Exec const& exec, std::int64_t rows, std::size_t nnz)
{
  Pattern t;
  t.row_offsets = uninitialized<decltype(t.row_offsets)>(exec, "heddle::transposed::row_offsets",
                                                         static_cast<std::size_t>(rows) + 1);
  t.columns = uninitialized<decltype(t.columns)>(exec, "heddle::transposed::columns", nnz);
  t.positions = uninitialized<decltype(t.positions)>(exec, "heddle::transposed::positions", nnz);
  return t;
}

// Asynchronous on CUDA and hosts, but for the Views it makes.
template <class Exec, class Matrix>
TransposedPatternOf<Matrix> transposed_pattern(Exec const& exec, Matrix const& a)
{
  auto t = new_transposed_pattern<TransposedPatternOf<Matrix>>(exec, a.num_cols(), a.nnz());
  transpose_pattern(exec, a, t.row_offsets, t.columns, t.positions);
  return t;
}

} // namespace heddle::impl
