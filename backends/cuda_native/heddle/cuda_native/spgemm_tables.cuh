// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM by tables of words: a word of 32 bits notes which of 32 neighbouring columns a row of C
// has. A table in shared memory has a word for each block of columns between the row's first and
// last, or is a hash table whose keys are blocks. The place of a column in the row is the number of
// entries before its block and the bits below its own, so that rows come out sorted and sums need
// no more room than the row has entries (after the bitmaps of paper 003's symbolic phase and the
// windows of its section VII; hashing in shared memory after nsparse, spECK and OpSparse).
//
// A team has a row: a warp, or a block. Groups of lanes, as many as a row of B has entries on
// average, take entries of A side by side (adaptive virtual warps, paper 003, section VII), or one
// after another where sums are to be added in order.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_searched.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/cuda_native/team.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

template <class Team, class Visit>
__device__ void for_each_of(std::int64_t count, Visit const& visit)
{
  for (std::int64_t n = Team::rank(); n < count; n += Team::size)
    visit(n);
}

// Words by block of columns, all in shared memory. A direct table has blocks first .. first + slots
// - 1, a hashed one any, by their distance from the first.
struct TableView
{
  static constexpr std::uint32_t no_key = 0xffffffffU;
  std::uint32_t* words;
  std::uint32_t* befores; // entries of the row before those of a word
  std::uint32_t* keys;    // of a hashed table, else null
  int slots;

  __device__ static std::uint32_t hash(std::uint32_t key, int slots)
  {
    return (key * 2654435769U >> 7) & static_cast<std::uint32_t>(slots - 1); // Knuth, vol. 3, 6.4
  }
  // Makes a slot for key if there is none.
  __device__ int insert(std::uint32_t key) const
  {
    if (keys == nullptr)
      return static_cast<int>(key);
    for (std::uint32_t slot = hash(key, slots);; slot = (slot + 1) % slots)
    {
      std::uint32_t found = static_cast<std::uint32_t volatile*>(keys)[slot];
      if (found == no_key)
        found = atomicCAS(&keys[slot], no_key, key);
      if (found == no_key || found == key)
        return static_cast<int>(slot);
    }
  }
  // The slot of a key that is there.
  __device__ int find(std::uint32_t key) const
  {
    if (keys == nullptr)
      return static_cast<int>(key);
    std::uint32_t slot = hash(key, slots);
    while (keys[slot] != key)
      slot = (slot + 1) % slots;
    return static_cast<int>(slot);
  }
};

__device__ inline std::uint32_t bit_of(std::int64_t column)
{
  return 1U << (static_cast<std::uint32_t>(column) % SpgemmPolicy::columns_per_word);
}

// visit(entry of A, entry of B) for all products of row i. Each group of `group` threads of the
// team, a power of two, takes a row of B at a time; in order all threads take the same and wait.
template <class Team, class A, class B, class Visit>
__device__ void for_each_product(A const& a, B const& b, std::int64_t i, int group, bool in_order,
                                 Visit const& visit)
{
  std::int64_t const begin = static_cast<std::int64_t>(a.offsets[i]);
  std::int64_t const end = static_cast<std::int64_t>(a.offsets[i + 1]);
  int const lane = Team::rank() % group, groups = Team::size / group;
  if constexpr (Team::is_warp)
  {
    // Where rows of B begin and end is loaded for a warp's worth of entries at once.
    for (std::int64_t first = begin; first < end; first += warp_size)
    {
      std::int64_t const mine = first + Team::lane();
      std::int64_t b_begin = 0, b_end = 0;
      if (mine < end)
      {
        auto const row = a.columns[mine];
        b_begin = static_cast<std::int64_t>(b.offsets[row]);
        b_end = static_cast<std::int64_t>(b.offsets[row + 1]);
      }
      int const count = static_cast<int>(end - first < warp_size ? end - first : warp_size);
      for (int k = 0; k < count; k += groups)
      {
        int const entry = k + Team::rank() / group;
        std::int64_t const from = value_of_lane(b_begin, entry % warp_size);
        std::int64_t const to = value_of_lane(b_end, entry % warp_size);
        if (entry < count)
          for (std::int64_t n = from + lane; n < to; n += group)
            visit(first + entry, n);
        if (in_order)
          Team::wait();
      }
    }
  }
  else
    for (std::int64_t k = begin + Team::rank() / group; k < end; k += groups)
    {
      auto const row = a.columns[k];
      std::int64_t const to = static_cast<std::int64_t>(b.offsets[row + 1]);
      for (std::int64_t n = static_cast<std::int64_t>(b.offsets[row]) + lane; n < to; n += group)
        visit(k, n);
      if (in_order)
        Team::wait();
    }
}

// Threads of a team for a row of B: as many as such a row has entries, more where A has few.
template <class Team>
__device__ int group_of(std::int64_t entries, std::int64_t products)
{
  int group = 1;
  while (group < Team::size &&
         (group * entries < products || group * entries < static_cast<std::int64_t>(Team::size)))
    group *= 2;
  return group;
}

