// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entries/diagonal.hpp>
#include <heddle/impl/entries/keep.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace heddle
{

namespace impl
{

template <class Rows, class Columns>
struct IsOffDiagonal
{
  Rows rows;
  Columns columns;
  KOKKOS_FUNCTION int operator()(std::int64_t k) const { return columns(k) == rows(k) ? 0 : 1; }
};

} // namespace impl

/// d(i) = a_ii, or 0 where row i has no diagonal entry, for i = 0 .. min(rows, columns) - 1. Rows
/// may be unsorted; one pass over the columns. Throws InvalidArgument where d has another size or
/// shares memory with the values of a. Asynchronous.
template <ExecutionSpace Exec, Csr Matrix, Vector D>
void diagonal(Exec const& exec, Matrix const& a, D const& d)
try
{
  impl::require_types<impl::OperandTypes<Exec, Matrix, D, D>>();
  Kokkos::Profiling::ScopedRegion const region("heddle::diagonal");
  auto const expected = std::min(a.num_rows(), a.num_cols());
  impl::require(static_cast<std::int64_t>(d.extent(0)) == expected, "diagonal", "d has ",
                d.extent(0), " entries but A is ", a.num_rows(), " x ", a.num_cols(),
                ", which has ", expected, " on its diagonal");
  impl::require_disjoint("diagonal", "A and d", a.values(), d);
  impl::for_each_diagonal(exec, "heddle::diagonal", a,
                          impl::StoreDiagonal<typename Matrix::values_view, D>{a.values(), d});
}
catch (...)
{
  impl::rethrow_out_of_memory("diagonal");
}

/// A copy without the entries a_ii; the others keep their order. Scratch of an ordinal and an
/// offset per entry. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto remove_diagonal(Exec const& exec, Matrix const& a)
try
{
  using Rows = impl::Scratch<typename Matrix::ordinal_type, Exec>;
  Rows const rows(exec, a.nnz());
  impl::expand_rows(exec, a.row_offsets(), rows.view());
  return impl::keep_entries(
      exec, "heddle::remove_diagonal", a,
      impl::IsOffDiagonal<typename Rows::view_type, typename Matrix::columns_view>{rows.view(),
                                                                                   a.columns()});
}
catch (...)
{
  impl::rethrow_out_of_memory("remove_diagonal");
}

} // namespace heddle
