// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where a plan cuts a matrix between rows, or within them, into pieces of as many rows and entries.

#include <heddle/impl/search.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// The position of row i on the merge path, the list of all rows and entries: before its entries,
// with shift 1 behind them.
template <class RowOffsets>
struct MergePathPosition
{
  RowOffsets row_offsets;
  std::int64_t shift = 0;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return static_cast<std::int64_t>(row_offsets(i + shift)) + i;
  }
};

// The first row that is not before position b * length of the path, or rows.
template <class RowOffsets>
struct FirstRowFrom
{
  MergePathPosition<RowOffsets> position;
  std::int64_t rows, length;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t b) const
  {
    return impl::lower_bound(position, std::int64_t(0), rows, b * length);
  }
};

// starts(b): that row. Asynchronous.
template <class Exec, class RowOffsets, class Starts>
void cut_rows(Exec const& exec, MergePathPosition<RowOffsets> const& position, std::int64_t rows,
              std::int64_t length, Starts const& starts)
{
  impl::tabulate(exec, "heddle::cut_rows", starts.extent(0),
                 FirstRowFrom<RowOffsets>{position, rows, length}, starts);
}

} // namespace heddle::cuda_native
