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

// What copy_nonzeros does with one row: a functor, see scan.hpp.
template <class From, class RowOffsets, class Columns, class Values>
struct CopyNonzerosOfRow
{
  From from;
  RowOffsets new_offsets;
  Columns new_columns;
  Values new_values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto to = new_offsets(i);
    for (auto k = from.row_offsets()(i); k < from.row_offsets()(i + 1); ++k)
      if (!(from.values()(k) == typename Values::non_const_value_type(0)))
      {
        new_columns(to) = from.columns()(k);
        new_values(to) = from.values()(k);
        ++to;
      }
  }
};

// Asynchronous.
template <class Exec, class From, class RowOffsets, class Columns, class Values>
void copy_nonzeros(Exec const& exec, From const& from, RowOffsets const& new_offsets,
                   Columns const& new_columns, Values const& new_values)
{
  Kokkos::parallel_for("heddle::drop_zeros", range(exec, from.num_rows()),
                       CopyNonzerosOfRow<From, RowOffsets, Columns, Values>{
                           from, new_offsets, new_columns, new_values});
}

} // namespace heddle::impl
