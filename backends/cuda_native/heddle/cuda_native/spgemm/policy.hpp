// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the SpGEMM kernels. They were tried on one H200 on 2026-11-22
// (perf_tests/results/h200/spgemm_steps.txt).

#include <heddle/config.hpp>
#include <heddle/cuda_native/device/device_shape.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmPolicy
{
  // Threads of a block whose warps, or groups of lanes, have rows of their own.
  int shared_block;
  // A block that has one row.
  int small_block, medium_block, large_block;

  // Bins of rows whose products are sorted in registers. In whole multiplies with so few
  // products in all, launches and waits of which take longer than their kernels, these rows have
  // their sums at once (spgemm/fused_sort.cuh), and also rows with more products, a block each.
  int sorted_bins;
  double few_products_in_all;
  int long_sorted_items;
  // There a 32-bit key is sorted per product: its column's distance above, and its number, which
  // takes this number of bits, below.
  int bits_of_product;
  // Bins of narrow rows, whose columns are noted in a bitmap by bitmap_lanes lanes, by the words
  // that it has, and the most products of such a row: of more, a table is faster where they stand
  // alone (perf_tests/results/h200/spgemm_bitmaps.txt, 2).
  int bitmap_bins, bitmap_lanes, bitmap_products;
  // Entries of A in a row whose products are taken as one sequence (spgemm/product_sequence.cuh).
  int sequence_entries;

  // Bins of rows whose columns are found by binary search.
  int searched_bins;

  // Bins of rows that are merged in registers; bins of longer rows of A, whose warps meet in shared
  // memory, and columns of a warp's ring there.
  int merged_bins;
  int shared_merged_bins, shared_merged_ring;
  // Short rows that are merged in registers although all accumulators may be used: each step of the
  // merge gives one entry, so that these must be few, of C or by the bound that words of 32 columns
  // are where C is not known yet.
  int few_entries, few_outputs, few_products;
  double words_per_product_max;

  // Bins of tables in shared memory, by the threads that have a row: those before the first of
  // small blocks are of warps.
  int table_bins, first_small_block, first_medium_block;
  // KiB of the largest two: blocks of which two are on a multiprocessor, and one that has nearly
  // all of its memory.
  int medium_table_kib, large_table_kib;
  // Products of a row up to which it may have a warp, or a small block: a few rows must not keep
  // one when all others are done.
  std::int64_t most_of_warp, least_of_warp, most_of_small_block;
  // Entries of a row of B up to which one warp of a block takes it.
  int longest_of_warp;
  // Several teams share a row that has at least least_of_shared_row products, and more than all
  // products over shares_of_multiprocessor times the multiprocessors. Each team has at least
  // least_of_shared_warp products per warp.
  int shares_of_multiprocessor, shared_bins;
  std::int64_t least_of_shared_row, least_of_shared_warp;
  // Shares of a row's entries of A that each warp of a block takes, one after another: what is left
  // goes to warps that are done. Entries that it takes at once at least where all warps have some:
  // rows of B are loaded while it goes through others.
  int turns_of_warp, least_of_turn;
  // The numeric phase compares one row in this number with the products that the plan counted: to
  // compare each row costs another 1.3 % of the phase
  // (perf_tests/results/h200/spgemm_steps.txt, 9).
  int rows_per_check;

  // Products for each word of a row of B from which on the symbolic phase takes B as column
  // bitmasks.
  double products_per_word_min;
  // Products of a row on average from which on the bitmasks are written before that is known: rows
  // with fewer hardly have tables.
  double products_for_words;
  // Bytes of columns and sums of short rows that a whole multiply keeps until their rows have
  // offsets: with bounds and bins of rows beside them a call is to take 1 GB at most beyond the
  // matrices where C is smaller.
  std::size_t most_kept_bytes;
};

