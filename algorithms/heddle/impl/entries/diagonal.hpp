// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the diagonal entry of each row is.

#include <heddle/impl/entries/rows.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// A position in the arrays of a matrix, or none.
struct EntryPosition
{
  std::int64_t number = -1;
};

// Hands position(i), of the diagonal entry of row i or -1, to take(i, position).
template <class Columns, class Take>
struct FindDiagonal
{
  using Sum = EntryPosition;

  Columns columns;
  std::int64_t size; // of the diagonal: a matrix may have more rows than columns
  Take take;

  KOKKOS_FUNCTION void add(std::int64_t i, std::int64_t k, Sum& found) const
  {
    if (static_cast<std::int64_t>(columns(k)) == i)
      found.number = k;
  }
  KOKKOS_FUNCTION static void join(Sum& to, Sum const& from)
  {
    to.number = Kokkos::max(to.number, from.number);
  }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& found) const
  {
    if (i < size)
      take(i, found.number);
  }
};

template <class Values, class D>
struct StoreDiagonal
{
  Values values;
  D d;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t position) const
  {
    using Value = typename D::non_const_value_type;
    d(i) = position < 0 ? Value(0) : static_cast<Value>(values(position));
  }
};

// take(i, position) for the rows that the diagonal has. Asynchronous.
template <class Exec, class Matrix, class Take>
void for_each_diagonal(Exec const& exec, char const* label, Matrix const& a, Take const& take)
{
  using Columns = typename Matrix::columns_view;
  fold_rows(
      exec, label, a,
      FindDiagonal<Columns, Take>{a.columns(), static_cast<std::int64_t>(a.num_cols()), take});
}

} // namespace heddle::impl
