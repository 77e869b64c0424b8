// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic kernel of SpGEMM by tables: columns of a row of C, in order.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/sorted_products.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/table_words.cuh>
#include <heddle/cuda_native/spgemm/tables.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>
#include <heddle/cuda_native/spgemm/words_of_factor.cuh>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Moves the slots in use to the front and leaves free ones behind them up to a power of two, the
// new size. Nothing is overwritten before it is read: a slot moves to a lower one.
template <class Team>
__device__ void gather_used_slots(TableView<std::uint32_t>& table, typename Team::Memory& memory)
{
  int used = 0;
  for (int s = 0; s < table.size; s += Team::size)
  {
    int const slot = s + Team::rank();
    std::uint32_t const key = slot < table.size ? table.keys[slot] : table.no_key;
    std::uint32_t const word = slot < table.size ? table.slots[slot] : 0;
    int all = 0;
    int const to = used + Team::exclusive_count(key != table.no_key, all, memory);
    Team::wait(); // all have read
    if (key != table.no_key)
    {
      table.keys[to] = key;
      table.slots[to] = word;
    }
    used += all;
  }
  table.size = max(static_cast<int>(power_of_two_from(used)), words_per_load);
  for (int s = used + Team::rank(); s < table.size; s += Team::size)
  {
    table.keys[s] = table.no_key;
    table.slots[s] = 0;
  }
  Team::wait();
}

// As many slots of a hashed table as the lanes of a warp have items, sorted by their keys.
template <int items>
__device__ void sort_slots_in_registers(TableView<std::uint32_t> const& table)
{
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::uint64_t both[items];
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    int const slot = t * warp_size + lane;
    both[t] = slot < table.size
                  ? static_cast<std::uint64_t>(table.keys[slot]) << 32 | table.slots[slot]
                  : ~std::uint64_t(0);
  }
  __syncwarp();
  sort_in_registers<warp_size, items>(both);
#pragma unroll
  for (int t = 0; t < items; ++t)
    if (int const slot = lane * items + t; slot < table.size)
    {
      table.keys[slot] = static_cast<std::uint32_t>(both[t] >> 32);
      table.slots[slot] = static_cast<std::uint32_t>(both[t]);
    }
}

// Slots of a lane up to which a warp sorts its table in registers, at one of two sizes.
struct TableSortPolicy
{
  int few_slots, many_slots;
};
inline constexpr TableSortPolicy table_sort_policy{2, 4};

// Sorts the slots of a hashed table, a power of two, by their keys. All threads of the team take
// part.
template <class Team>
__device__ void sort_table(TableView<std::uint32_t> const& table)
{
  constexpr int few = table_sort_policy.few_slots, many = table_sort_policy.many_slots;
  if (Team::is_warp && table.size <= many * warp_size)
  {
    if (table.size <= few * warp_size)
      sort_slots_in_registers<few>(table);
    else
      sort_slots_in_registers<many>(table);
  }
  else
    for (int size = 2; size <= table.size; size *= 2)
      for (int stride = size / 2; stride > 0; stride /= 2)
      {
        Team::wait();
        for_each_of<Team>(table.size / 2, [&](std::int64_t n) {
          int const pair = static_cast<int>(n);
          int const low = pair / stride * 2 * stride + pair % stride, high = low + stride;
          bool const is_up = (low & size) == 0;
          if ((table.keys[low] > table.keys[high]) == is_up)
          {
            std::uint32_t const key = table.keys[low], word = table.slots[low];
            table.keys[low] = table.keys[high];
            table.slots[low] = table.slots[high];
            table.keys[high] = key;
            table.slots[high] = word;
          }
        });
      }
  Team::wait();
}

// Blocks of a multiprocessor that the registers of a kernel leave room for, by the threads of a
// row: tables of the smaller bins leave more.
constexpr int blocks_of_finding(int team)
{
  return team == warp_size ? 8 : team == SpgemmPolicyFor::value.small_block ? 4 : 1;
}

