// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/drop_zeros.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle
{

/// A copy without the entries whose value is 0 or -0; the others keep their order. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto drop_zeros(Exec const& exec, Matrix const& a)
{
  using Space = typename Matrix::memory_space;
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  using Offsets = Kokkos::View<typename Matrix::offset_type*, Space>;
  using Count =
      impl::NonzerosOfRow<typename Matrix::row_offsets_view, typename Matrix::values_view>;
  auto const offsets = impl::uninitialized<Offsets>(exec, "heddle::row_offsets",
                                                    static_cast<std::size_t>(a.num_rows()) + 1);
  auto const n = static_cast<std::size_t>(
      impl::offsets_from_counts(exec, a.num_rows(), Count{a.row_offsets(), a.values()}, offsets));
  auto const columns =
      impl::uninitialized<typename Result::columns_view>(exec, "heddle::columns", n);
  auto const values = impl::uninitialized<typename Result::values_view>(exec, "heddle::values", n);
  impl::copy_nonzeros(exec, a, offsets, columns, values);
  exec.fence("heddle::drop_zeros");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}

} // namespace heddle
