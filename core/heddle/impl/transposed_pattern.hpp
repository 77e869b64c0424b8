// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The pattern of A^T with, for each entry, its position in A: whoever holds it multiplies with A^T
// by gathering, without atomics and bitwise repeatable, and never moves a value before it is used.

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
  Kokkos::View<Offset*, MemorySpace> row_offsets; // columns of A + 1
  Kokkos::View<Ordinal*, MemorySpace> columns;    // rows of A, ascending in each row
  Kokkos::View<Offset*, MemorySpace> positions;   // in A's columns and values

  std::size_t bytes() const
  {
    return row_offsets.span() * sizeof(Offset) + columns.span() * sizeof(Ordinal) +
           positions.span() * sizeof(Offset);
  }
};

// Writes the pattern into Views of columns of A + 1, nnz and nnz entries. Asynchronous on CUDA and
// hosts.
template <class Exec, class Matrix, class RowOffsets, class Columns, class Positions>
void transpose_pattern(Exec const& exec, Matrix const& a, RowOffsets const& row_offsets,
                       Columns const& columns, Positions const& positions)
{
  fill_with_positions(exec, positions);
  stable_sort_by_key(exec, a.columns(), a.num_cols(), positions);
  offsets_of_sorted(exec, a.columns(), positions, row_offsets);
  Scratch<typename Matrix::ordinal_type, Exec> const rows(exec, a.nnz());
  auto const row_of = rows.view();
  expand_rows(exec, a.row_offsets(), row_of);
  Kokkos::parallel_for(
      "heddle::transposed::gather", range(exec, a.nnz()),
      KOKKOS_LAMBDA(std::int64_t k) { columns(k) = row_of(positions(k)); });
}

template <class Matrix>
using TransposedPatternOf =
    TransposedPattern<typename Matrix::ordinal_type, typename Matrix::offset_type,
                      typename Matrix::memory_space>;

// Asynchronous on CUDA and hosts, but for the Views it makes.
template <class Exec, class Matrix>
TransposedPatternOf<Matrix> transposed_pattern(Exec const& exec, Matrix const& a)
{
  TransposedPatternOf<Matrix> t;
  t.row_offsets = uninitialized<decltype(t.row_offsets)>(
      exec, "heddle::transposed::row_offsets", static_cast<std::size_t>(a.num_cols()) + 1);
  t.columns = uninitialized<decltype(t.columns)>(exec, "heddle::transposed::columns", a.nnz());
  t.positions =
      uninitialized<decltype(t.positions)>(exec, "heddle::transposed::positions", a.nnz());
  transpose_pattern(exec, a, t.row_offsets, t.columns, t.positions);
  return t;
}

} // namespace heddle::impl
