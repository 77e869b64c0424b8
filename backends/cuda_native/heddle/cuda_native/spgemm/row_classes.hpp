// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Classes of rows, for both phases, and which class a row has: by what is known of its products in
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

// How a row of C is done.
enum class RowMethod
{
  none,           // it has nothing
  sort,           // products sorted in registers
  block_sort,     // by a block, with their sums
  search,         // columns of C searched for each product
  register_merge, // rows of B merged in registers
  shared_merge,   // and between warps in shared memory
  table,          // a table of words in shared memory
  windows,        // such a table for one window of columns after another
  in_place,       // the same, with sums in C itself
  shared_rows     // tables of several teams, which add their sums in C
};

// Neighbouring classes of one method: each takes longer rows than the one before. What is done with
// classes goes by the two lists below: constants, launches and their order, plan.describe().
struct ClassGroup
{
  RowMethod method;
  int classes;
  bool is_one_launch; // that takes all of them
  char const* text;
};
inline constexpr std::array symbolic_groups{
    ClassGroup{RowMethod::none, 1, false, "empty"},
    ClassGroup{RowMethod::sort, SpgemmPolicyFor::value.sorted_classes, true, "sorted"},
    ClassGroup{RowMethod::block_sort, 1, true, "sorted by blocks"},
    ClassGroup{RowMethod::register_merge, SpgemmPolicyFor::value.merged_classes, false, "merged"},
    ClassGroup{RowMethod::shared_merge, 1, false, "merged by warps"},
    ClassGroup{RowMethod::table, SpgemmPolicyFor::value.table_classes, false, "by tables"},
    ClassGroup{RowMethod::windows, 1, false, "by windows"}};
inline constexpr std::array numeric_groups{
    ClassGroup{RowMethod::none, 1, false, "empty"},
    ClassGroup{RowMethod::search, SpgemmPolicyFor::value.searched_classes, true, "searched"},
    ClassGroup{RowMethod::register_merge, SpgemmPolicyFor::value.merged_classes, false, "merged"},
    ClassGroup{RowMethod::shared_merge, 1, false, "merged by warps"},
    ClassGroup{RowMethod::table, SpgemmPolicyFor::value.table_classes, false, "by tables"},
    ClassGroup{RowMethod::in_place, 1, false, "in place"},
    ClassGroup{RowMethod::shared_rows, SpgemmPolicyFor::value.shared_classes, false,
               "shared by teams"}};

// The number of the first class of a method, or of all classes if none has it.
template <std::size_t count>
constexpr int first_class(std::array<ClassGroup, count> const& groups, RowMethod method)
{
  int first = 0;
  for (ClassGroup const& group : groups)
  {
    if (group.method == method)
      break;
    first += group.classes;
  }
  return first;
}
template <std::size_t count>
constexpr int all_classes(std::array<ClassGroup, count> const& groups)
{
  int all = 0;
  for (ClassGroup const& group : groups)
    all += group.classes;
  return all;
}

// The first class of each method.
struct SymbolicClass
{
  static constexpr int empty = first_class(symbolic_groups, RowMethod::none),
                       sorted = first_class(symbolic_groups, RowMethod::sort),
                       long_sorted = first_class(symbolic_groups, RowMethod::block_sort),
                       merged = first_class(symbolic_groups, RowMethod::register_merge),
                       shared_merged = first_class(symbolic_groups, RowMethod::shared_merge),
                       table = first_class(symbolic_groups, RowMethod::table),
                       windows = first_class(symbolic_groups, RowMethod::windows),
                       count = all_classes(symbolic_groups);
};
struct NumericClass
{
  static constexpr int empty = first_class(numeric_groups, RowMethod::none),
                       searched = first_class(numeric_groups, RowMethod::search),
                       merged = first_class(numeric_groups, RowMethod::register_merge),
                       shared_merged = first_class(numeric_groups, RowMethod::shared_merge),
                       table = first_class(numeric_groups, RowMethod::table),
                       in_place = first_class(numeric_groups, RowMethod::in_place),
                       shared_rows = first_class(numeric_groups, RowMethod::shared_rows),
                       count = all_classes(numeric_groups);
};

