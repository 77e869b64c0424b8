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

// Adds the products of row i to the sums of their columns: table has the words of C's row in
// `window` blocks from block `first` on, products of other blocks count in another pass. Where no
// other thread has the same column meanwhile nothing is atomic. A column that the row of C does not
// have, because the plan was made for another pattern, is added to one of the row's sums, or to one
// behind them where there is room for it: to leave it out would cost a branch for every product.
template <bool is_hashed, bool is_alone, bool is_window, class Team, class A, class B, class Sum>
__device__ void
add_products(A const& a, B const& b, std::int64_t i, int group, TableView<RankedWord> const& table,
             std::make_unsigned_t<typename A::ordinal_type> first,
             std::make_unsigned_t<typename A::ordinal_type> window, Sum* sums, std::uint32_t count)
{
  using Ordinal = typename A::ordinal_type;
  using Entry = FactorEntry<Ordinal, typename B::value_type>;
  for_each_product<is_alone, Team>(
      a, b, i, group,
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

// Numeric phase, a team a row. Sums are in shared memory in front of the table, or, where they do
// not fit, in C; the table then may take several passes.
template <int threads, bool in_order, bool in_place, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::block_of(threads))
    spgemm_sum_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                      typename A::ordinal_type const* blocks_of,
                      typename A::ordinal_type const* list, std::int64_t listed,
                      SpgemmAccumulator wanted, int bytes)
{
  using Ordinal = typename A::ordinal_type;
  using Block = std::make_unsigned_t<Ordinal>;
  using Sum = typename C::value_type;
  using Team = cuda_native::Team<threads>;
  constexpr int teams = SpgemmPolicyFor::block_of(threads) / threads;
  __shared__ typename Team::Memory memories[teams];
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  if (n >= listed)
    return;
  auto const [i, begin, count, entries, group] = row_of_team<Team, in_order>(a, c, rows, list[n]);
  // Of another pattern than the plan's the row is left out. One without entries must be: C may have
  // no columns here, if they were to be found again.
  bool const is_checked = i % SpgemmPolicyFor::value.rows_per_check == 0;
  if (entries == 0 ||
      (is_checked && !has_planned_products<Team>(a, b, i, rows[i].products, memories[team])))
    return c.report(); // the whole team
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
    if (group == Team::size)
    {
      if (table.keys != nullptr)
        add_products<true, true, in_place, Team>(a, b, i, group, table, first, window, sums,
                                                 sums_of_row);
      else
        add_products<false, true, in_place, Team>(a, b, i, group, table, first, window, sums,
                                                  sums_of_row);
    }
    else if constexpr (!in_order)
    {
      if (table.keys != nullptr)
        add_products<true, false, in_place, Team>(a, b, i, group, table, first, window, sums,
                                                  sums_of_row);
      else
        add_products<false, false, in_place, Team>(a, b, i, group, table, first, window, sums,
                                                   sums_of_row);
    }
  }
  if constexpr (!in_place)
  {
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) { c.values[begin + k] = sums[k]; });
  }
}

} // namespace heddle::cuda_native
