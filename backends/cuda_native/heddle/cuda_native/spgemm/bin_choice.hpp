// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Bins of rows, for both phases, and which bin a row has: by what is known of its products in
// the symbolic phase, by its entries in the numeric one.

#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/word_tables.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Whether an accumulator is for all rows together.
constexpr bool is_of_all_rows(SpgemmAccumulator wanted)
{
  return wanted == SpgemmAccumulator::dense_tiles || wanted == SpgemmAccumulator::dense_rows;
}
// How rows are done one by one, where they have no panels and are not taken together.
constexpr SpgemmAccumulator by_row(SpgemmAccumulator wanted)
{
  return wanted == SpgemmAccumulator::row_panels || is_of_all_rows(wanted)
             ? SpgemmAccumulator::automatic
             : wanted;
}

// How a row of C is done.
enum class RowMethod
{
  none,           // it has nothing
  sort,           // products sorted in registers
  block_sort,     // by a block, with their sums
  bitmap,         // noted in a bitmap of all blocks from the first to the last
  search,         // columns of C searched for each product
  register_merge, // rows of B merged in registers
  shared_merge,   // and between warps in shared memory
  table,          // a table of words in shared memory
  windows,        // such a table for one window of columns after another
  in_place,       // the same, with sums in C itself
  shared_rows     // tables of several teams, which add their sums in C
};

// Neighbouring bins of one method: each takes longer rows than the one before. What is done with
// bins goes by the two lists below: constants, launches and their order, plan.describe().
struct BinGroup
{
  RowMethod method;
  int bins;
  bool is_one_launch; // that takes all of them
  char const* text;
};
inline constexpr std::array symbolic_groups{
    BinGroup{RowMethod::none, 1, false, "empty"},
    BinGroup{RowMethod::sort, SpgemmPolicyFor::value.sorted_bins, true, "sorted"},
    BinGroup{RowMethod::block_sort, 1, true, "sorted by blocks"},
    BinGroup{RowMethod::bitmap, SpgemmPolicyFor::value.bitmap_bins, false, "by bitmaps"},
    BinGroup{RowMethod::register_merge, SpgemmPolicyFor::value.merged_bins, false, "merged"},
    BinGroup{RowMethod::shared_merge, SpgemmPolicyFor::value.shared_merged_bins, false,
             "merged by warps"},
    BinGroup{RowMethod::table, SpgemmPolicyFor::value.table_bins, false, "by tables"},
    BinGroup{RowMethod::windows, 1, false, "by windows"}};
inline constexpr std::array numeric_groups{
    BinGroup{RowMethod::none, 1, false, "empty"},
    BinGroup{RowMethod::search, SpgemmPolicyFor::value.searched_bins, true, "searched"},
    BinGroup{RowMethod::register_merge, SpgemmPolicyFor::value.merged_bins, false, "merged"},
    BinGroup{RowMethod::shared_merge, SpgemmPolicyFor::value.shared_merged_bins, false,
             "merged by warps"},
    BinGroup{RowMethod::table, SpgemmPolicyFor::value.table_bins, false, "by tables"},
    BinGroup{RowMethod::in_place, 1, false, "in place"},
    BinGroup{RowMethod::shared_rows, SpgemmPolicyFor::value.shared_bins, false, "shared by teams"}};

// The number of the first bin of a method, or of all bins if none has it.
template <std::size_t count>
constexpr int first_bin(std::array<BinGroup, count> const& groups, RowMethod method)
{
  int first = 0;
  for (BinGroup const& group : groups)
  {
    if (group.method == method)
      break;
    first += group.bins;
  }
  return first;
}
template <std::size_t count>
constexpr int all_bins(std::array<BinGroup, count> const& groups)
{
  int all = 0;
  for (BinGroup const& group : groups)
    all += group.bins;
  return all;
}

// The first bin of each method.
struct SymbolicBin
{
  static constexpr int empty = first_bin(symbolic_groups, RowMethod::none),
                       sorted = first_bin(symbolic_groups, RowMethod::sort),
                       long_sorted = first_bin(symbolic_groups, RowMethod::block_sort),
                       bitmap = first_bin(symbolic_groups, RowMethod::bitmap),
                       merged = first_bin(symbolic_groups, RowMethod::register_merge),
                       shared_merged = first_bin(symbolic_groups, RowMethod::shared_merge),
                       table = first_bin(symbolic_groups, RowMethod::table),
                       windows = first_bin(symbolic_groups, RowMethod::windows),
                       count = all_bins(symbolic_groups);
};
struct NumericBin
{
  static constexpr int empty = first_bin(numeric_groups, RowMethod::none),
                       searched = first_bin(numeric_groups, RowMethod::search),
                       merged = first_bin(numeric_groups, RowMethod::register_merge),
                       shared_merged = first_bin(numeric_groups, RowMethod::shared_merge),
                       table = first_bin(numeric_groups, RowMethod::table),
                       in_place = first_bin(numeric_groups, RowMethod::in_place),
                       shared_rows = first_bin(numeric_groups, RowMethod::shared_rows),
                       count = all_bins(numeric_groups);
};

