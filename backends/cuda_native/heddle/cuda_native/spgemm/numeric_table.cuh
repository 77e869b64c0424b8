// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric kernel of SpGEMM by tables: products added to the sums of their columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/shared_sums.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/column_index.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/tables.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// The factors of a product, and its column.
template <class Ordinal, class Left, class Right>
struct ProductFactors
{
  Ordinal column;
  Left left;
  Right right;
};

// Adds the products of these entries of A to the sums of their columns, whose indices index tells.
// Where no other thread has the same column meanwhile (is_alone) nothing is atomic; in_turn: all
// threads of the team take the same row of B. A column that the row of C does not have, because the
// plan was made for another pattern, is added to one of the row's sums, or to one behind them where
// there is room for it: to leave it out would cost a branch for every product.
template <bool in_turn, bool is_alone, bool in_place, class Team, class A, class B, class Index,
          class Sum>
__device__ void add_products(A const& a, B const& b, EntryRange entries, int group,
                             Index const& index, Sum* sums)
{
  using Ordinal = typename A::ordinal_type;
  using Factors = ProductFactors<Ordinal, typename A::value_type, typename B::value_type>;
  for_each_product<in_turn, Team>(
      a, b, entries, group,
      [&](std::int64_t n, std::int64_t k) {
        return Factors{b.columns[n], a.values[k], b.values[n]};
      },
      [&](std::int64_t, Factors const& factors) {
        if constexpr (Index::is_window)
          if (!index.has(factors.column))
            return;
        Sum& sum = sums[index.of(factors.column)];
        Sum const term = Sum(factors.left) * Sum(factors.right);
        if constexpr (is_alone)
          sum += term;
        else if constexpr (in_place)
          impl::atomic_accumulate(sum, term);
        else
          add_in_shared(sum, term);
      });
}
// By the group that the row has; in order it is the whole team.
template <bool in_order, bool may_be_alone, bool in_place, class Team, class A, class B,
          class Index, class Sum>
__device__ void add_products_of_group(A const& a, B const& b, EntryRange entries, int group,
                                      Index const& index, Sum* sums)
{
  if (group == Team::size)
    add_products<true, may_be_alone, in_place, Team>(a, b, entries, group, index, sums);
  else if constexpr (!in_order)
    add_products<false, false, in_place, Team>(a, b, entries, group, index, sums);
}

// Which part of a row of the list a team has: all of it, or one of as many parts as pay.
struct RowParts
{
  int most;                   // 1 unless rows are shared
  std::int64_t least_of_part; // products

  // Each part has at least least_of_part products, and more where the row of C is long: each part
  // enters all columns of that row in its table, and adds all sums to C unless they are there.
  template <bool in_place>
  __device__ int parts_of(std::int64_t products, std::int64_t columns) const
  {
    std::int64_t const each = max(least_of_part, in_place ? columns / 4 : 4 * columns);
    return static_cast<int>(min(max(products / each, std::int64_t(1)), std::int64_t(most)));
  }
};

// Whether the row is left out, and that is reported: one of another pattern than the plan's, of
// which some are looked at, and one without entries, which may have no columns in C if they were to
// be found again. All threads of the team take part.
template <class Team, class A, class B, class C>
__device__ bool is_left_out(A const& a, B const& b, C const& c,
                            ProductRow<typename A::ordinal_type> const* rows, std::int64_t i,
                            typename Team::Memory& memory)
{
  bool const is_checked = i % SpgemmPolicyFor::value.rows_per_check == 0;
  if (a.offsets[i + 1] != a.offsets[i] &&
      (!is_checked || has_planned_products<Team>(a, b, i, rows[i].products, memory)))
    return false;
  c.report();
  return true;
}

// Checks rows that teams share, a block each, and clears their sums, to which these add.
template <class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.large_block)
    spgemm_begin_shared_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                               typename A::ordinal_type const* list)
{
  using Team = cuda_native::Team<SpgemmPolicyFor::value.large_block>;
  __shared__ typename Team::Memory memory;
  std::int64_t const i = list[blockIdx.x];
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  for_each_of<Team>(static_cast<std::int64_t>(c.offsets[i + 1]) - begin,
                    [&](std::int64_t k) { c.values[begin + k] = typename C::value_type(0); });
  is_left_out<Team>(a, b, c, rows, i, memory);
}