// Sorts count keys, a power of two, with the words beside them. All threads of the team take part.
template <class Team>
__device__ void sort_table(TableView const& table)
{
  for (int size = 2; size <= table.slots; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2)
    {
      Team::wait();
      for_each_of<Team>(table.slots / 2, [&](std::int64_t n) {
        int const pair = static_cast<int>(n);
        int const low = pair / stride * 2 * stride + pair % stride, high = low + stride;
        bool const is_up = (low & size) == 0;
        if ((table.keys[low] > table.keys[high]) == is_up)
        {
          std::uint32_t const key = table.keys[low], word = table.words[low];
          table.keys[low] = table.keys[high];
          table.words[low] = table.words[high];
          table.keys[high] = key;
          table.words[high] = word;
        }
      });
    }
  Team::wait();
}

// How many entries and how many words that are not zero.
struct TableCount
{
  std::int64_t entries = 0, words = 0;
};
template <class Team>
__device__ TableCount count_table(TableView const& table, typename Team::Memory& memory)
{
  int entries = 0, words = 0, all_entries = 0, all_words = 0;
  for_each_of<Team>(table.slots, [&](std::int64_t s) {
    entries += __popc(table.words[s]);
    words += table.words[s] != 0 ? 1 : 0;
  });
  Team::exclusive_sum(entries, all_entries, memory);
  Team::exclusive_sum(words, all_words, memory);
  return {all_entries, all_words};
}

// The columns of a table whose words are in order of columns, to place; returns how many.
template <class Team, class Ordinal>
__device__ std::int64_t write_columns(TableView const& table, std::int64_t first_block,
                                      Ordinal* place, typename Team::Memory& memory)
{
  std::int64_t written = 0;
  for (int s = 0; s < table.slots; s += Team::size)
  {
    int const slot = s + Team::rank();
    std::uint32_t word = slot < table.slots ? table.words[slot] : 0;
    int all = 0;
    int const before = Team::exclusive_sum(__popc(word), all, memory);
    std::int64_t const block =
        first_block + (table.keys != nullptr && word != 0 ? table.keys[slot] : slot);
    for (Ordinal* to = place + written + before; word != 0; word &= word - 1)
      *to++ = static_cast<Ordinal>(block * SpgemmPolicy::columns_per_word + __ffs(word) - 1);
    written += all;
  }
  return written;
}

// Symbolic phase, a team a row. A table takes `bytes` of shared memory; what needs more than that
// goes by windows of columns, a pass over all products each, and is not kept.
template <int threads, class A, class B, class COffset>
__global__ void __launch_bounds__(threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block
                                                                       : threads)
    spgemm_find_kernel(A a, B b, ProductRow<typename A::ordinal> const* rows,
                       typename A::ordinal const* list, std::int64_t listed, int bytes,
                       FoundColumns<typename A::ordinal, COffset> found)
{
  using Ordinal = typename A::ordinal;
  using Team = cuda_native::Team<threads>;
  constexpr int block = threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block : threads;
  constexpr int teams = block / threads;
  __shared__ typename Team::Memory memories[teams];
  int const team = static_cast<int>(threadIdx.x) / threads;
  auto& memory = memories[team];
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic_shared() + team * bytes);
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  std::int64_t const i = found.row_of(list, n, listed);

  TableView table{words, nullptr, nullptr, 0};
  std::int64_t first_block = 0, blocks = 0;
  TableCount total;
  int group = 1;
  bool is_windowed = false;
  if (i >= 0)
  {
    ProductRow<Ordinal> const row = rows[i];
    first_block = static_cast<std::int64_t>(row.first) / SpgemmPolicy::columns_per_word;
    blocks = span_of(row);
    group = group_of<Team>(static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]),
                           static_cast<std::int64_t>(row.products));
    SymbolicTable const shape = symbolic_table(row.blocks, blocks, bytes);
    is_windowed = shape.is_windowed;
    table.slots = static_cast<int>(shape.slots);
    table.keys = shape.is_hashed ? words + table.slots : nullptr;
  }
  Ordinal* place = nullptr;
  if (is_windowed && !found.is_first())
    place = found.columns + found.offsets[i];
  std::int64_t const window = table.slots;
  for (std::int64_t from = 0; from < blocks; from += is_windowed ? window : blocks)
  {
    if (is_windowed && blocks - from < window)
      table.slots = static_cast<int>(blocks - from);
    for_each_of<Team>(table.slots, [&](std::int64_t s) {
      table.words[s] = 0;
      if (table.keys != nullptr)
        table.keys[s] = TableView::no_key;
    });
    Team::wait();
    for_each_product<Team>(a, b, i, group, false, [&](std::int64_t, std::int64_t entry) {
      auto const column = static_cast<std::int64_t>(b.columns[entry]);
      std::int64_t const key = column / SpgemmPolicy::columns_per_word - first_block - from;
      if (!is_windowed || (key >= 0 && key < table.slots))
        atomicOr(&table.words[table.insert(static_cast<std::uint32_t>(key))], bit_of(column));
    });
    Team::wait();
    TableCount const count = count_table<Team>(table, memory);
    total.entries += count.entries;
    total.words += count.words;
    if (is_windowed && place != nullptr)
      place += write_columns<Team>(table, first_block + from, place, memory);
    Team::wait();
  }
  if (i >= 0 && found.is_first() && Team::rank() == 0)
  {
    found.counts[i] = static_cast<Ordinal>(total.entries);
    found.blocks[i] = static_cast<Ordinal>(total.words);
    if (is_windowed)
      found.places[i] = found.nowhere;
  }
  if (table.keys != nullptr)
    sort_table<Team>(table);
  Ordinal* const to = place_for<block, threads>(found, is_windowed ? -1 : i, total.entries);
  if (to != nullptr)
    write_columns<Team>(table, first_block, to, memory);
}

