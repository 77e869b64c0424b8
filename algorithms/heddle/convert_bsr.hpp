// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/convert/bsr.hpp>
#include <heddle/impl/convert/fill_limit.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace heddle
{

/// The matrix in dense blocks of one shape, block columns ascending; what no entry fills is zero.
/// Throws InvalidArgument where the shape is not positive, OutOfMemory where the zeros exceed
/// limit. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_bsr(Exec const& exec, Matrix const& a, BlockShape const& shape, FillLimit const& limit = {})
try
{
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Result = impl::FormatLike<BsrMatrix, Matrix>;
  impl::require(shape.height > 0 && shape.width > 0, "to_bsr", "blocks of ", shape.height, " x ",
                shape.width);
  std::int64_t const block_rows = impl::divided_up(a.num_rows(), shape.height);
  std::int64_t const block_cols = impl::divided_up(a.num_cols(), shape.width);

  impl::Scratch<Ordinal, Exec> const row_memory(exec, a.nnz()), column_memory(exec, a.nnz());
  impl::Scratch<Offset, Exec> const order_memory(exec, a.nnz()), place_memory(exec, a.nnz());
  auto const entry_rows = row_memory.view(), entry_columns = column_memory.view();
  auto const order = order_memory.view(), places = place_memory.view();
  impl::expand_rows(exec, a.row_offsets(), entry_rows);
  impl::block_coordinates(exec, shape, a.columns(), entry_rows, entry_columns);
  impl::order_by_row_and_column(exec, entry_rows, block_rows, entry_columns, block_cols, order);
  auto const blocks = static_cast<std::size_t>(
      impl::number_distinct(exec, entry_rows, entry_columns, order, places));
  auto const block_size =
      static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
  impl::require_fill("to_bsr",
                     std::to_string(blocks) + " blocks of " + std::to_string(shape.height) + " x " +
                         std::to_string(shape.width),
                     static_cast<double>(blocks) * static_cast<double>(block_size), a.nnz(),
                     sizeof(Value), limit);

  impl::Scratch<Ordinal, Exec> const block_row_memory(exec, blocks);
  auto const offsets = impl::new_row_offsets<Result>(exec, block_rows);
  auto const columns =
      impl::uninitialized<typename Result::columns_view>(exec, "heddle::columns", blocks);
  auto const values = impl::allocated<typename Result::values_view>(
      Kokkos::view_alloc(exec, "heddle::values"), "heddle::values", blocks * block_size);
  impl::name_blocks(exec, order, places, entry_rows, entry_columns, block_row_memory.view(),
                    columns);
  impl::offsets_of_sorted(exec, block_row_memory.view(), impl::Identity{blocks}, offsets);
  Result result(a.num_rows(), a.num_cols(), shape, offsets, columns, values, a.nnz());
  impl::fill_bsr(exec, result, a);
  exec.fence("heddle::to_bsr");
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("to_bsr");
}

/// The matrix in compressed sparse rows: every value of the blocks that lies inside the matrix,
/// zeros that fill blocks too (drop_zeros takes them out), in the order of the blocks. Throws
/// InvalidArgument where there are more than the offset type counts. Waits for exec.
template <ExecutionSpace Exec, Bsr Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Offset = typename Matrix::offset_type;
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  std::int64_t const stored =
      impl::offsets_from_counts(exec, a.num_rows(), impl::StoredInRow<Matrix>{a}, offsets);
  impl::require(std::in_range<Offset>(stored), "to_csr", stored,
                " values do not fit the offset type (largest value ",
                std::numeric_limits<Offset>::max(), ")");
  auto const [columns, values] = impl::new_entries<Result>(exec, static_cast<std::size_t>(stored));
  impl::read_bsr(exec, a, offsets, columns, values);
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the BSR one that to_bsr made of it, or of another of its
/// pattern; zeros that fill blocks stay. Throws InvalidArgument where their sizes differ.
/// Asynchronous.
template <ExecutionSpace Exec, Bsr Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::fill_bsr(exec, target, a);
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
