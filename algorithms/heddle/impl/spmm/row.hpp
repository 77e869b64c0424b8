// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One row of C = A B on a host thread, tile by tile: a tile of columns stays in registers while the
// row's entries pass by, each bringing its piece of a row of B. Where B is larger than the caches,
// the piece that comes sixteen entries later is asked for in advance, because no hardware guesses
// which row of B that is. Long rows are summed in two chains, which do not wait for each other's
// additions.

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/multiply/csr_pointers.hpp>
#include <heddle/impl/spmm/tile_sums.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// Columns of a tile: a cache line of sums, or as many vectors as half of the registers hold (those
// that x86 has without AVX-512). Finding the row of B and spreading the value of A is done once per
// entry and tile, and costs as much as four vectors do.
template <class Sum>
inline constexpr std::int64_t line_tile = 64 / sizeof(Sum);
template <class Sum, class B, class C>
inline constexpr std::int64_t widest_tile = has_vector_sums<Sum, line_tile<Sum>, B, C>
                                                ? 8 * vector_bytes / sizeof(Sum)
                                                : line_tile<Sum>;

// f(tile) with the widest tile that `columns` fill, at least a cache line.
template <class Sum, std::int64_t tile, class F>
void with_tile(std::int64_t columns, F const& f)
{
  if constexpr (tile > line_tile<Sum>)
    if (columns < tile)
      return with_tile<Sum, tile / 2>(columns, f);
  f(std::integral_constant<std::int64_t, tile>{});
}

// How a row is multiplied. The numbers were measured on AMD Zen 5, 2026-11 (docs/performance.md).
struct SpmmRowTuning
{
  bool has_two_chains = false; // rows are long on average
  bool prefetches = false;     // B does not stay in the caches

  static constexpr double two_chain_row = 12.0; // entries
  static constexpr double local_share = 0.9;    // see locality
  static constexpr std::int64_t entries_ahead = 16;
};

// The share of entries whose column is near one of the row before, so that its row of B was there
// lately or follows one that was: nearly 1 for stencils and elements in their natural order. From a
// sample of rows.
template <class Matrix>
double locality(CsrPointers<Matrix> const& a, std::int64_t rows)
{
  constexpr std::int64_t samples = 4096, near = 8;
  std::int64_t close = 0, seen = 0;
  std::int64_t const step = std::max<std::int64_t>(1, rows / samples);
  for (std::int64_t i = 1; i < rows; i += step)
  {
    auto before = a.offsets[i - 1];
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k, ++seen)
    {
      std::int64_t const column = a.columns[k];
      while (before < a.offsets[i] && a.columns[before] < column - near)
        ++before;
      close += before < a.offsets[i] && a.columns[before] <= column + near ? 1 : 0;
    }
  }
  return seen == 0 ? 1.0 : static_cast<double>(close) / static_cast<double>(seen);
}

template <std::int64_t tile, class B>
void prefetch_row(B const& b, std::int64_t row, std::int64_t j)
{
  constexpr std::int64_t line = 64 / sizeof(typename B::value_type);
  for (std::int64_t t = 0; t < tile; t += line)
    __builtin_prefetch(&b(row, j + t));
}

// sums += the entry's piece of B, columns j .. j + tile - 1.
template <bool is_conjugate, class Sums, class Matrix, class Offset, class B>
void add_piece(Sums& sums, CsrPointers<Matrix> const& a, Offset k, B const& b, std::int64_t j)
{
  using Sum = typename Sums::sum_type;
  constexpr bool is_row_major = std::is_same_v<typename B::layout, Kokkos::LayoutRight>;
  sums.add(Sum(conjugated<is_conjugate>(a.values[k])), &b(a.columns[k], j),
           is_row_major ? 1 : b.column_stride);
}

