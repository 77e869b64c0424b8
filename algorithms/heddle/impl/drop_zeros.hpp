// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Entries of row i that are not zero.
template <class RowOffsets, class Values>
struct NonzerosOfRow
{
  RowOffsets offsets;
  Values values;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t count = 0;
    for (auto k = offsets(i); k < offsets(i + 1); ++k)
      count += values(k) == typename Values::non_const_value_type(0) ? 0 : 1;
    return count;
  }
};

// Asynchronous.
template <class Exec, class From, class RowOffsets, class Columns, class Values>
void copy_nonzeros(Exec const& exec, From const& from, RowOffsets const& new_offsets,
                   Columns const& new_columns, Values const& new_values)
{
  auto const& offsets = from.row_offsets();
  auto const& columns = from.columns();
  auto const& values = from.values();
  Kokkos::parallel_for(
      "heddle::drop_zeros", range(exec, from.num_rows()), KOKKOS_LAMBDA(std::int64_t i) {
        auto to = new_offsets(i);
        for (auto k = offsets(i); k < offsets(i + 1); ++k)
          if (!(values(k) == typename Values::non_const_value_type(0)))
          {
            new_columns(to) = columns(k);
            new_values(to) = values(k);
            ++to;
          }
      });
}

} // namespace heddle::impl
