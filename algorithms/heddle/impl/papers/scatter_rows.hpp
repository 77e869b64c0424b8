// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of C by scatter vectors (Gustavson 1978; HybridSparse and paper 003, VII), on any backend: a
// virtual warp has a vector in memory with a number for each column of B, where the column stands
// in the row of C, and adds each product there. Which columns there are a bitmap finds first: the
// pool of paper 003, from which a column takes a slot at its first product, is the row of C, whose
// columns are in order.

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/papers/virtual_warps.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// visit(entry of A, entry of B) for the products of entry k of A, shared among the lanes of a
// virtual warp.
template <class A, class B, class Visit>
KOKKOS_INLINE_FUNCTION void products_of_entry(VirtualWarp const& warp, A const& a, B const& b,
                                              std::int64_t k, Visit const& visit)
{
  auto const row = a.columns()(k);
  auto const end = static_cast<std::int64_t>(b.row_offsets()(row + 1));
  for (auto m = static_cast<std::int64_t>(b.row_offsets()(row)) + warp.lane; m < end;
       m += warp.lanes)
    visit(k, m);
}
template <class A, class B, class Visit>
KOKKOS_INLINE_FUNCTION void products_of_row(VirtualWarp const& warp, A const& a, B const& b,
                                            std::int64_t i, Visit const& visit)
{
  if (i >= 0)
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      products_of_entry(warp, a, b, static_cast<std::int64_t>(k), visit);
}

// A bit for each column of B, in memory of a virtual warp, all 0 between two rows.
struct Bitmap
{
  static constexpr int columns_per_word = 32;
  std::uint32_t* words;

  static std::int64_t words_for(std::int64_t cols) { return divided_up(cols, columns_per_word); }
  // Whether the column was not there yet.
  KOKKOS_FUNCTION bool insert(std::int64_t column) const
  {
    std::uint32_t const bit = std::uint32_t(1) << (column % columns_per_word);
    return (Kokkos::atomic_fetch_or(&words[column / columns_per_word], bit) & bit) == 0;
  }
};

// Distinct columns of each row.
template <class A, class B, class Counts>
struct CountInBitmap
{
  A a;
  B b;
  std::uint32_t* words;
  std::int64_t words_each;
  Counts counts; // zero before

  using Shared = NothingShared;

  template <class Member, class Rows>
  KOKKOS_FUNCTION void operator()(Member const& team, VirtualWarp const& warp, Rows const& rows,
                                  Shared const&) const
  {
    std::int64_t const i = rows(warp.number);
    Bitmap const bitmap{words + warp.worker * words_each};
    std::int64_t mine = 0;
    products_of_row(warp, a, b, i, [&](std::int64_t, std::int64_t m) {
      mine += bitmap.insert(b.columns()(m)) ? 1 : 0;
    });
    if (mine > 0)
      Kokkos::atomic_add(&counts(i), mine);
    team.team_barrier();
    products_of_row(warp, a, b, i, [&](std::int64_t, std::int64_t m) {
      Kokkos::atomic_store(&bitmap.words[b.columns()(m) / Bitmap::columns_per_word], 0U);
    });
  }
};

// Sorted columns of each row, in its slots: each lane takes a piece of the words from the first
// to the last that the row has.
template <class A, class B, class Offsets, class Ordinal>
struct WriteFromBitmap
{
  A a;
  B b;
  std::uint32_t* words;
  std::int64_t words_each;
  Offsets offsets;
  Ordinal* columns;

  // Of each group of a team.
  struct Shared
  {
    std::int64_t first, last; // words
    std::int64_t before;      // columns of the groups before
  };