template <class Sums, bool is_conjugate, class Matrix, class Offset, class B>
Sums sum_tile(CsrPointers<Matrix> const& a, Offset begin, Offset end, B const& b, std::int64_t j,
              SpmmRowTuning tuning)
{
  constexpr bool is_row_major = std::is_same_v<typename B::layout, Kokkos::LayoutRight>;
  constexpr bool fills_lines = Sums::width >= line_tile<typename Sums::sum_type>;
  Sums sums;
  if constexpr (is_row_major && fills_lines)
    if (tuning.prefetches)
    {
      auto const last = static_cast<Offset>(a.nnz - 1);
      for (; begin < end; ++begin)
      {
        Offset const ahead = std::min<Offset>(begin + SpmmRowTuning::entries_ahead, last);
        prefetch_row<Sums::width>(b, a.columns[ahead], j);
        add_piece<is_conjugate>(sums, a, begin, b, j);
      }
      return sums;
    }
  // Wider tiles have chains enough.
  if (Sums::width <= line_tile<typename Sums::sum_type> && tuning.has_two_chains)
  {
    Sums others;
    for (; begin + 2 <= end; begin += 2)
    {
      add_piece<is_conjugate>(sums, a, begin, b, j);
      add_piece<is_conjugate>(others, a, begin + 1, b, j);
    }
    sums.add(others);
  }
  for (; begin < end; ++begin)
    add_piece<is_conjugate>(sums, a, begin, b, j);
  return sums;
}

// C(i, j ...) from the entries begin .. end - 1, as many full tiles as there are; returns the first
// column that is left.
template <std::int64_t tile, bool is_conjugate, class Sum, class Matrix, class Offset, class Scalar,
          class B, class C>
[[gnu::always_inline]] inline std::int64_t
multiply_tiles(CsrPointers<Matrix> const& a, Offset begin, Offset end, Scalar alpha, B const& b,
               Scalar beta, C const& c, std::int64_t i, std::int64_t j, SpmmRowTuning tuning)
{
  for (; j + tile <= c.cols; j += tile)
    sum_tile<TileSums<Sum, tile, B, C>, is_conjugate>(a, begin, end, b, j, tuning)
        .store_to(c, i, j, alpha, beta);
  return j;
}

// What is left beside full tiles goes in narrower ones.
template <std::int64_t tile, bool is_conjugate, class Sum, class Matrix, class Offset, class Scalar,
          class B, class C>
void multiply_rest_of_row(CsrPointers<Matrix> const& a, Offset begin, Offset end, Scalar alpha,
                          B const& b, Scalar beta, C const& c, std::int64_t i, std::int64_t j,
                          SpmmRowTuning tuning)
{
  j = multiply_tiles<tile, is_conjugate, Sum>(a, begin, end, alpha, b, beta, c, i, j, tuning);
  if constexpr (tile > 1)
    if (j < c.cols)
      multiply_rest_of_row<tile / 2, is_conjugate, Sum>(a, begin, end, alpha, b, beta, c, i, j,
                                                        tuning);
}

// Rows first .. last - 1 of C. All by value: what a closure holds would be loaded again after every
// store to C. Full tiles are part of this loop, since a call per row costs as much as some entries.
template <std::int64_t tile, bool is_conjugate, class Sum, class Matrix, class Scalar, class B,
          class C>
void multiply_rows(std::int64_t first, std::int64_t last, Scalar alpha, CsrPointers<Matrix> a, B b,
                   Scalar beta, C c, SpmmRowTuning tuning)
{
  for (std::int64_t i = first; i < last; ++i)
  {
    auto const begin = a.offsets[i], end = a.offsets[i + 1];
    std::int64_t const j =
        multiply_tiles<tile, is_conjugate, Sum>(a, begin, end, alpha, b, beta, c, i, 0, tuning);
    if constexpr (tile > 1)
      if (j < c.cols)
        multiply_rest_of_row<tile / 2, is_conjugate, Sum>(a, begin, end, alpha, b, beta, c, i, j,
                                                          tuning);
  }
}

} // namespace heddle::impl
