// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of a rank's matrix that need nothing from other ranks, and those that do: each kind as a
// matrix of its own, so that the first can be multiplied while entries of x travel for the second.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Entries of row i if it is to be taken, else 0. A row is remote if one of its columns is: if own,
// which has this rank's number of each column, has a negative number there.
template <class Matrix, class Own>
struct EntriesTaken
{
  Matrix a;
  Own own;
  bool takes_remote;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const begin = a.row_offsets()(i), end = a.row_offsets()(i + 1);
    bool is_remote = false;
    for (auto k = begin; k < end; ++k)
      is_remote = is_remote || own(a.columns()(k)) < 0;
    return is_remote == takes_remote ? static_cast<std::int64_t>(end - begin) : 0;
  }
};

// Row i of piece, which is a's or empty: copy(from, to) for each of its entries. A functor, as
// CONTRIBUTING.md asks of what several translation units may instantiate.
template <class Matrix, class Piece, class Copy>
struct EntriesOfRow
{
  Matrix a;
  Piece piece;
  Copy copy;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const from = static_cast<std::size_t>(a.row_offsets()(i));
    auto const to = static_cast<std::size_t>(piece.row_offsets()(i));
    auto const end = static_cast<std::size_t>(piece.row_offsets()(i + 1));
    for (std::size_t k = to; k < end; ++k)
      copy(from + (k - to), k);
  }
};
template <class Exec, class Matrix, class Piece, class Copy>
void for_entries_of(Exec const& exec, char const* label, Matrix const& a, Piece const& piece,
                    Copy const& copy)
{
  Kokkos::parallel_for(label, range(exec, piece.num_rows()),
                       EntriesOfRow<Matrix, Piece, Copy>{a, piece, copy});
}

template <class To, class From>
struct CopyEntry
{
  To to;
  From from;
  KOKKOS_FUNCTION void operator()(std::size_t k, std::size_t l) const { to(l) = from(k); }
};
template <class To, class From, class Own>
struct RenumberEntry
{
  To to;
  From from;
  Own own;
  KOKKOS_FUNCTION void operator()(std::size_t k, std::size_t l) const { to(l) = own(from(k)); }
};

// The values of a into piece, which some_rows made of it.
template <class Exec, class Matrix, class Piece>
void copy_values(Exec const& exec, Matrix const& a, Piece const& piece)
{
  for_entries_of(exec, "heddle::some_rows::copy_values", a, piece,
                 CopyEntry<typename Piece::values_view, typename Matrix::values_view>{
                     piece.values(), a.values()});
}

// A matrix of as many rows as a, of which those taken are a's and the others are empty. The rows
// without remote columns have their columns as own numbers them, own_columns of them; the remote
// rows keep theirs. Waits for exec.
template <class Exec, class Matrix, class Own>
typename Matrix::non_const_type some_rows(Exec const& exec, Matrix const& a, Own const& own,
                                          typename Matrix::ordinal_type own_columns,
                                          bool takes_remote)
{
  using Result = typename Matrix::non_const_type;
  using Columns = typename Result::columns_view;
  auto const offsets = new_row_offsets<Result>(exec, a.num_rows());
  auto const n = static_cast<std::size_t>(offsets_from_counts(
      exec, a.num_rows(), EntriesTaken<Matrix, Own>{a, own, takes_remote}, offsets));
  auto const [columns, values] = new_entries<Result>(exec, n);
  Result piece(a.num_rows(), takes_remote ? a.num_cols() : own_columns, offsets, columns, values);
  char const* const label = "heddle::some_rows::copy_columns";
  using From = typename Matrix::columns_view;
  if (takes_remote)
    for_entries_of(exec, label, a, piece, CopyEntry<Columns, From>{columns, a.columns()});
  else
    for_entries_of(exec, label, a, piece,
                   RenumberEntry<Columns, From, Own>{columns, a.columns(), own});
  copy_values(exec, a, piece);
  exec.fence("heddle::some_rows");
  return piece;
}

} // namespace heddle::impl