  template <class Member, class Rows>
  KOKKOS_FUNCTION void operator()(Member const& team, VirtualWarp const& warp, Rows const& rows,
                                  Shared& shared) const
  {
    std::int64_t const i = rows(warp.number);
    Bitmap const bitmap{words + warp.worker * words_each};
    if (warp.lane == 0)
      shared = {words_each, -1, 0};
    team.team_barrier();
    std::int64_t first = words_each, last = -1;
    products_of_row(warp, a, b, i, [&](std::int64_t, std::int64_t m) {
      auto const column = static_cast<std::int64_t>(b.columns()(m));
      bitmap.insert(column);
      first = Kokkos::min(first, column / Bitmap::columns_per_word);
      last = Kokkos::max(last, column / Bitmap::columns_per_word);
    });
    Kokkos::atomic_min(&shared.first, first);
    Kokkos::atomic_max(&shared.last, last);
    team.team_barrier();
    std::int64_t const span = Kokkos::max(shared.last - shared.first + 1, std::int64_t(0));
    std::int64_t const piece = divided_up(span, warp.lanes);
    std::int64_t const begin = shared.first + warp.lane * piece;
    std::int64_t const end = Kokkos::min(begin + piece, shared.first + span);
    std::int64_t mine = 0;
    for (std::int64_t w = begin; w < end; ++w)
      mine += Kokkos::popcount(bitmap.words[w]);
    std::int64_t const before = team.team_scan(mine);
    if (warp.lane == 0)
      shared.before = before;
    team.team_barrier();
    if (i >= 0)
      take_words(bitmap, begin, end,
                 columns + static_cast<std::int64_t>(offsets(i)) + before - shared.before);
  }
  KOKKOS_FUNCTION static void take_words(Bitmap const& bitmap, std::int64_t begin, std::int64_t end,
                                         Ordinal* to)
  {
    for (std::int64_t w = begin; w < end; ++w)
    {
      for (std::uint32_t bits = bitmap.words[w]; bits != 0; bits &= bits - 1)
        *to++ = static_cast<Ordinal>(w * Bitmap::columns_per_word + Kokkos::countr_zero(bits));
      bitmap.words[w] = 0;
    }
  }
};

// Values of each row at the columns that are there. A vector is not cleared: what it says of a
// column holds where the row of C has that column there (sparse sets: Briggs and Torczon, ACM
// LOPLAS 2(1), 1993).
template <bool in_order, class A, class B, class Offsets, class Ordinal, class Sum>
struct AddToScattered
{
  A a;
  B b;
  Ordinal* vectors;
  std::int64_t cols;
  Offsets offsets;
  Ordinal const* columns;
  Sum* values;
  MismatchReport report;

  using Shared = NothingShared;

  template <class Member, class Rows>
  KOKKOS_FUNCTION void operator()(Member const& team, VirtualWarp const& warp, Rows const& rows,
                                  Shared const&) const
  {
    std::int64_t const i = rows(warp.number);
    Ordinal* const index_of = vectors + warp.worker * cols;
    std::int64_t const begin = i < 0 ? 0 : static_cast<std::int64_t>(offsets(i));
    std::int64_t const end = i < 0 ? 0 : static_cast<std::int64_t>(offsets(i + 1));
    for (std::int64_t n = begin + warp.lane; n < end; n += warp.lanes)
    {
      index_of[columns[n]] = static_cast<Ordinal>(n - begin);
      values[n] = Sum{};
    }
    team.team_barrier();
    // add(sum, product) for entries k of A and m of B.
    auto const add_product = [&](std::int64_t k, std::int64_t m, auto const& add) {
      Ordinal const column = b.columns()(m);
      std::int64_t const n = begin + static_cast<std::int64_t>(index_of[column]);
      if (begin <= n && n < end && columns[n] == column)
        add(values[n], Sum(a.values()(k)) * Sum(b.values()(m)));
      else
        report();
    };
    if constexpr (!in_order)
      products_of_row(warp, a, b, i, [&](std::int64_t k, std::int64_t m) {
        add_product(k, m, [](Sum& sum, Sum const& product) { atomic_accumulate(sum, product); });
      });
    else
    {
      // A row of B has each column once; all groups of the team wait for each other's entries.
      int const warps = team.team_size() / warp.lanes;
      std::int64_t longest = 0;
      for (int w = 0; w < warps; ++w)
        longest = Kokkos::max(longest, entries(rows(w)));
      for (std::int64_t n = 0; n < longest; ++n)
      {
        if (n < entries(i))
          products_of_entry(warp, a, b, static_cast<std::int64_t>(a.row_offsets()(i)) + n,
                            [&](std::int64_t k, std::int64_t m) {
                              add_product(k, m, [](Sum& sum, Sum const& term) { sum += term; });
                            });
        team.team_barrier();
      }
    }
  }
  KOKKOS_FUNCTION std::int64_t entries(std::int64_t i) const
  {
    return i < 0 ? 0 : static_cast<std::int64_t>(a.row_offsets()(i + 1) - a.row_offsets()(i));
  }
};

} // namespace heddle::impl
