// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A rank's matrix as the sum of two: its entries in columns that the rank has itself, and those in
// columns of other ranks. The first can be multiplied while entries of x travel for the second, and
// reads x where it is. Rows that have some of both are then in both; where they are kept whole,
// they are in the second alone, which reads the rank's own part of x in front of what has
// travelled.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Which entries a part has, of a rank with so many columns, and how it numbers them.
template <class Ordinal>
struct PartOfRows
{
  bool takes_remote, keeps_rows_whole;
  Ordinal own_columns, remote_columns;

  Ordinal num_cols() const
  {
    return (takes_remote ? remote_columns : 0) + (reads_own() ? own_columns : 0);
  }
  // number: that of own_numbers.hpp, -1 - r for the r-th column of other ranks.
  KOKKOS_FUNCTION Ordinal column(Ordinal number) const
  {
    if (number >= 0)
      return number;
    return (reads_own() ? own_columns : 0) + (-1 - number);
  }

private:
  KOKKOS_FUNCTION bool reads_own() const { return !takes_remote || keeps_rows_whole; }
};

// Entries of row i that a part has. own has the numbers of columns (own_numbers.hpp). A functor, as
// CONTRIBUTING.md asks of what several translation units may instantiate.
template <class Matrix, class Own>
struct EntriesTaken
{
  Matrix a;
  Own own;
  PartOfRows<typename Matrix::ordinal_type> which;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const begin = a.row_offsets()(i), end = a.row_offsets()(i + 1);
    std::int64_t remote = 0;
    for (auto k = begin; k < end; ++k)
      remote += own(a.columns()(k)) < 0 ? 1 : 0;
    auto const all = static_cast<std::int64_t>(end - begin);
    std::int64_t const of_second = which.keeps_rows_whole && remote > 0 ? all : remote;
    return which.takes_remote ? of_second : all - of_second;
  }
};

// Row i of part, which EntriesTaken counted.
template <class Matrix, class Own, class Part>
struct CopyEntriesTaken
{
  Matrix a;
  Own own;
  Part part;
  PartOfRows<typename Matrix::ordinal_type> which;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto to = part.row_offsets()(i);
    auto const end = part.row_offsets()(i + 1);
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      auto const number = own(a.columns()(k));
      bool const is_taken = which.keeps_rows_whole || (number < 0) == which.takes_remote;
      if (!is_taken || to == end) // the latter in rows that the part has not
        continue;
      part.columns()(to) = which.column(number);
      part.values()(to) = a.values()(k);
      ++to;
    }
  }
};

// The values of row i of a into that row of both parts. Nothing is written outside of these where a
// has another pattern than they.
template <class Matrix, class Own, class Part>
struct CopyValuesOfRow
{
  Matrix a;
  Own own;
  Part first, second;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto to_first = first.row_offsets()(i), to_second = second.row_offsets()(i);
    auto const first_end = first.row_offsets()(i + 1), second_end = second.row_offsets()(i + 1);
    bool const is_in_second =
        to_first == first_end; // all of it: kept whole, or without own columns
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      bool const goes_to_second = is_in_second || own(a.columns()(k)) < 0;
      if (goes_to_second && to_second < second_end)
        second.values()(to_second++) = a.values()(k);
      else if (!goes_to_second && to_first < first_end)
        first.values()(to_first++) = a.values()(k);
    }
  }
};

// Rows that have entries in columns of other ranks. Waits for exec.
template <class Matrix, class Own>
struct HasRemoteEntries
{
  Matrix a;
  Own own;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    bool has_remote = false;
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      has_remote = has_remote || own(a.columns()(k)) < 0;
    count += has_remote ? 1 : 0;
  }
};
template <class Exec, class Matrix, class Own>
std::int64_t count_boundary_rows(Exec const& exec, Matrix const& a, Own const& own)
{
  std::int64_t count = 0;
  Kokkos::parallel_reduce("heddle::split_columns::boundary_rows", range(exec, a.num_rows()),
                          HasRemoteEntries<Matrix, Own>{a, own}, count);
  return count;
}

// The values of a into both parts, which split_columns made of it. One pass over a. Asynchronous.
template <class Exec, class Matrix, class Own, class Part>
void copy_values(Exec const& exec, Matrix const& a, Own const& own, Part const& first,
                 Part const& second)
{
  Kokkos::parallel_for("heddle::split_columns::values", range(exec, a.num_rows()),
                       CopyValuesOfRow<Matrix, Own, Part>{a, own, first, second});
}

// One of the two parts, with as many rows as a. Waits for exec.
template <class Exec, class Matrix, class Own>
typename Matrix::non_const_type split_columns(Exec const& exec, Matrix const& a, Own const& own,
                                              PartOfRows<typename Matrix::ordinal_type> which)
{
  using Part = typename Matrix::non_const_type;
  auto const offsets = new_row_offsets<Part>(exec, a.num_rows());
  auto const n = static_cast<std::size_t>(
      offsets_from_counts(exec, a.num_rows(), EntriesTaken<Matrix, Own>{a, own, which}, offsets));
  auto const [columns, values] = new_entries<Part>(exec, n);
  Part const part(a.num_rows(), which.num_cols(), offsets, columns, values);
  Kokkos::parallel_for("heddle::split_columns", range(exec, part.num_rows()),
                       CopyEntriesTaken<Matrix, Own, Part>{a, own, part, which});
  exec.fence("heddle::split_columns");
  return part;
}

} // namespace heddle::impl
