// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle
{

namespace impl
{

// What sort_rows does with one entry: a functor, see scan.hpp.
template <class Order, class OldColumns, class OldValues, class Columns, class Values>
struct PlaceSorted
{
  Order order;
  OldColumns old_columns;
  OldValues old_values;
  Columns columns;
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    columns(k) = old_columns(order(k));
    values(k) = old_values(order(k));
  }
};

} // namespace impl

/// Whether columns ascend in every row. One pass; waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
bool has_sorted_rows(Exec const& exec, Matrix const& a)
try
{
  return impl::has_ascending_rows(exec, a.row_offsets(), a.columns());
}
catch (...)
{
  impl::rethrow_out_of_memory("has_sorted_rows");
}

/// Sorts each row by column, in place; values move along. A matrix that is sorted costs one pass,
/// another one two sorts of nnz keys and scratch of two offsets, two ordinals and a value an entry.
/// Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
void sort_rows(Exec const& exec, Matrix const& a)
try
{
  using Ordinals = impl::Scratch<typename Matrix::ordinal_type, Exec>;
  using Offsets = impl::Scratch<typename Matrix::offset_type, Exec>;
  using Values = impl::Scratch<typename Matrix::value_type, Exec>;
  static_assert(!std::is_const_v<typename Matrix::column_type>,
                "heddle::sort_rows: this matrix is read-only");
  if (a.nnz() == 0 || has_sorted_rows(exec, a))
    return;
  Ordinals const row_of(exec, a.nnz()), old_columns(exec, a.nnz());
  Values const old_values(exec, a.nnz());
  Offsets const positions(exec, a.nnz());
  auto const order = positions.view();
  auto const& columns = a.columns();
  auto const& values = a.values();
  impl::expand_rows(exec, a.row_offsets(), row_of.view());
  impl::order_by_row_and_column(exec, row_of.view(), a.num_rows(), columns, a.num_cols(), order);
  Kokkos::deep_copy(exec, old_columns.view(), columns);
  Kokkos::deep_copy(exec, old_values.view(), values);
  Kokkos::parallel_for("heddle::sort_rows::place", impl::range(exec, a.nnz()),
                       impl::PlaceSorted<typename Offsets::view_type, typename Ordinals::view_type,
                                         typename Values::view_type, typename Matrix::columns_view,
                                         typename Matrix::values_view>{
                           order, old_columns.view(), old_values.view(), columns, values});
  exec.fence("heddle::sort_rows");
}
catch (...)
{
  impl::rethrow_out_of_memory("sort_rows");
}

} // namespace heddle