// The numbers for an architecture (as HEDDLE_CUDA_ARCH): only shared memory differs between those
// that were looked at.
KOKKOS_INLINE_FUNCTION constexpr SpgemmPolicy spgemm_policy(int architecture)
{
  ArchitectureShape const shape = architecture_shape(architecture);
  int const half_kib = (shape.shared_kib_of_multiprocessor - 8) / 2;
  return {.shared_block = 128,
          .small_block = 256,
          .medium_block = 512,
          .large_block = 1024,
          .sorted_bins = 4,
          .few_products_in_all = 1 << 22,
          .long_sorted_items = 8,
          .bits_of_product = 10,
          .bitmap_bins = 2,
          .bitmap_lanes = 8,
          .bitmap_products = 256,
          .sequence_entries = 64,
          .searched_bins = 3,
          .merged_bins = 5,
          .shared_merged_bins = 3,
          .shared_merged_ring = 128,
          .few_entries = 8,
          .few_outputs = 32,
          .few_products = 64,
          .words_per_product_max = 0.75,
          .table_bins = 7,
          .first_small_block = 3,
          .first_medium_block = 5,
          .medium_table_kib = half_kib > 40 ? half_kib : 40,
          .large_table_kib = shape.shared_kib_of_block - 19,
          .most_of_warp = 16 << 10,
          .least_of_warp = 1 << 10,
          .most_of_small_block = 256 << 10,
          .longest_of_warp = 512,        // not tuned
          .shares_of_multiprocessor = 8, // not tuned
          .shared_bins = 4,
          .least_of_shared_row = 8 << 10,
          .least_of_shared_warp = 512,
          .turns_of_warp = 4,
          .least_of_turn = 4,
          .rows_per_check = 8,
          .products_per_word_min = 1.5,
          .products_for_words = 64,
          .most_kept_bytes = 900'000'000};
}

// What kernels and host code take: the numbers of the architecture that is compiled for, and what
// follows from them for each bin of rows.
struct SpgemmPolicyFor
{
  static constexpr SpgemmPolicy value = spgemm_policy(HEDDLE_CUDA_ARCH);

  // The block of teams of so many threads.
  KOKKOS_INLINE_FUNCTION static constexpr int block_of(int team)
  {
    return team < value.shared_block ? value.shared_block : team;
  }

