// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the SpGEMM kernels, and how they sort rows into classes. They were tried on one H200
// on 2026-11-22 (perf_tests/results/h200/spgemm_steps.txt).

#include <heddle/config.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Shared memory in KiB, of a multiprocessor and what one block may have of it, by architecture
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
struct SharedMemory
{
  int of_processor, of_block;
};
KOKKOS_INLINE_FUNCTION constexpr SharedMemory shared_memory_of(int architecture)
{
  if (architecture == 86 || architecture == 89 || architecture >= 120)
    return {100, 99};
  return architecture >= 90   ? SharedMemory{228, 227}
         : architecture >= 80 ? SharedMemory{164, 163}
                              : SharedMemory{64, 64};
}

struct SpgemmPolicy
{
  static constexpr int columns_per_word = 32; // a table notes columns 32 a word
  // Threads of a block whose warps, or groups of lanes, have rows of their own.
  static constexpr int shared_block = 128;
  // A block that has one row.
  static constexpr int small_block = 256, medium_block = 512, large_block = 1024;
  // The block of teams of so many threads.
  KOKKOS_INLINE_FUNCTION static constexpr int block_of(int team)
  {
    return team < shared_block ? shared_block : team;
  }

  // Products of rows that are sorted in registers, by class: lanes and products a lane.
  static constexpr int sorted_classes = 4;
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_lanes(int c)
  {
    return c == 0 ? 8 : c == 1 ? 16 : 32;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_items(int c) { return c == 3 ? 8 : 4; }
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_products(int c)
  {
    return sorted_lanes(c) * sorted_items(c);
  }
  // Whole multiplies with so few products, launches and waits of which take longer than their
  // kernels, do rows with few products in one pass (spgemm/fused_sort.cuh), and also those with
  // more, a block each.
  static constexpr double few_products_in_all = 1 << 22;
  static constexpr int long_sorted_items = 8,
                       long_sorted_products = shared_block * long_sorted_items;
  // They are sorted with their products' numbers below their columns' distances, in 32 bits.
  static constexpr int bits_of_product = 10;
  // Entries of A in a row whose products are taken as one sequence (spgemm/product_sequence.cuh).
  static constexpr int flat_entries = 64;

  // Products, which bound the entries, of rows whose places are found by search, by class, and the
  // lanes that a row has.
  static constexpr int searched_classes = 3;
  KOKKOS_INLINE_FUNCTION static constexpr int searched_lanes(int c) { return 8 << c; }
  KOKKOS_INLINE_FUNCTION static constexpr int searched_entries(int c) { return 64 << c; }

  // Entries of A in a row whose rows of B are merged in registers, by class: lanes and rows of B a
  // lane, of which one-to-one binding has one.
  static constexpr int merged_classes = 3;
  KOKKOS_INLINE_FUNCTION static constexpr int merged_lanes(int c)
  {
    return c == 0 ? 4 : c == 1 ? 8 : 32;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int merged_rows(int c) { return c == 0 ? 2 : 4; }
  KOKKOS_INLINE_FUNCTION static constexpr int merged_entries(int c, bool is_one_to_one)
  {
    return merged_lanes(c) * (is_one_to_one ? 1 : merged_rows(c));
  }
  // Longer rows of A, whose warps meet in shared memory: threads of a block and rows of B a thread.
  static constexpr int shared_merged_block = 256, shared_merged_rows = 4;
  static constexpr int shared_merged_entries = shared_merged_block * shared_merged_rows;

  // Short rows that are merged in registers although all accumulators may be used: each step of the
  // merge gives one entry, so that these must be few, of C or by the bound that words of 32 columns
  // are where C is not known yet.
  static constexpr int few_entries = 8, few_outputs = 32, few_products = 64;
  static constexpr double words_per_product_max = 0.75;

  // Bytes of shared memory for the table of a row: three classes of warps, two of small blocks, one
  // of blocks of which two are on a multiprocessor, and one that has nearly all of its memory.
  static constexpr int table_classes = 7, first_small_block = 3, first_medium_block = 5;
  KOKKOS_INLINE_FUNCTION static constexpr int table_bytes(int c,
                                                          int architecture = HEDDLE_CUDA_ARCH)
  {
    SharedMemory const there = shared_memory_of(architecture);
    int const half = (there.of_processor - 8) / 2;
    int const kilobytes = c == 0   ? 2
                          : c == 1 ? 4
                          : c == 2 ? 8
                          : c == 3 ? 16
                          : c == 4 ? 36
                          : c == 5 ? (half > 40 ? half : 40)
                                   : there.of_block - 19;
    return kilobytes << 10;
  }
  // The first of these classes that a row with so many products may have: a few rows must not keep
  // a warp, or a small block, when all others are done.
  static constexpr std::int64_t most_of_warp = 16 << 10, most_of_small_block = 256 << 10;
  KOKKOS_INLINE_FUNCTION static constexpr int first_table_class(std::int64_t products,
                                                                std::int64_t of_warp)
  {
    return products <= of_warp               ? 0
           : products <= most_of_small_block ? first_small_block
                                             : first_medium_block;
  }
  // Of so many rows one is looked at by the numeric phase, whether it has as many products as the
  // plan found: to look at each costs another 1.3 % of the phase
  // (perf_tests/results/h200/spgemm_steps.txt, 9).
  static constexpr int rows_per_check = 8;
  // A table with a word for each block of columns between a row's first and last, where it takes no
  // more room than the class has, may have so many times the slots of a hash table: in the symbolic
  // phase all of them are looked at in the end, in the numeric one they are cleared only.
  static constexpr int direct_factor_symbolic = 2, direct_factor_numeric = 16;

  // Products for each word of a row of B from which on the symbolic phase takes B in words.
  static constexpr double products_per_word_min = 1.5;
  // Products of a row on average from which on words are written before that is known: fewer are
  // hardly taken by tables.
  static constexpr double products_for_words = 64;
  // Columns and sums of short rows that a whole multiply keeps until their places are known.
  static constexpr std::size_t most_kept_bytes = std::size_t(1) << 30;
};

// What rows of one multiply may be taken by.
struct RowLimits
{
  // Short rows have their sums at once, those with more products too, and none is merged.
  bool has_one_pass = false;
  std::int64_t most_of_warp = SpgemmPolicy::most_of_warp; // products
};

// How many products A B has if rows of B are taken as often as each other.
inline double expected_products(std::int64_t nnz_a, std::int64_t nnz_b, std::int64_t rows_b)
{
  return rows_b == 0 ? 0.0
                     : static_cast<double>(nnz_a) * static_cast<double>(nnz_b) /
                           static_cast<double>(rows_b);
}

// Products of a row up to which it may have one warp, where rows have so many on average: long rows
// that are many keep no one waiting.
inline std::int64_t most_products_of_warp(std::int64_t rows, double mean_products)
{
  constexpr std::int64_t many = 1 << 14; // rows: two rounds of all warps that a device has
  return rows < many
             ? SpgemmPolicy::most_of_warp
             : std::max(SpgemmPolicy::most_of_warp, static_cast<std::int64_t>(2.0 * mean_products));
}

// Classes of the symbolic phase: rows without products; sorted in registers; tables of more and
// more shared memory; tables that take several passes, a window of columns each.
struct SymbolicClass
{
  static constexpr int empty = 0, sorted = 1, long_sorted = sorted + SpgemmPolicy::sorted_classes,
                       merged = long_sorted + 1,
                       shared_merged = merged + SpgemmPolicy::merged_classes,
                       table = shared_merged + 1, windows = table + SpgemmPolicy::table_classes,
                       count = windows + 1;
};
// Classes whose rows are done in one pass (spgemm/fused_sort.cuh).
KOKKOS_INLINE_FUNCTION bool is_short(int symbolic_class)
{
  return symbolic_class >= SymbolicClass::sorted && symbolic_class <= SymbolicClass::long_sorted;
}
// Classes of the numeric phase: nothing to do; places found by search, as many classes of lanes;
// tables; tables whose sums are added up in C.
struct NumericClass
{
  static constexpr int empty = 0, searched = 1, merged = searched + SpgemmPolicy::searched_classes,
                       shared_merged = merged + SpgemmPolicy::merged_classes,
                       table = shared_merged + 1, in_place = table + SpgemmPolicy::table_classes,
                       count = in_place + 1;
};

KOKKOS_INLINE_FUNCTION std::int64_t power_of_two_from(std::int64_t n)
{
  std::int64_t result = 1;
  while (result < n)
    result *= 2;
  return result;
}

// A table for words of 32 columns: one for each block of columns from the first to the last
// (direct), or open addressing with at most two thirds of the slots taken.
struct WordTable
{
  std::int64_t slots;
  bool is_hashed;

  KOKKOS_INLINE_FUNCTION std::int64_t bytes(std::int64_t words_per_slot) const
  {
    return slots * (words_per_slot + (is_hashed ? 1 : 0)) *
           static_cast<std::int64_t>(sizeof(std::uint32_t));
  }
};

// Which tables a row may have.
KOKKOS_INLINE_FUNCTION bool may_hash(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::scatter_vector && wanted != SpgemmAccumulator::column_windows;
}
KOKKOS_INLINE_FUNCTION bool may_scatter(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::shared_hash;
}

// For so many blocks that have entries, or fewer, among `span` neighbouring ones: direct where its
// slots, of so many words, take no more than `room` bytes and are not many times those of a hash
// table.
KOKKOS_INLINE_FUNCTION WordTable word_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                            std::int64_t span, std::int64_t words_per_slot,
                                            int direct_factor, std::int64_t room)
{
  std::int64_t const slots = power_of_two_from(impl::divided_up(3 * blocks, 2));
  WordTable const direct{span, false};
  bool const is_narrow = span <= direct_factor * slots && direct.bytes(words_per_slot) <= room;
  return (is_narrow && may_scatter(wanted)) || !may_hash(wanted) ? direct : WordTable{slots, true};
}

// The table of the symbolic phase in so many bytes, of windows where no other fits.
struct SymbolicTable : WordTable
{
  bool is_windowed;
};
KOKKOS_INLINE_FUNCTION SymbolicTable symbolic_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                    std::int64_t span, std::int64_t bytes)
{
  constexpr int words_per_slot = 1;
  if (WordTable const table = word_table(wanted, blocks, span, words_per_slot,
                                         SpgemmPolicy::direct_factor_symbolic, bytes);
      table.bytes(words_per_slot) <= bytes)
    return {table, false};
  if (WordTable const table{span, false}; table.bytes(words_per_slot) <= bytes)
    return {table, false};
  return {{bytes / static_cast<std::int64_t>(sizeof(std::uint32_t)), false}, true};
}

