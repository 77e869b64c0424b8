// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where a plan cuts a matrix between rows, or within them, into pieces of as many rows and entries.

#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Where row i stands in the list of all rows and entries: before its entries, with shift 1 behind
// them.
template <class RowOffsets>
struct PlaceOfRow
{
  RowOffsets row_offsets;
  std::int64_t shift = 0;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return static_cast<std::int64_t>(row_offsets(i + shift)) + i;
  }
};

// starts(b): the first row that does not stand before b * length in that list, or rows.
// Asynchronous.
template <class Exec, class RowOffsets, class Starts>
void cut_rows(Exec const& exec, PlaceOfRow<RowOffsets> const& place, std::int64_t rows,
              std::int64_t length, Starts const& starts)
{
  using Ordinal = typename Starts::non_const_value_type;
  Kokkos::parallel_for(
      "heddle::cut_rows", impl::range(exec, starts.extent(0)), KOKKOS_LAMBDA(std::int64_t b) {
        starts(b) =
            static_cast<Ordinal>(impl::lower_bound(place, std::int64_t(0), rows, b * length));
      });
}

} // namespace heddle::cuda_native
