// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/drop_zeros.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace heddle
{

/// A copy without the entries whose value is 0 or -0; the others keep their order. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto drop_zeros(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  using Count =
      impl::NonzerosOfRow<typename Matrix::row_offsets_view, typename Matrix::values_view>;
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const n = static_cast<std::size_t>(
      impl::offsets_from_counts(exec, a.num_rows(), Count{a.row_offsets(), a.values()}, offsets));
  auto const [columns, values] = impl::new_entries<Result>(exec, n);
  impl::copy_nonzeros(exec, a, offsets, columns, values);
  exec.fence("heddle::drop_zeros");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("drop_zeros");
}

} // namespace heddle
