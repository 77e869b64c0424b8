// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric kernel of SpGEMM by tables: products added to the sums of their columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/tables.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// What the numeric phase reads of an entry of B.
template <class Ordinal, class Value>
struct FactorEntry
{
  Ordinal column;
  Value value;
};

// Adds the products of these entries of A to the sums of their columns: table has the words of C's
// row in `window` blocks from block `first` on, products of other blocks count in another pass.
// Where no other thread has the same column meanwhile (is_alone) nothing is atomic; in_turn: all
// threads of the team take the same row of B. A column that the row of C does not have, because the
// plan was made for another pattern, is added to one of the row's sums, or to one behind them where
// there is room for it: to leave it out would cost a branch for every product.
template <bool is_hashed, bool in_turn, bool is_alone, bool is_window, class Team, class A, class B,
          class Sum>
__device__ void add_products(A const& a, B const& b, EntryRange entries, int group,
                             TableView<RankedWord> const& table,
                             std::make_unsigned_t<typename A::ordinal_type> first,
                             std::make_unsigned_t<typename A::ordinal_type> window, Sum* sums,
                             std::uint32_t count)
{
  using Ordinal = typename A::ordinal_type;
  using Entry = FactorEntry<Ordinal, typename B::value_type>;
  for_each_product<in_turn, Team>(
      a, b, entries, group,
      [&](std::int64_t n) {
        return Entry{b.columns[n], b.values[n]};
      },
      [&](std::int64_t k, Entry const& entry) {
        auto const key = block_of(entry.column) - first;
        if (is_window && key >= window)
          return;
        RankedWord const at =
            table.slots[table.template find<is_hashed>(static_cast<std::uint32_t>(key))];
        std::uint32_t index = at.before + __popc(at.word & (bit_of(entry.column) - 1));
        if constexpr (is_window)
          index = min(index, count - 1); // behind them there is another row of C
        Sum const term = Sum(a.values[k]) * Sum(entry.value);
        if constexpr (is_alone)
          sums[index] += term;
        else
          impl::atomic_accumulate(sums[index], term);
      });
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

// Numeric phase, one team per row, or a part of one: then it adds its sums to C. Sums are in shared
// memory in front of the table, or, where they do not fit, in C; the table then may take several
// passes.
template <int threads, bool in_order, bool in_place, bool is_shared, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::block_of(threads))
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
  WordTable shape =
      numeric_table(wanted, blocks_of[i], span, in_place ? 0 : count, sizeof(Sum), bytes);
  auto window = static_cast<Block>(span); // blocks of columns of a pass
  if constexpr (in_place)
    if (shape.bytes(NumericTable::words_per_slot) > bytes)
    {
      window = static_cast<Block>(bytes) / static_cast<Block>(sizeof(RankedWord));
      shape = {static_cast<std::int64_t>(window), false};
    }
  Sum* const sums = in_place ? c.values + begin : reinterpret_cast<Sum*>(memory);
  auto* const slots =
      reinterpret_cast<RankedWord*>(memory + (in_place ? 0 : bytes_of_sums(count, sizeof(Sum))));
  TableView<RankedWord> const table{
      slots, shape.is_hashed ? reinterpret_cast<std::uint32_t*>(slots + shape.slots) : nullptr,
      static_cast<int>(shape.slots)};
  if constexpr (!is_shared || !in_place)
    for_each_of<Team>(count, [&](std::int64_t k) { sums[k] = Sum(0); });
  auto const sums_of_row = static_cast<std::uint32_t>(count);
  for (std::int64_t from = 0; from < span; from += static_cast<std::int64_t>(window))
  {
    Block const first = first_block + static_cast<Block>(from);
    Team::wait(); // the pass before has read the table
    for_each_of<Team>(table.size, [&](std::int64_t s) {
      table.slots[s] = {0, 0};
      if (table.keys != nullptr)
        table.keys[s] = table.no_key;
    });
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) {
      Block const key = block_of(columns[k]) - first;
      if (in_place && key >= window)
        return;
      int const slot = table.insert(static_cast<std::uint32_t>(key));
      atomicOr(&table.slots[slot].word, bit_of(columns[k]));
      if (k == 0 || block_of(columns[k - 1]) - first != key)
        table.slots[slot].before = static_cast<std::uint32_t>(k);
    });
    Team::wait();
    constexpr bool may_be_alone = !is_shared || !in_place;
    if (group == Team::size)
    {
      if (table.keys != nullptr)
        add_products<true, true, may_be_alone, in_place, Team>(a, b, range, group, table, first,
                                                               window, sums, sums_of_row);
      else
        add_products<false, true, may_be_alone, in_place, Team>(a, b, range, group, table, first,
                                                                window, sums, sums_of_row);
    }
    else if constexpr (!in_order)
    {
      if (table.keys != nullptr)
        add_products<true, false, false, in_place, Team>(a, b, range, group, table, first, window,
                                                         sums, sums_of_row);
      else
        add_products<false, false, false, in_place, Team>(a, b, range, group, table, first, window,
                                                          sums, sums_of_row);
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