// Symbolic phase, one team per row. A table takes `bytes` of shared memory; what needs more than
// that goes by windows of columns, a pass over all products each, and is not kept.
template <int threads, class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::block_of(threads), blocks_of_finding(threads))
    spgemm_find_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                       typename A::ordinal_type const* list, std::int64_t listed,
                       SpgemmAccumulator wanted, int bytes, Sink sink)
{
  using Ordinal = typename A::ordinal_type;
  using Team = cuda_native::Team<threads>;
  constexpr int block = SpgemmPolicyFor::block_of(threads);
  constexpr int teams = block / threads;
  __shared__ typename Team::Memory memories[teams];
  int const team = static_cast<int>(threadIdx.x) / threads;
  auto& memory = memories[team];
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic_shared() + team * bytes);
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  std::int64_t const i = sink.row_of(list, n, listed);

  TableView<std::uint32_t> table{words, nullptr, 0};
  std::int64_t first_block = 0, blocks = 0;
  EntryRange entries{0, 0};
  WordCount total;
  TableCount counted;
  int group = 1;
  bool is_windowed = false;
  if (i >= 0)
  {
    ProductRow<Ordinal> const row = rows[i];
    first_block = static_cast<std::int64_t>(block_of(row.first));
    blocks = span_of(row);
    entries = entries_of_row(a, i);
    group = group_of<Team>(entries.end - entries.begin, steps_of(b, row));
    SymbolicTable const shape = symbolic_table(wanted, blocks_of(row), blocks, bytes);
    is_windowed = shape.is_windowed;
    table.size = static_cast<int>(shape.slots);
    table.keys = shape.is_hashed ? words + table.size : nullptr;
  }
  [[maybe_unused]] Ordinal* next = nullptr; // of the windows that were written
  if constexpr (!Sink::is_counting)
    if (is_windowed)
      next = sink.columns + sink.offsets[i];
  std::int64_t const window = table.size;
  for (std::int64_t from = 0; from < blocks; from += is_windowed ? window : blocks)
  {
    if (is_windowed && blocks - from < window)
      table.size = static_cast<int>(blocks - from);
    clear_table<Team>(table);
    Team::wait();
    auto const begin_here = static_cast<std::make_unsigned_t<Ordinal>>(first_block + from);
    for_each_product<false, Team>(
        a, b, entries, group, [&](std::int64_t n) { return word_at(b, n); },
        [&](std::int64_t, ColumnWord<Ordinal> const& word) {
          // Beyond the window also if it is before it.
          auto const key = static_cast<std::make_unsigned_t<Ordinal>>(word.block) - begin_here;
          if (!is_windowed || key < static_cast<std::make_unsigned_t<Ordinal>>(table.size))
            atomicOr(&table.slots[table.insert(static_cast<std::uint32_t>(key))], word.bits);
        });
    Team::wait();
    if (table.keys != nullptr)
    {
      gather_used_slots<Team>(table, memory);
      sort_table<Team>(table);
    }
    counted = count_table<Team>(table, memory);
    total.entries += counted.entries;
    total.words += counted.words;
    if constexpr (!Sink::is_counting)
      if (is_windowed)
      {
        write_columns<Team>(table, counted, first_block + from, next);
        next += counted.entries;
      }
    Team::wait();
  }
  if constexpr (Sink::is_counting)
    if (i >= 0 && Team::rank() == 0)
    {
      sink.counts[i] = static_cast<Ordinal>(total.entries);
      sink.blocks[i] = static_cast<Ordinal>(total.words);
      if (is_windowed)
        sink.kept_at[i] = not_kept;
    }
  Ordinal* const to =
      sink.template destination<block, threads>(is_windowed ? -1 : i, total.entries);
  if (to != nullptr && blocks > 0)
    write_columns<Team>(table, counted, first_block, to);
}

} // namespace heddle::cuda_native