// Sums, with what is behind them on a boundary of 8 bytes. One more than there are: what a column
// that the row does not have is added to at most.
KOKKOS_INLINE_FUNCTION std::int64_t bytes_of_sums(std::int64_t sums, std::int64_t bytes_per_sum)
{
  constexpr std::int64_t unit = 8;
  return sums == 0 ? 0 : impl::divided_up((sums + 1) * bytes_per_sum, unit) * unit;
}

// The table of the numeric phase with the sums before it, in so many bytes if it fits.
struct NumericTable : WordTable
{
  static constexpr int words_per_slot = 2;
  std::int64_t all_bytes;
};
KOKKOS_INLINE_FUNCTION NumericTable numeric_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                  std::int64_t span, std::int64_t sums,
                                                  std::int64_t bytes_per_sum, std::int64_t bytes)
{
  std::int64_t const of_sums = bytes_of_sums(sums, bytes_per_sum);
  WordTable const table = word_table(wanted, blocks, span, NumericTable::words_per_slot,
                                     SpgemmPolicy::direct_factor_numeric, bytes - of_sums);
  return {table, table.bytes(NumericTable::words_per_slot) + of_sums};
}

// What a class is chosen by.
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
  constexpr int widest = SpgemmPolicy::merged_classes - 1;
  switch (wanted)
  {
  case SpgemmAccumulator::register_merge:
    return SpgemmPolicy::merged_entries(widest, false);
  case SpgemmAccumulator::register_merge_one_to_one:
    return SpgemmPolicy::merged_entries(widest, true);
  case SpgemmAccumulator::shared_merge:
    return SpgemmPolicy::shared_merged_entries;
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
         row.entries <= SpgemmPolicy::few_entries;
}
// The class of merged rows, or the one behind them for rows that are merged in shared memory.
KOKKOS_INLINE_FUNCTION int merged_class(SpgemmAccumulator wanted, std::int64_t entries)
{
  bool const is_one_to_one = wanted == SpgemmAccumulator::register_merge_one_to_one;
  int c = 0;
  while (c < SpgemmPolicy::merged_classes &&
         entries > SpgemmPolicy::merged_entries(c, is_one_to_one))
    ++c;
  return c;
}
KOKKOS_INLINE_FUNCTION bool may_sort(SpgemmAccumulator wanted, RowOfProducts const& row)
{
  return (wanted == SpgemmAccumulator::automatic || wanted == SpgemmAccumulator::esc ||
          most_merged_entries(wanted) > 0) &&
         row.entries <= SpgemmPolicy::flat_entries;
}

