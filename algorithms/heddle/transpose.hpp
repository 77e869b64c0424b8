// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>

namespace heddle
{

/// A^T, or A^H with Op::conjugate_transpose, as a new matrix with sorted rows. Throws
/// InvalidArgument for another op. Waits for exec; bitwise repeatable.
template <ExecutionSpace Exec, Csr Matrix>
auto transpose(Exec const& exec, Matrix const& a, Op op = Op::transpose)
try
{
  using Result = CsrMatrix<typename Matrix::value_type, typename Matrix::ordinal_type,
                           typename Matrix::offset_type, typename Matrix::memory_space>;
  impl::require(is_transposed(op), "transpose", "op is ", to_string(op));
  auto const row_offsets = impl::new_row_offsets<Result>(exec, a.num_cols());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  impl::Scratch<typename Matrix::offset_type, Exec> const positions(exec, a.nnz());
  impl::transpose_pattern(exec, a, row_offsets, columns, positions.view());
  if (op == Op::conjugate_transpose)
    impl::gather_values<true>(exec, positions.view(), a.values(), values);
  else
    impl::gather_values<false>(exec, positions.view(), a.values(), values);
  exec.fence("heddle::transpose");
  return Result(a.num_cols(), a.num_rows(), row_offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("transpose");
}

} // namespace heddle
