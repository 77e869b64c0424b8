// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A rank's matrix as the sum of two: its entries in columns that the rank has itself, and those in
// columns of other ranks. The first can be multiplied while entries of x travel for the second, and
// reads x where it is.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Entries of row i that are taken. own has this rank's number of each column, negative where
// another rank has it. A functor, as CONTRIBUTING.md asks of what several translation units may
// instantiate.
template <class Matrix, class Own>
struct EntriesTaken
{
  Matrix a;
  Own own;
  bool takes_remote;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t count = 0;
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      count += (own(a.columns()(k)) < 0) == takes_remote ? 1 : 0;
    return count;
  }
};

// Row i of part, which EntriesTaken counted: values, and columns as well where part is new.
template <class Matrix, class Own, class Part>
struct CopyEntriesTaken
{
  Matrix a;
  Own own;
  Part part;
  bool takes_remote, copies_columns;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto to = part.row_offsets()(i);
    auto const end = part.row_offsets()(i + 1);
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      auto const column = a.columns()(k), number = own(column);
      if ((number < 0) != takes_remote || to == end) // the latter in another pattern than part's
        continue;
      if (copies_columns)
        part.columns()(to) = takes_remote ? column : number;
      part.values()(to) = a.values()(k);
      ++to;
    }
  }
};

// The values of a into part, which split_columns made of it. Asynchronous.
template <class Exec, class Matrix, class Own, class Part>
void copy_values(Exec const& exec, Matrix const& a, Own const& own, Part const& part,
                 bool takes_remote)
{
  Kokkos::parallel_for("heddle::split_columns::values", range(exec, part.num_rows()),
                       CopyEntriesTaken<Matrix, Own, Part>{a, own, part, takes_remote, false});
}

// The entries of a in columns that own has numbers for, as own numbers them, own_columns of them;
// or the others, whose columns keep their numbers. As many rows as a. Waits for exec.
template <class Exec, class Matrix, class Own>
typename Matrix::non_const_type split_columns(Exec const& exec, Matrix const& a, Own const& own,
                                              typename Matrix::ordinal_type own_columns,
                                              bool takes_remote)
{
  using Part = typename Matrix::non_const_type;
  auto const offsets = new_row_offsets<Part>(exec, a.num_rows());
  auto const n = static_cast<std::size_t>(offsets_from_counts(
      exec, a.num_rows(), EntriesTaken<Matrix, Own>{a, own, takes_remote}, offsets));
  auto const [columns, values] = new_entries<Part>(exec, n);
  Part const part(a.num_rows(), takes_remote ? a.num_cols() : own_columns, offsets, columns,
                  values);
  Kokkos::parallel_for("heddle::split_columns", range(exec, part.num_rows()),
                       CopyEntriesTaken<Matrix, Own, Part>{a, own, part, takes_remote, true});
  exec.fence("heddle::split_columns");
  return part;
}

} // namespace heddle::impl