// Bins whose rows have their sums at once where that is done (spgemm/fused_sort.cuh).
KOKKOS_INLINE_FUNCTION bool is_short(int symbolic_bin)
{
  return symbolic_bin >= SymbolicBin::sorted && symbolic_bin <= SymbolicBin::long_sorted;
}

// What a bin is chosen by.
struct RowOfProducts
{
  std::int64_t entries;  // of A
  std::int64_t products; // of these with rows of B
  std::int64_t words;    // of these rows of B, in blocks of 32 columns
  std::int64_t span;     // such blocks from the first product's to the last's
  bool is_sorted;        // rows of B have their columns in order
};

// Entries of A up to which rows are merged where that is asked for.
KOKKOS_INLINE_FUNCTION int most_merged_entries(SpgemmAccumulator wanted)
{
  constexpr int widest = SpgemmPolicyFor::value.merged_bins - 1;
  switch (wanted)
  {
  case SpgemmAccumulator::register_merge:
    return SpgemmPolicyFor::merged_entries(widest, false);
  case SpgemmAccumulator::register_merge_one_to_one:
    return SpgemmPolicyFor::merged_entries(widest, true);
  case SpgemmAccumulator::shared_merge:
    return SpgemmPolicyFor::shared_merged_entries(SpgemmPolicyFor::value.shared_merged_bins - 1);
  default:
    return 0;
  }
}
KOKKOS_INLINE_FUNCTION bool may_merge(SpgemmAccumulator wanted, RowOfProducts const& row)
{
  return row.is_sorted && row.entries <= most_merged_entries(wanted);
}
// Whether it does so of itself.
KOKKOS_INLINE_FUNCTION bool is_merged_unasked(SpgemmAccumulator wanted, RowOfProducts const& row)
{
  return wanted == SpgemmAccumulator::automatic && row.is_sorted &&
         row.entries <= SpgemmPolicyFor::value.few_entries;
}
// The bin of merged rows, where those that are merged in shared memory come behind the others.
KOKKOS_INLINE_FUNCTION int merged_bin(SpgemmAccumulator wanted, std::int64_t entries)
{
  constexpr int of_registers = SpgemmPolicyFor::value.merged_bins;
  bool const is_one_to_one = wanted == SpgemmAccumulator::register_merge_one_to_one;
  for (int c = 0; c < of_registers; ++c)
    if (entries <= SpgemmPolicyFor::merged_entries(c, is_one_to_one))
      return c;
  int c = 0;
  while (c + 1 < SpgemmPolicyFor::value.shared_merged_bins &&
         entries > SpgemmPolicyFor::shared_merged_entries(c))
    ++c;
  return of_registers + c;
}
KOKKOS_INLINE_FUNCTION bool may_sort(SpgemmAccumulator wanted, RowOfProducts const& row)
{
  return (wanted == SpgemmAccumulator::automatic || wanted == SpgemmAccumulator::esc ||
          most_merged_entries(wanted) > 0) &&
         row.entries <= SpgemmPolicyFor::value.sequence_entries;
}

// Whether the columns of a row are noted in a bitmap of this bin: not where the row has its sums at
// once, for which products are sorted.
KOKKOS_INLINE_FUNCTION bool has_bitmap(SpgemmAccumulator wanted, RowOfProducts const& row, int c,
                                       RowLimits const& limits)
{
  return wanted == SpgemmAccumulator::automatic && !limits.has_one_pass &&
         row.span <= SpgemmPolicyFor::bitmap_words(c) &&
         row.products >= SpgemmPolicyFor::bitmap_products_min(c) &&
         row.products <= SpgemmPolicyFor::value.bitmap_products &&
         static_cast<double>(row.words) <=
             SpgemmPolicyFor::bitmap_words_per_product_max(c) * static_cast<double>(row.products);
}

