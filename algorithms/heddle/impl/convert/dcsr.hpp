// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to DCSR and back: columns and values stay, row offsets of empty rows go and come.

#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// 1 for each row that has entries.
template <class RowOffsets>
struct IsNonempty
{
  RowOffsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return offsets(i + 1) > offsets(i) ? 1 : 0;
  }
};

// What the functions below do with one row: functors, see scan.hpp.
template <class RowOffsets, class Numbers, class Rows, class NewOffsets>
struct CompressRow
{
  RowOffsets offsets;
  Numbers numbers;
  Rows rows;
  NewOffsets new_offsets;
  std::int64_t n; // rows

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    if (i == n)
      new_offsets(numbers(n)) = offsets(n);
    else if (offsets(i + 1) > offsets(i))
    {
      rows(numbers(i)) = static_cast<typename Rows::non_const_value_type>(i);
      new_offsets(numbers(i)) = offsets(i);
    }
  }
};
template <class Rows, class RowOffsets, class Counts>
struct SpreadRowLength
{
  Rows rows;
  RowOffsets offsets;
  Counts counts;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const
  {
    counts(rows(r)) = static_cast<std::int64_t>(offsets(r + 1) - offsets(r));
  }
};

// numbers(i) = nonempty rows before row i, for i = 0 .. rows. Asynchronous.
template <class Exec, class RowOffsets, class Numbers, class Rows, class NewOffsets>
void compress_rows(Exec const& exec, RowOffsets const& offsets, Numbers const& numbers,
                   Rows const& rows, NewOffsets const& new_offsets)
{
  auto const n = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  Kokkos::parallel_for(
      "heddle::to_dcsr", range(exec, n + 1),
      CompressRow<RowOffsets, Numbers, Rows, NewOffsets>{offsets, numbers, rows, new_offsets, n});
}

// counts, zero before, has the entries of each row. Asynchronous.
template <class Exec, class Rows, class RowOffsets, class Counts>
void spread_row_lengths(Exec const& exec, Rows const& rows, RowOffsets const& offsets,
                        Counts const& counts)
{
  Kokkos::parallel_for("heddle::to_csr::dcsr", range(exec, rows.extent(0)),
                       SpreadRowLength<Rows, RowOffsets, Counts>{rows, offsets, counts});
}

} // namespace heddle::impl
