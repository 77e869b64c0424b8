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

// Asynchronous on CUDA and hosts, but for the Views it makes.
template <class Matrix>
using TransposedPatternOf =
    TransposedPattern<typename Matrix::ordinal_type, typename Matrix::offset_type,
                      typename Matrix::memory_space>;

template <class Exec, class Matrix>
TransposedPatternOf<Matrix> transposed_pattern(Exec const& exec, Matrix const& a)
{
  using Ordinal = typename Matrix::ordinal_type;
  TransposedPatternOf<Matrix> t;
  t.row_offsets = uninitialized<decltype(t.row_offsets)>(
      exec, "heddle::transposed::row_offsets", static_cast<std::size_t>(a.num_cols()) + 1);
  t.columns = uninitialized<decltype(t.columns)>(exec, "heddle::transposed::columns", a.nnz());
  t.positions =
      uninitialized<decltype(t.positions)>(exec, "heddle::transposed::positions", a.nnz());
  fill_with_positions(exec, t.positions);
  stable_sort_by_key(exec, a.columns(), a.num_cols(), t.positions);
  offsets_of_sorted(exec, a.columns(), t.positions, t.row_offsets);
  Scratch<Ordinal, Exec> const rows(exec, a.nnz());
  auto const row_of = rows.view();
  expand_rows(exec, a.row_offsets(), row_of);
  auto const columns = t.columns;
  auto const positions = t.positions;
  Kokkos::parallel_for(
      "heddle::transposed::gather", range(exec, a.nnz()),
      KOKKOS_LAMBDA(std::int64_t k) { columns(k) = row_of(positions(k)); });
  return t;
}

} // namespace heddle::impl
