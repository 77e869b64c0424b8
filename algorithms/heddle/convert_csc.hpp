// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/csc.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

namespace heddle
{

/// The matrix in compressed sparse columns, rows ascending in each column. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_csc(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CscMatrix, Matrix>;
  auto const t = transpose(exec, a);
  return Result(a.num_rows(), a.num_cols(), t.row_offsets(), t.columns(), t.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csc");
}

/// The matrix in compressed sparse rows, sorted within each row. Waits for exec.
template <ExecutionSpace Exec, Csc Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  return transpose(exec, a.transposed());
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the CSC one that to_csc made of it, or of another of its
/// pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Csc Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::update_csc_values(exec, target, a);
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
