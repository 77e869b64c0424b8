// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/convert/fill_limit.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/ell_places.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle
{

namespace impl
{

// Rows of an ELL matrix start together on lines of so many entries.
inline constexpr std::int64_t ell_alignment = 32;

// The first width entries of each row. nnz is how many these are. Asynchronous but for its Views.
template <class Exec, class Matrix>
auto ell_of_width(Exec const& exec, Matrix const& a, std::int64_t width, std::size_t nnz)
{
  using Result = FormatLike<EllMatrix, Matrix>;
  using Ordinal = typename Matrix::ordinal_type;
  using Lengths = Kokkos::View<Ordinal*, typename Matrix::memory_space>;
  auto const rows = static_cast<std::int64_t>(a.num_rows());
  std::int64_t const stride = divided_up(rows, ell_alignment) * ell_alignment;
  auto const lengths =
      uninitialized<Lengths>(exec, "heddle::row_lengths", static_cast<std::size_t>(rows));
  auto const [columns, values] =
      new_entries<Result>(exec, static_cast<std::size_t>(stride * width));
  row_lengths(exec, a.row_offsets(), width, lengths);
  fill_ell(exec, a.row_offsets(), lengths, stride, a.columns(), columns, Ordinal(-1));
  fill_ell(exec, a.row_offsets(), lengths, stride, a.values(), values,
           typename Matrix::value_type(0));
  return Result(a.num_rows(), a.num_cols(), nnz, static_cast<Ordinal>(width),
                static_cast<std::size_t>(stride), lengths, columns, values);
}

} // namespace impl

/// The matrix in ELLPACK, as wide as its longest row; entries of a row keep their order. Throws
/// OutOfMemory where padding exceeds limit. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_ell(Exec const& exec, Matrix const& a, FillLimit const& limit = {})
try
{
  constexpr std::size_t entry_bytes =
      sizeof(typename Matrix::value_type) + sizeof(typename Matrix::ordinal_type);
  std::int64_t const width =
      impl::row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz()).longest;
  impl::require_fill(
      "to_ell", std::to_string(a.num_rows()) + " rows of " + std::to_string(width) + " places",
      static_cast<double>(a.num_rows()) * static_cast<double>(width), a.nnz(), entry_bytes, limit);
  auto result = impl::ell_of_width(exec, a, width, a.nnz());
  exec.fence("heddle::to_ell");
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("to_ell");
}

/// The matrix in compressed sparse rows; entries of a row keep their order. Waits for exec.
template <ExecutionSpace Exec, Ell Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  auto const stride = static_cast<std::int64_t>(a.stride());
  impl::offsets_from_counts(exec, a.num_rows(), a.row_lengths(), offsets);
  impl::read_ell(exec, a.row_lengths(), stride, a.columns(), offsets, columns);
  impl::read_ell(exec, a.row_lengths(), stride, a.values(), offsets, values);
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the ELLPACK one that was made of it, or of another of its
/// pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Ell Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::fill_ell(exec, a.row_offsets(), target.row_lengths(),
                 static_cast<std::int64_t>(target.stride()), a.values(), target.values(),
                 typename Target::value_type(0));
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
