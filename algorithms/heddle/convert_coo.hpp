// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/coo_csr.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

namespace heddle
{

/// The matrix in compressed sparse rows, sorted within each row. Entries that name the same place
/// are added, in the order in which they stand in a, so the result is bitwise repeatable. Throws
/// InvalidArgument where an index is out of range or nnz does not fit the offset type. One pass
/// where a is sorted by row and column, else one sort by row (and one by column before it, unless a
/// is sorted by column). Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  return impl::csr_from_coo(exec, a);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// The matrix as coordinates, in the order of a's entries. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_coo(Exec const& exec, Matrix const& a)
try
{
  using Result = CooMatrix<typename Matrix::value_type, typename Matrix::ordinal_type,
                           typename Matrix::offset_type, typename Matrix::memory_space>;
  using Indices = typename Result::indices_view;
  auto const rows = impl::uninitialized<Indices>(exec, "heddle::rows", a.nnz());
  auto const columns = impl::uninitialized<Indices>(exec, "heddle::columns", a.nnz());
  auto const values =
      impl::uninitialized<typename Result::values_view>(exec, "heddle::values", a.nnz());
  if (a.nnz() > 0)
    impl::expand_rows(exec, a.row_offsets(), rows);
  Kokkos::deep_copy(exec, columns, a.columns());
  Kokkos::deep_copy(exec, values, a.values());
  exec.fence("heddle::to_coo");
  return Result(a.num_rows(), a.num_cols(), rows, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_coo");
}

} // namespace heddle