// Numeric phase, a team a row. Sums are in shared memory behind the table, or, where they do not
// fit, in C.
template <int threads, bool in_order, bool in_place, class A, class B, class C>
__global__ void __launch_bounds__(threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block
                                                                       : threads)
    spgemm_sum_kernel(A a, B b, C c, ProductRow<typename A::ordinal> const* rows,
                      typename A::ordinal const* blocks_of, typename A::ordinal const* list,
                      std::int64_t listed, int bytes)
{
  using Ordinal = typename A::ordinal;
  using Sum = typename C::value;
  using Team = cuda_native::Team<threads>;
  constexpr int block = threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block : threads;
  constexpr int teams = block / threads;
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  if (n >= listed)
    return;
  auto const i = static_cast<std::int64_t>(list[n]);
  std::int64_t const begin = static_cast<std::int64_t>(c.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(c.offsets[i + 1]) - begin;
  Ordinal const* const columns = c.columns + begin;
  std::int64_t const first_block =
      static_cast<std::int64_t>(columns[0]) / SpgemmPolicy::columns_per_word;
  std::int64_t const span =
      static_cast<std::int64_t>(columns[count - 1]) / SpgemmPolicy::columns_per_word - first_block +
      1;
  auto const entries = static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]);
  int const group = in_order ? threads
                             : group_of<Team>(entries, static_cast<std::int64_t>(rows[i].products));
  bool const is_alone = group == Team::size; // no other thread has the same column meanwhile
  unsigned char* const memory = dynamic_shared() + team * bytes;
  WordTable shape = numeric_table(blocks_of[i], span, in_place ? 0 : count, sizeof(Sum));
  std::int64_t window = span; // blocks of columns of a pass
  if constexpr (in_place)
    if (shape.bytes(2) > bytes)
    {
      window = bytes / static_cast<std::int64_t>(2 * sizeof(std::uint32_t));
      shape = {window, false};
    }
  Sum* const sums = in_place ? c.values + begin : reinterpret_cast<Sum*>(memory);
  auto* const words =
      reinterpret_cast<std::uint32_t*>(memory + (in_place ? 0 : count * sizeof(Sum)));
  int const slots = static_cast<int>(shape.slots);
  TableView const table{words, words + slots, shape.is_hashed ? words + 2 * slots : nullptr, slots};
  for_each_of<Team>(count, [&](std::int64_t k) { sums[k] = Sum(0); });
  for (std::int64_t from = 0; from < span; from += window)
  {
    auto const block_of = [&](Ordinal column) {
      return static_cast<std::int64_t>(column) / SpgemmPolicy::columns_per_word - first_block - from;
    };
    auto const is_here = [&](std::int64_t block) {
      return !in_place || (block >= 0 && block < window);
    };
    Team::wait(); // the pass before has read the table
    for_each_of<Team>(table.slots, [&](std::int64_t s) {
      table.words[s] = 0;
      if (table.keys != nullptr)
        table.keys[s] = TableView::no_key;
    });
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) {
      std::int64_t const block = block_of(columns[k]);
      if (!is_here(block))
        return;
      int const slot = table.insert(static_cast<std::uint32_t>(block));
      atomicOr(&table.words[slot], bit_of(static_cast<std::int64_t>(columns[k])));
      if (k == 0 || block_of(columns[k - 1]) != block)
        table.befores[slot] = static_cast<std::uint32_t>(k);
    });
    Team::wait();
    for_each_product<Team>(
        a, b, i, group, in_order || is_alone, [&](std::int64_t k, std::int64_t entry) {
          Ordinal const column = b.columns[entry];
          std::int64_t const block = block_of(column);
          if (!is_here(block))
            return;
          int const slot = table.find(static_cast<std::uint32_t>(block));
          std::int64_t const place =
              static_cast<std::int64_t>(table.befores[slot]) +
              __popc(table.words[slot] & (bit_of(static_cast<std::int64_t>(column)) - 1));
          Sum const term = Sum(a.values[k]) * Sum(b.values[entry]);
          if (in_order || is_alone)
            sums[place] += term;
          else
            impl::atomic_accumulate(sums[place], term);
        });
  }
  if constexpr (!in_place)
  {
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) { c.values[begin + k] = sums[k]; });
  }
}

} // namespace heddle::cuda_native
