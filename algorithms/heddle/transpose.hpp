// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle
{

namespace impl
{

template <bool is_conjugate, class Exec, class Positions, class From, class To>
void gather_values(Exec const& exec, Positions const& positions, From const& from, To const& to)
{
  Kokkos::parallel_for(
      "heddle::transpose::values", range(exec, to.extent(0)),
      KOKKOS_LAMBDA(std::int64_t k) { to(k) = conjugated<is_conjugate>(from(positions(k))); });
}

} // namespace impl

/// A^T, or A^H with Op::conjugate_transpose, as a new matrix with sorted rows. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto transpose(Exec const& exec, Matrix const& a, Op op = Op::transpose)
{
  using Result = CsrMatrix<typename Matrix::value_type, typename Matrix::ordinal_type,
                           typename Matrix::offset_type, typename Matrix::memory_space>;
  impl::require(op != Op::none, "transpose", "op is none");
  auto const pattern = impl::transposed_pattern(exec, a);
  auto const values =
      impl::uninitialized<typename Result::values_view>(exec, "heddle::values", a.nnz());
  if (op == Op::conjugate_transpose)
    impl::gather_values<true>(exec, pattern.positions, a.values(), values);
  else
    impl::gather_values<false>(exec, pattern.positions, a.values(), values);
  exec.fence("heddle::transpose");
  return Result(a.num_cols(), a.num_rows(), pattern.row_offsets, pattern.columns, values);
}

} // namespace heddle