// The class of a row of C whose products are in at most so many blocks of columns, and are noted in
// so many steps: one for each product, or for each word of B.
KOKKOS_INLINE_FUNCTION int symbolic_class(SpgemmAccumulator wanted, RowOfProducts const& row,
                                          std::int64_t blocks, std::int64_t steps,
                                          RowLimits const& limits = {})
{
  // Columns are sorted as distances from the row's first, in 32 bits.
  std::int64_t const most_span =
      (std::int64_t(1) << (limits.has_one_pass ? 31 - SpgemmPolicy::bits_of_product : 31)) /
      SpgemmPolicy::columns_per_word;
  if (row.products == 0)
    return SymbolicClass::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return SymbolicClass::windows;
  if (may_merge(wanted, row))
    return SymbolicClass::merged + merged_class(wanted, row.entries);
  if (!limits.has_one_pass && is_merged_unasked(wanted, row) &&
      row.products <= SpgemmPolicy::few_products &&
      static_cast<double>(row.words) <=
          SpgemmPolicy::words_per_product_max * static_cast<double>(row.products))
    return SymbolicClass::merged;
  if (may_sort(wanted, row) && row.span <= most_span)
  {
    for (int c = 0; c < SpgemmPolicy::sorted_classes; ++c)
      if (row.products <= SpgemmPolicy::sorted_products(c))
        return SymbolicClass::sorted + c;
    if (limits.has_one_pass && row.products <= SpgemmPolicy::long_sorted_products)
      return SymbolicClass::long_sorted;
  }
  for (int c = SpgemmPolicy::first_table_class(steps, limits.most_of_warp);
       c < SpgemmPolicy::table_classes; ++c)
    if (!symbolic_table(wanted, blocks, row.span, SpgemmPolicy::table_bytes(c)).is_windowed)
      return SymbolicClass::table + c;
  return SymbolicClass::windows;
}

