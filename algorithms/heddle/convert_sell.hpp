// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/convert/fill_limit.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sell_places.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace heddle
{

/// The matrix in sliced ELLPACK; entries of a row keep their order. Throws InvalidArgument where a
/// number of shape is not positive or the places do not fit the offset type, OutOfMemory where
/// padding exceeds limit. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_sell(Exec const& exec, Matrix const& a, SellShape const& shape = {},
             FillLimit const& limit = {})
try
{
  using Space = typename Matrix::memory_space;
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Result = impl::FormatLike<SellMatrix, Matrix>;
  using Indices = Kokkos::View<Ordinal*, Space>;
  using Offsets = Kokkos::View<Offset*, Space>;
  Result::require_shape("to_sell", shape);
  auto const rows = static_cast<std::size_t>(a.num_rows());
  std::int64_t const slices = impl::divided_up(a.num_rows(), shape.height);
  auto const lengths = impl::uninitialized<Indices>(exec, "heddle::row_lengths", rows);
  Indices positions;
  if (shape.sigma > 1 && rows > 0)
  {
    positions = impl::uninitialized<Indices>(exec, "heddle::rows", rows);
    auto const longest = impl::row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz()).longest;
    impl::sort_windows(exec, a.row_offsets(), longest, shape.sigma, positions);
  }
  impl::lengths_at_positions(exec, a.row_offsets(), positions, lengths);
  auto const slice_offsets = impl::uninitialized<Offsets>(exec, "heddle::slice_offsets",
                                                          static_cast<std::size_t>(slices) + 1);
  std::int64_t const places = impl::offsets_from_counts(
      exec, slices, impl::SlicePlaces<Indices>{lengths, shape}, slice_offsets);
  impl::require_fill("to_sell",
                     "slices of " + std::to_string(shape.height) + " rows with " +
                         std::to_string(places) + " places",
                     static_cast<double>(places), a.nnz(),
                     sizeof(typename Matrix::value_type) + sizeof(Ordinal), limit);
  impl::require(std::in_range<Offset>(places), "to_sell", places,
                " places do not fit the offset type (largest value ",
                std::numeric_limits<Offset>::max(), ")");
  auto const [columns, values] = impl::new_entries<Result>(exec, static_cast<std::size_t>(places));
  Result result(a.num_rows(), a.num_cols(), a.nnz(), shape, slice_offsets, lengths, positions,
                columns, values);
  auto const pattern = impl::sell_pattern_of(result);
  impl::fill_sell(exec, a.row_offsets(), pattern, a.columns(), columns, Ordinal(-1));
  impl::fill_sell(exec, a.row_offsets(), pattern, a.values(), values,
                  typename Matrix::value_type(0));
  exec.fence("heddle::to_sell");
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("to_sell");
}

/// The matrix in compressed sparse rows; entries of a row keep their order. Waits for exec.
template <ExecutionSpace Exec, Sell Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  impl::Scratch<typename Matrix::ordinal_type, Exec> const lengths(
      exec, static_cast<std::size_t>(a.num_rows()));
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  auto const pattern = impl::sell_pattern_of(a);
  impl::lengths_of_rows(exec, a.rows(), a.row_lengths(), lengths.view());
  impl::offsets_from_counts(exec, a.num_rows(), lengths.view(), offsets);
  impl::read_sell(exec, pattern, a.columns(), offsets, columns);
  impl::read_sell(exec, pattern, a.values(), offsets, values);
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the SELL one that was made of it, or of another of its
/// pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Sell Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::fill_sell(exec, a.row_offsets(), impl::sell_pattern_of(target), a.values(), target.values(),
                  typename Target::value_type(0));
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