// Classes whose rows have their sums at once where that is done (spgemm/fused_sort.cuh).
KOKKOS_INLINE_FUNCTION bool is_short(int symbolic_class)
{
  return symbolic_class >= SymbolicClass::sorted && symbolic_class <= SymbolicClass::long_sorted;
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
  constexpr int widest = SpgemmPolicyFor::value.merged_classes - 1;
  switch (wanted)
  {
  case SpgemmAccumulator::register_merge:
    return SpgemmPolicyFor::merged_entries(widest, false);
  case SpgemmAccumulator::register_merge_one_to_one:
    return SpgemmPolicyFor::merged_entries(widest, true);
  case SpgemmAccumulator::shared_merge:
    return SpgemmPolicyFor::shared_merged_entries;
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
// The class of merged rows, or the one behind them for rows that are merged in shared memory.
KOKKOS_INLINE_FUNCTION int merged_class(SpgemmAccumulator wanted, std::int64_t entries)
{
  bool const is_one_to_one = wanted == SpgemmAccumulator::register_merge_one_to_one;
  int c = 0;
  while (c < SpgemmPolicyFor::value.merged_classes &&
         entries > SpgemmPolicyFor::merged_entries(c, is_one_to_one))
    ++c;
  return c;
}
KOKKOS_INLINE_FUNCTION bool may_sort(SpgemmAccumulator wanted, RowOfProducts const& row)
{
  return (wanted == SpgemmAccumulator::automatic || wanted == SpgemmAccumulator::esc ||
          most_merged_entries(wanted) > 0) &&
         row.entries <= SpgemmPolicyFor::value.sequence_entries;
}

// The class of a row of C whose products are in at most so many blocks of columns, and are noted in
// so many steps: one for each product, or for each word of B.
KOKKOS_INLINE_FUNCTION int symbolic_class(SpgemmAccumulator wanted, RowOfProducts const& row,
                                          std::int64_t blocks, std::int64_t steps,
                                          RowLimits const& limits = {})
{
  // Columns are sorted as distances from the row's first, in 32 bits.
  std::int64_t const most_span =
      (std::int64_t(1) << (limits.has_one_pass ? 31 - SpgemmPolicyFor::value.bits_of_product
                                               : 31)) /
      columns_per_word;
  if (row.products == 0)
    return SymbolicClass::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return SymbolicClass::windows;
  if (may_merge(wanted, row))
    return SymbolicClass::merged + merged_class(wanted, row.entries);
  if (!limits.has_one_pass && is_merged_unasked(wanted, row) &&
      row.products <= SpgemmPolicyFor::value.few_products &&
      static_cast<double>(row.words) <=
          SpgemmPolicyFor::value.words_per_product_max * static_cast<double>(row.products))
    return SymbolicClass::merged;
  if (may_sort(wanted, row) && row.span <= most_span)
  {
    for (int c = 0; c < SpgemmPolicyFor::value.sorted_classes; ++c)
      if (row.products <= SpgemmPolicyFor::sorted_products(c))
        return SymbolicClass::sorted + c;
    if (limits.has_one_pass && row.products <= SpgemmPolicyFor::long_sorted_products)
      return SymbolicClass::long_sorted;
  }
  for (int c = SpgemmPolicyFor::first_table_class(steps, limits.most_of_warp);
       c < SpgemmPolicyFor::value.table_classes; ++c)
    if (!symbolic_table(wanted, blocks, row.span, SpgemmPolicyFor::table_bytes(c)).is_windowed)
      return SymbolicClass::table + c;
  return SymbolicClass::windows;
}

// The class of a row of C with so many entries in exactly so many blocks, where all rows have so
// many products.
KOKKOS_INLINE_FUNCTION int numeric_class(SpgemmAccumulator wanted, RowOfProducts const& row,
                                         std::int64_t blocks, std::int64_t count,
                                         std::int64_t bytes_per_sum, RowLimits const& limits = {},
                                         std::int64_t all_products = 0)
{
  auto const has_numeric_table = [&](int c) {
    std::int64_t const bytes = SpgemmPolicyFor::table_bytes(c);
    return numeric_table(wanted, blocks, row.span, count, bytes_per_sum, bytes).all_bytes <= bytes;
  };
  if (count == 0)
    return NumericClass::empty;
  if (wanted == SpgemmAccumulator::column_windows)
    return NumericClass::in_place;
  if (may_merge(wanted, row))
    return NumericClass::merged + merged_class(wanted, row.entries);
  if (is_merged_unasked(wanted, row) && count <= SpgemmPolicyFor::value.few_outputs)
    return NumericClass::merged;
  if (may_sort(wanted, row))
    for (int c = 0; c < SpgemmPolicyFor::value.searched_classes; ++c)
      if (row.products <= SpgemmPolicyFor::searched_entries(c))
        return NumericClass::searched + c;
  if (limits.is_shared(row.products, all_products))
  {
    constexpr int last = SpgemmPolicyFor::value.shared_classes - 1;
    int c = 0;
    while (c < last && !has_numeric_table(SpgemmPolicyFor::shared_table(c)))
      ++c;
    return NumericClass::shared_rows + c;
  }
  for (int c = SpgemmPolicyFor::first_table_class(row.products, limits.most_of_warp);
       c < SpgemmPolicyFor::value.table_classes; ++c)
    if (has_numeric_table(c))
      return NumericClass::table + c;
  return NumericClass::in_place;
}

} // namespace heddle::cuda_native
