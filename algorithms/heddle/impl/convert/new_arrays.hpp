// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The arrays of a matrix that a call returns, which nobody has written yet.

#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace heddle::impl
{

// For so many rows: one entry more.
template <class Matrix, class Exec>
auto new_row_offsets(Exec const& exec, std::int64_t rows)
{
  using RowOffsets = Kokkos::View<typename Matrix::offset_type*, typename Matrix::memory_space>;
  return uninitialized<RowOffsets>(exec, "heddle::row_offsets", static_cast<std::size_t>(rows) + 1);
}

// Throws InvalidArgument where row offsets of this type cannot count nnz entries.
template <class Offset>
void require_entries_fit(char const* function, std::int64_t nnz)
{
  require(std::in_range<Offset>(nnz), function, "the result has ", nnz,
          " entries, which do not fit its offset type (largest value ",
          std::numeric_limits<Offset>::max(), "); use wider offsets");
}

template <class Matrix>
struct NewEntries
{
  typename Matrix::columns_view columns;
  typename Matrix::values_view values;
};
template <class Matrix, class Exec>
NewEntries<Matrix> new_entries(Exec const& exec, std::size_t n)
{
  return {uninitialized<typename Matrix::columns_view>(exec, "heddle::columns", n),
          uninitialized<typename Matrix::values_view>(exec, "heddle::values", n)};
}

} // namespace heddle::impl