// The bin of a row that has a table, from the bin of these teams on, or the number of all: the
// first in which it fits, or one of larger tables for teams of the same size where it is a direct
// one there, which takes fewer steps than hashing.
template <class Fits, class IsDirect>
KOKKOS_INLINE_FUNCTION int table_bin(int first, Fits const& fits, IsDirect const& is_direct)
{
  int c = first;
  while (c < SpgemmPolicyFor::value.table_bins && !fits(c))
    ++c;
  for (int n = c; n < SpgemmPolicyFor::value.table_bins &&
                  SpgemmPolicyFor::table_threads(n) == SpgemmPolicyFor::table_threads(c);
       ++n)
    if (is_direct(n))
      return n;
  return c;
}

// The bin of a row of C whose products are in at most so many blocks of columns, and are noted in
// so many steps: one for each product, or for each word of B.
KOKKOS_INLINE_FUNCTION int symbolic_bin(SpgemmAccumulator wanted, RowOfProducts const& row,
                                        std::int64_t blocks, std::int64_t steps,
                                        RowLimits const& limits = {})
{
  // Columns are sorted as distances from the row's first, in 32 bits.
  std::int64_t const most_span =
      (std::int64_t(1) << (limits.has_one_pass ? 31 - SpgemmPolicyFor::value.bits_of_product
                                               : 31)) /
      columns_per_word;
  if (row.products == 0)
    return SymbolicBin::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return SymbolicBin::windows;
  if (may_merge(wanted, row))
    return SymbolicBin::merged + merged_bin(wanted, row.entries);
  if (!limits.has_one_pass && is_merged_unasked(wanted, row) &&
      row.products <= SpgemmPolicyFor::value.few_products &&
      static_cast<double>(row.words) <=
          SpgemmPolicyFor::value.words_per_product_max * static_cast<double>(row.products))
    return SymbolicBin::merged;
  for (int c = 0; c < SpgemmPolicyFor::value.bitmap_bins; ++c)
    if (has_bitmap(wanted, row, c, limits))
      return SymbolicBin::bitmap + c;
  if (may_sort(wanted, row) && row.span <= most_span)
  {
    for (int c = 0; c < SpgemmPolicyFor::value.sorted_bins; ++c)
      if (row.products <= SpgemmPolicyFor::sorted_products(c))
        return SymbolicBin::sorted + c;
    if (limits.has_one_pass && row.products <= SpgemmPolicyFor::long_sorted_products)
      return SymbolicBin::long_sorted;
  }
  auto const table_in = [&](int c) {
    return symbolic_table(wanted, blocks, row.span, SpgemmPolicyFor::table_bytes(c));
  };
  int const c = table_bin(
      SpgemmPolicyFor::first_table_bin(steps, limits.most_of_warp),
      [&](int n) { return !table_in(n).is_windowed; },
      [&](int n) { return !table_in(n).is_hashed && !table_in(n).is_windowed; });
  return c < SpgemmPolicyFor::value.table_bins ? SymbolicBin::table + c : SymbolicBin::windows;
}

// The bin of a row of C with so many entries in exactly so many blocks, where all rows have so
// many products.
KOKKOS_INLINE_FUNCTION int numeric_bin(SpgemmAccumulator wanted, RowOfProducts const& row,
                                       std::int64_t blocks, std::int64_t count,
                                       std::int64_t bytes_per_sum, RowLimits const& limits = {},
                                       std::int64_t all_products = 0)
{
  auto const table_in = [&](int c) {
    return numeric_table(wanted, blocks, row.span, count, bytes_per_sum,
                         SpgemmPolicyFor::table_bytes(c));
  };
  auto const fits = [&](int c) { return table_in(c).all_bytes <= SpgemmPolicyFor::table_bytes(c); };
  if (count == 0)
    return NumericBin::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return NumericBin::in_place;
  if (may_merge(wanted, row))
    return NumericBin::merged + merged_bin(wanted, row.entries);
  if (is_merged_unasked(wanted, row) && count <= SpgemmPolicyFor::value.few_outputs)
    return NumericBin::merged;
  if (may_sort(wanted, row))
    for (int c = 0; c < SpgemmPolicyFor::value.searched_bins; ++c)
      if (row.products <= SpgemmPolicyFor::searched_entries(c))
        return NumericBin::searched + c;
  if (limits.is_shared(row.products, all_products))
  {
    constexpr int last = SpgemmPolicyFor::value.shared_bins - 1;
    int c = 0;
    while (c < last && !fits(SpgemmPolicyFor::shared_table(c)))
      ++c;
    return NumericBin::shared_rows + c;
  }
  int const c =
      table_bin(SpgemmPolicyFor::first_table_bin(row.products, limits.most_of_warp), fits,
                [&](int n) { return fits(n) && table_in(n).layout != NumericLayout::hashed; });
  return c < SpgemmPolicyFor::value.table_bins ? NumericBin::table + c : NumericBin::in_place;
}

} // namespace heddle::cuda_native