// The class of a row of C with so many entries in exactly so many blocks.
KOKKOS_INLINE_FUNCTION int numeric_class(SpgemmAccumulator wanted, RowOfProducts const& row,
                                         std::int64_t blocks, std::int64_t count,
                                         std::int64_t bytes_per_sum, RowLimits const& limits = {})
{
  if (count == 0)
    return NumericClass::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return NumericClass::in_place;
  if (may_merge(wanted, row))
    return NumericClass::merged + merged_class(wanted, row.entries);
  if (is_merged_unasked(wanted, row) && count <= SpgemmPolicy::few_outputs)
    return NumericClass::merged;
  if (may_sort(wanted, row))
    for (int c = 0; c < SpgemmPolicy::searched_classes; ++c)
      if (row.products <= SpgemmPolicy::searched_entries(c))
        return NumericClass::searched + c;
  for (int c = SpgemmPolicy::first_table_class(row.products, limits.most_of_warp);
       c < SpgemmPolicy::table_classes; ++c)
    if (std::int64_t const bytes = SpgemmPolicy::table_bytes(c);
        numeric_table(wanted, blocks, row.span, count, bytes_per_sum, bytes).all_bytes <= bytes)
      return NumericClass::table + c;
  return NumericClass::in_place;
}

} // namespace heddle::cuda_native
