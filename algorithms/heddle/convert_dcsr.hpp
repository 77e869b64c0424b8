// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/convert/dcsr.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle
{

/// The matrix without the offsets of empty rows; entries keep their order. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_dcsr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<DcsrMatrix, Matrix>;
  using Rows = Kokkos::View<typename Matrix::ordinal_type*, typename Matrix::memory_space>;
  if (a.row_offsets().extent(0) == 0)
    return Result(0, a.num_cols(), {}, {}, {}, {});
  impl::Scratch<std::int64_t, Exec> const numbers(exec, a.row_offsets().extent(0));
  auto const n = static_cast<std::size_t>(impl::offsets_from_counts(
      exec, a.num_rows(), impl::IsNonempty<typename Matrix::row_offsets_view>{a.row_offsets()},
      numbers.view()));
  auto const rows = impl::uninitialized<Rows>(exec, "heddle::rows", n);
  auto const offsets = impl::new_row_offsets<Result>(exec, static_cast<std::int64_t>(n));
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  impl::compress_rows(exec, a.row_offsets(), numbers.view(), rows, offsets);
  Kokkos::deep_copy(exec, columns, a.columns());
  Kokkos::deep_copy(exec, values, a.values());
  exec.fence("heddle::to_dcsr");
  return Result(a.num_rows(), a.num_cols(), rows, offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_dcsr");
}

/// The matrix in compressed sparse rows; entries keep their order. Waits for exec.
template <ExecutionSpace Exec, Dcsr Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  auto const rows = static_cast<std::size_t>(a.num_rows());
  impl::Scratch<std::int64_t, Exec> const counts(exec, rows);
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  if (rows > 0)
    Kokkos::deep_copy(exec, counts.view(), std::int64_t(0));
  impl::spread_row_lengths(exec, a.rows(), a.row_offsets(), counts.view());
  impl::offsets_from_counts(exec, a.num_rows(), counts.view(), offsets);
  Kokkos::deep_copy(exec, columns, a.columns());
  Kokkos::deep_copy(exec, values, a.values());
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the DCSR one that was made of it, or of another of its
/// pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Dcsr Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  Kokkos::deep_copy(exec, target.values(), a.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