// Blocks of a multiprocessor that the registers of the kernel leave room for, as in the symbolic
// phase; complex sums of 16 bytes take more registers than that.
constexpr int blocks_of_sums(int team, std::size_t bytes_per_sum)
{
  return bytes_per_sum > sizeof(double)               ? 1
         : team == warp_size                          ? 9
         : team == SpgemmPolicyFor::value.small_block ? 5
                                                      : 1;
}

// Numeric phase, one team per row, or a part of one: then it adds its sums to C. Sums are in shared
// memory in front of the table, or, where they do not fit, in C; the table then may take several
// passes.
template <int threads, bool in_order, bool in_place, bool is_shared, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::block_of(threads),
                                  blocks_of_sums(threads, sizeof(typename C::value_type)))
    spgemm_sum_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                      typename A::ordinal_type const* blocks_of,
                      typename A::ordinal_type const* list, std::int64_t listed,
                      SpgemmAccumulator wanted, int bytes, RowParts parts)
{
  using Ordinal = typename A::ordinal_type;
  using Block = std::make_unsigned_t<Ordinal>;
  using Sum = typename C::value_type;
  using Team = cuda_native::Team<threads>;
  constexpr int teams = SpgemmPolicyFor::block_of(threads) / threads;
  __shared__ typename Team::Memory memories[teams];
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  int part = 0;
  if constexpr (is_shared)
  {
    part = static_cast<int>(n % parts.most);
    n /= parts.most;
  }
  if (n >= listed)
    return;
  auto const [i, begin, count, entries, group] = row_of_team<Team, in_order>(a, c, rows, list[n]);
  EntryRange range = entries_of_row(a, i);
  if constexpr (is_shared)
  {
    int const all = parts.parts_of<in_place>(static_cast<std::int64_t>(rows[i].products), count);
    if (part >= all || entries == 0)
      return;
    range = {range.begin + entries * part / all, range.begin + entries * (part + 1) / all};
  }
  else if (is_left_out<Team>(a, b, c, rows, i, memories[team]))
    return; // the whole team
  Ordinal const* const columns = c.columns + begin;
  Block const first_block = block_of(columns[0]);
  auto const span = static_cast<std::int64_t>(block_of(columns[count - 1]) - first_block) + 1;
  unsigned char* const memory = dynamic_shared() + team * bytes;
  constexpr bool may_be_alone = !is_shared || !in_place;
  Sum* const sums = in_place ? c.values + begin : reinterpret_cast<Sum*>(memory);
  if constexpr (!is_shared || !in_place)
    for_each_of<Team>(count, [&](std::int64_t k) { sums[k] = Sum(0); });
  auto const add = [&](auto const& index) {
    add_products_of_group<in_order, may_be_alone, in_place, Team>(a, b, range, group, index, sums);
  };
  if constexpr (in_place)
  {
    WordTable const shape = in_place_table(wanted, blocks_of[i], span, bytes);
    auto const window =
        static_cast<Block>(shape.is_hashed || shape.slots > span ? span : shape.slots);
    auto const table = ranked_table(memory, shape.slots, shape.is_hashed);
    for (std::int64_t from = 0; from < span; from += static_cast<std::int64_t>(window))
    {
      Team::wait(); // the pass before has read the table
      Block const first = first_block + static_cast<Block>(from);
      rank_words<true, Team>(table, columns, count, first, window);
      if (table.keys != nullptr)
        add(RankedColumns<true, true, Block>{table, first, window,
                                             static_cast<std::uint32_t>(count)});
      else
        add(RankedColumns<false, true, Block>{table, first, window,
                                              static_cast<std::uint32_t>(count)});
    }
  }
  else
  {
    NumericTable const shape = numeric_table(wanted, blocks_of[i], span, count, sizeof(Sum), bytes);
    unsigned char* const behind = memory + bytes_of_sums(count, sizeof(Sum));
    if (shape.layout != NumericLayout::map)
    {
      bool const is_hashed = shape.layout == NumericLayout::hashed;
      auto const table = ranked_table(behind, shape.slots, is_hashed);
      rank_words<false, Team>(table, columns, count, first_block, static_cast<Block>(span));
      if (is_hashed)
        add(RankedColumns<true, false, Block>{table, first_block});
      else
        add(RankedColumns<false, false, Block>{table, first_block});
    }
    else
    {
      MappedColumns<Block> const map(behind, count, span, first_block);
      map_columns<Team>(map, columns, count);
      add(map);
    }
  }
  if constexpr (!in_place)
  {
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) {
      if constexpr (is_shared)
        impl::atomic_accumulate(c.values[begin + k], sums[k]);
      else
        c.values[begin + k] = sums[k];
    });
  }
}

} // namespace heddle::cuda_native