  // Rows sorted in registers: lanes, products per lane and products of a row. And those sorted by a
  // block.
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_lanes(int c)
  {
    return c == 0 ? 8 : c == 1 ? 16 : 32;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_items(int c) { return c == 3 ? 8 : 4; }
  KOKKOS_INLINE_FUNCTION static constexpr int sorted_products(int c)
  {
    return sorted_lanes(c) * sorted_items(c);
  }
  static constexpr int long_sorted_products = value.shared_block * value.long_sorted_items;

  // Narrow rows: words of a bitmap, the least products, of which fewer are sorted faster, and the
  // most words of B for each of them: a bitmap of many words pays where products stand together
  // (the same file).
  KOKKOS_INLINE_FUNCTION static constexpr int bitmap_words(int c) { return c == 0 ? 128 : 512; }
  KOKKOS_INLINE_FUNCTION static constexpr int bitmap_products_min(int c)
  {
    return c == 0 ? 33 : 65;
  }
  KOKKOS_INLINE_FUNCTION static constexpr double bitmap_words_per_product_max(int c)
  {
    return c == 0 ? 1.0 : value.words_per_product_max;
  }

  // Rows whose columns are searched: lanes, and products, which bound the entries.
  KOKKOS_INLINE_FUNCTION static constexpr int searched_lanes(int c) { return 8 << c; }
  KOKKOS_INLINE_FUNCTION static constexpr int searched_entries(int c) { return 64 << c; }

  // Rows merged in registers: lanes, rows of B per lane, of which one-to-one binding has one, and
  // entries of A. By the sweep in perf_tests/results/h200/register_merge.txt: the fastest where the
  // bin has most of the work.
  KOKKOS_INLINE_FUNCTION static constexpr int merged_lanes(int c, bool is_one_to_one)
  {
    if (is_one_to_one)
      return c < 3 ? 4 << c : 32;
    return c < 2 ? 4 : c == 2 ? 8 : 32;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int merged_rows(int c, bool is_one_to_one)
  {
    return is_one_to_one ? 1 : c == 0 || c == 3 ? 2 : 4;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int merged_entries(int c, bool is_one_to_one)
  {
    return merged_lanes(c, is_one_to_one) * merged_rows(c, is_one_to_one);
  }
  // Rows merged in shared memory: threads of a block, rows of B per thread and entries of A.
  KOKKOS_INLINE_FUNCTION static constexpr int shared_merged_block(int c)
  {
    return c < 2 ? 128 : 256;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int shared_merged_rows(int c) { return c == 0 ? 2 : 4; }
  KOKKOS_INLINE_FUNCTION static constexpr int shared_merged_entries(int c)
  {
    return shared_merged_block(c) * shared_merged_rows(c);
  }

  // Tables: bytes of shared memory, the threads of a row, and the first bin that a row with so
  // many products may have, where a warp takes rows up to of_warp.
  KOKKOS_INLINE_FUNCTION static constexpr int table_bytes(int c,
                                                          int architecture = HEDDLE_CUDA_ARCH)
  {
    SpgemmPolicy const policy = spgemm_policy(architecture);
    int const kilobytes = c == 0   ? 2
                          : c == 1 ? 4
                          : c == 2 ? 8
                          : c == 3 ? 16
                          : c == 4 ? 36
                          : c == 5 ? policy.medium_table_kib
                                   : policy.large_table_kib;
    return kilobytes << 10;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int table_threads(int c)
  {
    return c < value.first_small_block    ? 32
           : c < value.first_medium_block ? value.small_block
           : c < value.table_bins - 1     ? value.medium_block
                                          : value.large_block;
  }
  // The table bin of a bin of rows that teams share, of which the last has sums in C: of
  // warps, small, medium and large blocks.
  KOKKOS_INLINE_FUNCTION static constexpr int shared_table(int c)
  {
    return c == 0   ? value.first_small_block - 1
           : c == 1 ? value.first_medium_block - 1
           : c == 2 ? value.table_bins - 2
                    : value.table_bins - 1;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int first_table_bin(std::int64_t products,
                                                              std::int64_t of_warp)
  {
    constexpr std::int64_t warps_of_block = value.most_of_small_block / value.most_of_warp;
    return products <= of_warp ? 0
           : products <= value.most_of_small_block && products <= warps_of_block * of_warp
               ? value.first_small_block
               : value.first_medium_block;
  }

  // Rows of warps' tables which are so few that they go with the next larger tables: no more than
  // the device takes at once. 512 on 132 multiprocessors.
  static std::int64_t few_table_rows(DeviceShape const& device)
  {
    return static_cast<std::int64_t>(
        std::bit_floor(4 * static_cast<std::uint64_t>(device.multiprocessors)));
  }
  // The most parts that each of these rows is cut into for teams of this number of threads: two
  // rounds of all teams that the device holds.
  static int most_parts(DeviceShape const& device, std::int64_t rows, int threads)
  {
    constexpr std::int64_t most = 1 << 12, warp = 32;
    std::int64_t const teams = 2 * device.warps() / (threads / warp);
    return static_cast<int>(
        std::clamp<std::int64_t>(teams / std::max<std::int64_t>(rows, 1), 1, most));
  }
  // The most products of a row that one warp takes, given the rows of A and the products expected
  // in all: several times what a warp has where all warps of the device share them, so that few
  // rows keep no one waiting. Many long rows, two rounds of all warps that the device holds (16384
  // on 132 multiprocessors), do not either.
  static std::int64_t most_products_of_warp(DeviceShape const& device, std::int64_t rows,
                                            double products)
  {
    constexpr double shares = 8.0;
    auto const many =
        static_cast<std::int64_t>(std::bit_floor(2 * static_cast<std::uint64_t>(device.warps())));
    double const share = shares * products / static_cast<double>(device.warps());
    double const mean = products / static_cast<double>(std::max<std::int64_t>(rows, 1));
    double const most = rows < many ? static_cast<double>(value.most_of_warp)
                                    : std::max(static_cast<double>(value.most_of_warp), 2.0 * mean);
    return static_cast<std::int64_t>(
        std::clamp(share, static_cast<double>(value.least_of_warp), most));
  }
};

// What rows of one multiply may be taken by.
struct RowLimits
{
  // Short rows have their sums at once, those with more products too, and none is merged.
  bool has_one_pass = false;
  std::int64_t most_of_warp = SpgemmPolicyFor::value.most_of_warp; // products
  // Rows with more products than all of them divided by this number are shared; none with 0.
  std::int64_t shares = 0;

  // Whether so many products of a row, and of all, are many.
  KOKKOS_INLINE_FUNCTION bool is_shared(std::int64_t products, std::int64_t all) const
  {
    return shares > 0 && products >= SpgemmPolicyFor::value.least_of_shared_row &&
           products > all / shares;
  }
};

} // namespace heddle::cuda_native
