// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/impl/convert/fill_limit.hpp>
#include <heddle/impl/convert/hyb.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/hyb_places.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

/// The matrix as ELLPACK of this width and the rest of longer rows as coordinates; entries keep
/// their order. Without a width, the largest that a third of the rows fill. Throws InvalidArgument
/// where width is negative, OutOfMemory where padding exceeds limit. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_hyb(Exec const& exec, Matrix const& a, std::optional<std::int64_t> width = {},
            FillLimit const& limit = {})
try
{
  using Space = typename Matrix::memory_space;
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  using Result = impl::FormatLike<HybMatrix, Matrix>;
  using Indices = Kokkos::View<Ordinal*, Space>;
  impl::require(width.value_or(0) >= 0, "to_hyb", "width ", width.value_or(0));
  std::int64_t const rows = a.num_rows();
  std::int64_t const longest = impl::row_statistics(exec, a.row_offsets(), rows, a.nnz()).longest;
  std::int64_t const ell_width =
      std::min(longest, width ? *width : impl::hyb_width(exec, a.row_offsets(), rows, longest));
  impl::Scratch<std::int64_t, Exec> const memory(exec, static_cast<std::size_t>(rows) + 1);
  auto const starts = memory.view();
  auto const rest = static_cast<std::size_t>(impl::offsets_from_counts(
      exec, rows,
      impl::EntriesBehind<typename Matrix::row_offsets_view>{a.row_offsets(), ell_width}, starts));
  impl::require_fill("to_hyb",
                     std::to_string(rows) + " rows of " + std::to_string(ell_width) + " places",
                     static_cast<double>(rows) * static_cast<double>(ell_width), a.nnz(),
                     sizeof(Value) + sizeof(Ordinal), limit);
  auto const ell = impl::ell_of_width(exec, a, ell_width, a.nnz() - rest);
  auto const rest_rows = impl::uninitialized<Indices>(exec, "heddle::rows", rest);
  auto const rest_columns = impl::uninitialized<Indices>(exec, "heddle::columns", rest);
  auto const rest_values =
      impl::uninitialized<typename Result::rest_type::values_view>(exec, "heddle::values", rest);
  impl::name_rest(exec, a.row_offsets(), a.columns(), ell_width, starts, rest_rows, rest_columns);
  impl::fill_rest(exec, a.row_offsets(), a.values(), ell_width, rest_rows, rest_values);
  exec.fence("heddle::to_hyb");
  return Result(ell, typename Result::rest_type(a.num_rows(), a.num_cols(), rest_rows, rest_columns,
                                                rest_values));
}
catch (...)
{
  impl::rethrow_out_of_memory("to_hyb");
}

/// The matrix in compressed sparse rows: of each row the entries of the ELLPACK part, then the
/// rest. Waits for exec.
template <ExecutionSpace Exec, Hyb Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  auto const& ell = a.ell();
  auto const& rest = a.rest();
  auto const stride = static_cast<std::int64_t>(ell.stride());
  auto const rows = static_cast<std::size_t>(a.num_rows());
  impl::Scratch<std::int64_t, Exec> const memory(exec, rows + 1);
  auto const starts = memory.view();
  impl::offsets_of_sorted(exec, rest.rows(), impl::Identity{rest.nnz()}, starts);
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  auto const& lengths = ell.row_lengths();
  using Lengths = typename Matrix::ell_type::row_lengths_view;
  impl::offsets_from_counts(exec, a.num_rows(),
                            impl::EntriesOfBoth<Lengths, decltype(memory.view())>{lengths, starts},
                            offsets);
  impl::read_ell(exec, lengths, stride, ell.columns(), offsets, columns);
  impl::read_ell(exec, lengths, stride, ell.values(), offsets, values);
  impl::append_rest(exec, lengths, starts, rest.columns(), offsets, columns);
  impl::append_rest(exec, lengths, starts, rest.values(), offsets, values);
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the HYB one that was made of it, or of another of its
/// pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Hyb Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  auto const& ell = target.ell();
  impl::fill_ell(exec, a.row_offsets(), ell.row_lengths(), static_cast<std::int64_t>(ell.stride()),
                 a.values(), ell.values(), typename Target::value_type(0));
  impl::fill_rest(exec, a.row_offsets(), a.values(), ell.width(), target.rest().rows(),
                  target.rest().values());
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
