// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/convert/row_segment_choice.hpp>
#include <heddle/impl/convert/row_segmented.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/row_segment_model.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/shipped_row_segment_model.hpp>

#include <Kokkos_Core.hpp>

namespace heddle
{

/// The matrix as heavy row segments and a light rest. Where the shape has a zero the model chooses
/// (docs/spmm.md); the shipped one takes panels as wide as two blocks of a Hopper multiprocessor
/// can hold 64 columns of (226 columns of double), and threshold 8. Throws InvalidArgument where a
/// number is negative. Rows need not be sorted, but sorting is what most of the time goes to then.
/// Scratch: two numbers of 64 bits and an ordinal an entry. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto to_row_segmented(Exec const& exec, Matrix const& a, RowSegmentShape const& shape = {},
                      RowSegmentModel const& model = shipped_row_segment_model())
try
{
  using Result = impl::FormatLike<RowSegmentedMatrix, Matrix>;
  using Ordinal = typename Matrix::ordinal_type;
  // Zeros are asked of the model, which needs the entries.
  Result::require_shape("to_row_segmented",
                        {shape.panel_width == 0 ? 1 : shape.panel_width, shape.threshold});
  RowSegmentShape filled;
  auto const cut = impl::with_ordered_entries(exec, a, [&](auto const& entries) {
    filled =
        impl::chosen_shape<typename Matrix::value_type>(exec, entries, a.num_rows(), shape, model);
    return impl::cut_segments(exec, a, entries.in_shape(filled.panel_width, filled.threshold),
                              impl::divided_up(a.num_cols(), filled.panel_width));
  });
  auto const row_offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const row_columns =
      impl::uninitialized<Kokkos::View<Ordinal*, typename Matrix::memory_space>>(
          exec, "heddle::row_columns", a.nnz());
  auto const values =
      impl::uninitialized<typename Result::values_view>(exec, "heddle::values", a.nnz());
  if (a.row_offsets().extent(0) == 0)
    Kokkos::deep_copy(exec, row_offsets, typename Matrix::offset_type(0));
  else
    Kokkos::deep_copy(exec, row_offsets, a.row_offsets());
  Kokkos::deep_copy(exec, row_columns, a.columns());
  impl::scatter(exec, cut.places, a.values(), values);
  exec.fence("heddle::to_row_segmented");
  return Result(a.num_rows(), a.num_cols(), cut.heavy_nnz, filled,
                {cut.panels, cut.segment_rows, cut.segment_offsets}, cut.light_row_offsets,
                cut.columns, values, {row_offsets, row_columns, cut.places});
}
catch (...)
{
  impl::rethrow_out_of_memory("to_row_segmented");
}

/// The matrix in compressed sparse rows; entries keep their order. Waits for exec.
template <ExecutionSpace Exec, RowSegmented Matrix>
auto to_csr(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  auto const& rows = a.rows();
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  auto const [columns, values] = impl::new_entries<Result>(exec, a.nnz());
  if (rows.offsets.extent(0) == 0)
    Kokkos::deep_copy(exec, offsets, typename Matrix::offset_type(0));
  else
    Kokkos::deep_copy(exec, offsets, rows.offsets);
  Kokkos::deep_copy(exec, columns, rows.columns);
  impl::gather(exec, rows.places, a.values(), values);
  exec.fence("heddle::to_csr");
  return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("to_csr");
}

/// Copies the values of a CSR matrix into the row-segmented one that was made of it, or of another
/// of its pattern, in one pass. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, RowSegmented Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::scatter(exec, target.rows().places, a.values(), target.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

} // namespace heddle
