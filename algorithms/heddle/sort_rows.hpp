// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle
{

/// Whether columns ascend in every row. One pass; waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
bool has_sorted_rows(Exec const& exec, Matrix const& a)
{
  return impl::has_ascending_rows(exec, a.row_offsets(), a.columns());
}

/// Sorts each row by column, in place; values move along. A matrix that is sorted costs one pass,
/// another one two sorts of nnz keys and scratch of two offsets, two ordinals and a value an entry.
/// Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
void sort_rows(Exec const& exec, Matrix const& a)
{
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Value = typename Matrix::value_type;
  static_assert(!std::is_const_v<typename Matrix::column_type>,
                "heddle::sort_rows: this matrix is read-only");
  if (a.nnz() == 0 || has_sorted_rows(exec, a))
    return;
  impl::Scratch<Ordinal, Exec> const row_of(exec, a.nnz()), old_columns(exec, a.nnz());
  impl::Scratch<Value, Exec> const old_values(exec, a.nnz());
  impl::Scratch<Offset, Exec> const positions(exec, a.nnz());
  auto const order = positions.view();
  auto const columns_before = old_columns.view();
  auto const values_before = old_values.view();
  auto const& columns = a.columns();
  auto const& values = a.values();
  impl::expand_rows(exec, a.row_offsets(), row_of.view());
  impl::order_by_row_and_column(exec, row_of.view(), a.num_rows(), columns, a.num_cols(), order);
  Kokkos::parallel_for(
      "heddle::sort_rows::save", impl::range(exec, a.nnz()), KOKKOS_LAMBDA(std::int64_t k) {
        columns_before(k) = columns(k);
        values_before(k) = values(k);
      });
  Kokkos::parallel_for(
      "heddle::sort_rows::place", impl::range(exec, a.nnz()), KOKKOS_LAMBDA(std::int64_t k) {
        columns(k) = columns_before(order(k));
        values(k) = values_before(order(k));
      });
  exec.fence("heddle::sort_rows");
}

} // namespace heddle
