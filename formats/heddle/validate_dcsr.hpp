// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_pattern.hpp>
#include <heddle/validate_csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

namespace impl
{

// A line without entries.
template <class Offsets>
struct IsEmptyLine
{
  Offsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return offsets(i + 1) == offsets(i) ? i : nowhere;
  }
};

} // namespace impl

/// Checks that rows lie in 0 .. rows - 1 and ascend, that each has an entry, and what validate of a
/// CsrMatrix checks. Waits for exec.
template <ExecutionSpace Exec, Dcsr Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using std::to_string;
  using Rows = typename Matrix::rows_view;
  using RowOffsets = typename Matrix::row_offsets_view;
  auto const& rows = a.rows();
  auto const& offsets = a.row_offsets();
  auto const listed = static_cast<std::int64_t>(rows.extent(0));
  auto const row_of = [&](std::int64_t line) { return impl::read_entry(exec, rows, line); };

  std::int64_t const outside = impl::first_outside(exec, rows, a.num_rows());
  if (outside >= 0)
    return Defect{impl::outside_text("row", row_of(outside), " at position " + to_string(outside),
                                     a.num_rows()),
                  row_of(outside), outside};
  std::int64_t const still =
      impl::least_place(exec, "heddle::validate::rows", listed - 1, impl::DoesNotRise<Rows>{rows});
  if (still >= 0)
    return Defect{"rows does not ascend from " + to_string(row_of(still)) + " to " +
                      to_string(row_of(still + 1)) + " at position " + to_string(still + 1),
                  row_of(still + 1), still + 1};
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (auto defect = impl::offsets_defect(exec, impl::csr_names, offsets, nnz, row_of))
    return defect;
  std::int64_t const empty = impl::least_place(exec, "heddle::validate::empty_rows", listed,
                                               impl::IsEmptyLine<RowOffsets>{offsets});
  if (empty >= 0)
    return Defect{"row " + to_string(row_of(empty)) + " at position " + to_string(empty) +
                      " of rows has no entries",
                  row_of(empty), empty};
  return impl::indices_defect(exec, impl::csr_names, offsets, a.columns(), a.num_cols(), row_of);
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
