// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// MinHash (Broder, SEQUENCES 1997): of the columns of a row, the one that a hash function makes the
// least. Two rows have the same with the probability that their columns have in common (Jaccard's
// index), so sorting rows by several of them brings like rows together.

#include <heddle/impl/pattern.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// A bijection of 64-bit numbers for each seed, so that no two columns have one hash.
KOKKOS_INLINE_FUNCTION std::uint64_t hash_of_column(std::uint64_t column, std::uint64_t seed)
{
  return mix(column + seed * 0x9E3779B97F4A7C15ULL);
}

// The column of row i with the least hash; none where the row is empty.
template <class Offsets, class Columns>
struct MinHashColumn
{
  using Key = typename Columns::non_const_value_type;
  Offsets offsets;
  Columns columns;
  std::uint64_t seed;
  Key none;

  KOKKOS_FUNCTION Key operator()(std::int64_t i) const
  {
    Key best = none;
    std::uint64_t least = 0;
    for (auto k = offsets(i); k < offsets(i + 1); ++k)
    {
      std::uint64_t const hash = hash_of_column(static_cast<std::uint64_t>(columns(k)), seed);
      if (best == none || hash < least)
      {
        best = columns(k);
        least = hash;
      }
    }
    return best;
  }
};

// keys(i) = the column of row i with the least hash; cols, which no column is, where the row is
// empty. Asynchronous.
template <class Exec, class Matrix, class Keys>
void min_hash_columns(Exec const& exec, Matrix const& a, std::uint64_t seed, Keys const& keys)
{
  tabulate(exec, "heddle::reorder::min_hash", a.num_rows(),
           MinHashColumn<typename Matrix::row_offsets_view, typename Matrix::columns_view>{
               a.row_offsets(), a.columns(), seed, a.num_cols()},
           keys);
}

} // namespace heddle::impl
