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

// The block of 32 columns that a column is in.
template <class Ordinal>
__device__ std::make_unsigned_t<Ordinal> block_of(Ordinal column)
{
  return static_cast<std::make_unsigned_t<Ordinal>>(column) / SpgemmPolicy::columns_per_word;
}

// Slots by block of columns, in shared memory. A direct table has a slot for each block from the
// first on, a hashed one any, by their distance from the first.
template <class Slot>
struct TableView
{
  static constexpr std::uint32_t no_key = 0xffffffffU;
  Slot* slots;
  std::uint32_t* keys; // of a hashed table, else null
  int size;

  __device__ std::uint32_t hash(std::uint32_t key) const
  {
    return (key * 2654435769U >> 7) & static_cast<std::uint32_t>(size - 1); // Knuth, vol. 3, 6.4
  }
  // Makes a slot for key if there is none.
  __device__ int insert(std::uint32_t key) const
  {
    if (keys == nullptr)
      return static_cast<int>(key);
    for (std::uint32_t slot = hash(key);; slot = (slot + 1) % static_cast<std::uint32_t>(size))
    {
      std::uint32_t found = static_cast<std::uint32_t volatile*>(keys)[slot];
      if (found == no_key)
        found = atomicCAS(&keys[slot], no_key, key);
      if (found == no_key || found == key)
        return static_cast<int>(slot);
    }
  }
  // The slot of a key that is there.
  template <bool is_hashed>
  __device__ std::uint32_t find(std::uint32_t key) const
  {
    if constexpr (!is_hashed)
      return key;
    std::uint32_t slot = hash(key);
    while (keys[slot] != key)
      slot = (slot + 1) & static_cast<std::uint32_t>(size - 1);
    return slot;
  }
};

// A slot of the symbolic phase is a word; of the numeric phase a word and the number of entries of
// the row before its block.
struct alignas(8) RankedWord
{
  std::uint32_t word, before;
};

template <class Ordinal>
__device__ std::uint32_t bit_of(Ordinal column)
{
  return 1U << (static_cast<std::uint32_t>(column) % SpgemmPolicy::columns_per_word);
}

// What for_each_product needs where an entry of A brings nothing along.
struct NothingOfEntry
{
  __device__ std::int64_t operator()(std::int64_t, std::int64_t) const { return 0; }
};

// visit(entry of A, what load(entry of B, what the entry of A brings along) gave) for all products
// of row i; of_entry(entry of A, first entry of its row of B) says what that is. Each group of
// `group` threads of the team, a power of two, takes a row of B at a time; in order all threads
// take the same, and wait after it.
template <bool in_order, class Team, class A, class B, class OfEntry, class Load, class Visit>
__device__ void for_each_product(A const& a, B const& b, std::int64_t i, int group,
                                 OfEntry const& of_entry, Load const& load, Visit const& visit)
{
  constexpr bool brings = !std::is_same_v<OfEntry, NothingOfEntry>;
  auto const begin = static_cast<std::int64_t>(a.offsets[i]);
  auto const end = static_cast<std::int64_t>(a.offsets[i + 1]);
  int const lane = Team::rank() & (group - 1), groups = Team::size / group;
  if constexpr (Team::is_warp)
  {
    // Where rows of B begin and end is loaded for a warp's worth of entries at once, what they have
    // one turn before it is needed.
    int const first_of_group = Team::rank() / group;
    for (std::int64_t first = begin; first < end; first += warp_size)
    {
      std::int64_t b_begin = 0, brought = 0;
      int b_length = 0;
      if (first + Team::lane() < end)
      {
        auto const row = a.columns[first + Team::lane()];
        b_begin = static_cast<std::int64_t>(b.offsets[row]);
        b_length = static_cast<int>(static_cast<std::int64_t>(b.offsets[row + 1]) - b_begin);
        brought = of_entry(first + Team::lane(), b_begin);
      }
      auto const brought_by = [&](int entry) { return brings ? value_of_lane(brought, entry) : 0; };
      int const count = static_cast<int>(end - first < warp_size ? end - first : warp_size);
      std::int64_t at = value_of_lane(b_begin, first_of_group);
      int length = value_of_lane(b_length, first_of_group); // 0 beyond the last entry
      std::int64_t with = brought_by(first_of_group);
      auto item = lane < length ? load(at + lane, with) : decltype(load(at, with)){};
      for (int k = 0; k < count; k += groups)
      {
        int const next_entry = (k + groups + first_of_group) % warp_size;
        std::int64_t const next_at = value_of_lane(b_begin, next_entry);
        std::int64_t const next_with = brought_by(next_entry);
        int next_length = value_of_lane(b_length, next_entry);
        if (k + groups + first_of_group >= count)
          next_length = 0;
        int n = lane;
        do
        {
          auto const now = item;
          bool const is_here = n < length;
          n += group;
          bool const has_more = n < length;
          if (has_more || lane < next_length)
            item = has_more ? load(at + n, with) : load(next_at + lane, next_with);
          if (is_here)
            visit(first + k + first_of_group, now);
        } while (n < length);
        if constexpr (in_order)
          Team::wait();
        at = next_at;
        with = next_with;
        length = next_length;
      }
    }
  }
  else
    for (std::int64_t k = begin + Team::rank() / group; k < end; k += groups)
    {
      auto const row = a.columns[k];
      auto const from = static_cast<std::int64_t>(b.offsets[row]);
      auto const to = static_cast<std::int64_t>(b.offsets[row + 1]);
      std::int64_t const with = of_entry(k, from);
      for (std::int64_t n = from + lane; n < to; n += group)
        visit(k, load(n, with));
      if constexpr (in_order)
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
__device__ void sort_table(TableView<std::uint32_t> const& table)
{
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

// How many entries and how many words that are not zero.
struct TableCount
{
  std::int64_t entries = 0, words = 0;
};
template <class Team>
__device__ TableCount count_table(TableView<std::uint32_t> const& table,
                                  typename Team::Memory& memory)
{
  int entries = 0, words = 0, all_entries = 0, all_words = 0;
  for_each_of<Team>(table.size, [&](std::int64_t s) {
    entries += __popc(table.slots[s]);
    words += table.slots[s] != 0 ? 1 : 0;
  });
  Team::exclusive_sum(entries, all_entries, memory);
  Team::exclusive_sum(words, all_words, memory);
  return {all_entries, all_words};
}

// The columns of a table whose words are in order of columns, to place; returns how many.
template <class Team, class Ordinal>
__device__ std::int64_t write_columns(TableView<std::uint32_t> const& table,
                                      std::int64_t first_block,
                                      Ordinal* place, typename Team::Memory& memory)
{
  std::int64_t written = 0;
  for (int s = 0; s < table.size; s += Team::size)
  {
    int const slot = s + Team::rank();
    std::uint32_t word = slot < table.size ? table.slots[slot] : 0;
    int all = 0;
    int const before = Team::exclusive_sum(__popc(word), all, memory);
    std::int64_t const block =
        first_block + (table.keys != nullptr && word != 0 ? table.keys[slot]
                                                          : static_cast<std::uint32_t>(slot));
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
                       typename A::ordinal const* list, std::int64_t listed, SpgemmAccumulator wanted,
                       int bytes, FoundColumns<typename A::ordinal, COffset> found)
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

  TableView<std::uint32_t> table{words, nullptr, 0};
  std::int64_t first_block = 0, blocks = 0;
  TableCount total;
  int group = 1;
  bool is_windowed = false;
  if (i >= 0)
  {
    ProductRow<Ordinal> const row = rows[i];
    first_block = static_cast<std::int64_t>(block_of(row.first));
    blocks = span_of(row);
    group = group_of<Team>(static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]),
                           static_cast<std::int64_t>(row.products));
    SymbolicTable const shape = symbolic_table(wanted, row.blocks, blocks, bytes);
    is_windowed = shape.is_windowed;
    table.size = static_cast<int>(shape.slots);
    table.keys = shape.is_hashed ? words + table.size : nullptr;
  }
  Ordinal* place = nullptr;
  if (is_windowed && !found.is_first())
    place = found.columns + found.offsets[i];
  std::int64_t const window = table.size;
  for (std::int64_t from = 0; from < blocks; from += is_windowed ? window : blocks)
  {
    if (is_windowed && blocks - from < window)
      table.size = static_cast<int>(blocks - from);
    for_each_of<Team>(table.size, [&](std::int64_t s) {
      table.slots[s] = 0;
      if (table.keys != nullptr)
        table.keys[s] = table.no_key;
    });
    Team::wait();
    auto const begin_here = static_cast<std::make_unsigned_t<Ordinal>>(first_block + from);
    for_each_product<false, Team>(
        a, b, i, group, NothingOfEntry{},
        [&](std::int64_t n, std::int64_t) { return b.columns[n]; },
        [&](std::int64_t, Ordinal column) {
          auto const key = block_of(column) - begin_here; // beyond the window if it is before it
          if (!is_windowed || key < static_cast<std::make_unsigned_t<Ordinal>>(table.size))
            atomicOr(&table.slots[table.insert(static_cast<std::uint32_t>(key))], bit_of(column));
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

// What the numeric phase reads of an entry of B.
template <class Ordinal, class Value>
struct FactorEntry
{
  Ordinal column;
  Value value;
};

// Adds the products of row i at their places: table has the words of C's row from block `first` on,
// products of other blocks count in another pass. Where no other thread has the same column
// meanwhile nothing is atomic.
template <bool is_hashed, bool is_alone, bool is_window, class Team, class A, class B, class Sum>
__device__ void add_products(A const& a, B const& b, std::int64_t i, int group,
                             TableView<RankedWord> const& table,
                             std::make_unsigned_t<typename A::ordinal> first, Sum* sums)
{
  using Ordinal = typename A::ordinal;
  using Entry = FactorEntry<Ordinal, typename B::value>;
  for_each_product<is_alone, Team>(
      a, b, i, group, NothingOfEntry{},
      [&](std::int64_t n, std::int64_t) { return Entry{b.columns[n], b.values[n]}; },
      [&](std::int64_t k, Entry const& entry) {
        auto const key = block_of(entry.column) - first;
        if (is_window && key >= static_cast<std::make_unsigned_t<Ordinal>>(table.size))
          return;
        RankedWord const at =
            table.slots[table.template find<is_hashed>(static_cast<std::uint32_t>(key))];
        std::uint32_t const place = at.before + __popc(at.word & (bit_of(entry.column) - 1));
        Sum const term = Sum(a.values[k]) * Sum(entry.value);
        if constexpr (is_alone)
          sums[place] += term;
        else
          impl::atomic_accumulate(sums[place], term);
      });
}

// Numeric phase, a team a row. Sums are in shared memory in front of the table, or, where they do
// not fit, in C; the table then may take several passes.
template <int threads, bool in_order, bool in_place, class A, class B, class C>
__global__ void __launch_bounds__(threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block
                                                                       : threads)
    spgemm_sum_kernel(A a, B b, C c, ProductRow<typename A::ordinal> const* rows,
                      typename A::ordinal const* blocks_of, typename A::ordinal const* list,
                      std::int64_t listed, SpgemmAccumulator wanted, int bytes)
{
  using Ordinal = typename A::ordinal;
  using Block = std::make_unsigned_t<Ordinal>;
  using Sum = typename C::value;
  using Team = cuda_native::Team<threads>;
  constexpr int block = threads < SpgemmPolicy::shared_block ? SpgemmPolicy::shared_block : threads;
  constexpr int teams = block / threads;
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  if (n >= listed)
    return;
  auto const i = static_cast<std::int64_t>(list[n]);
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(c.offsets[i + 1]) - begin;
  Ordinal const* const columns = c.columns + begin;
  Block const first_block = block_of(columns[0]);
  auto const span = static_cast<std::int64_t>(block_of(columns[count - 1]) - first_block) + 1;
  auto const entries = static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]);
  int const group = in_order ? threads
                             : group_of<Team>(entries, static_cast<std::int64_t>(rows[i].products));
  unsigned char* const memory = dynamic_shared() + team * bytes;
  WordTable shape = numeric_table(wanted, blocks_of[i], span, in_place ? 0 : count, sizeof(Sum));
  std::int64_t window = span; // blocks of columns of a pass
  if constexpr (in_place)
    if (shape.bytes(NumericTable::words_per_slot) > bytes)
    {
      window = bytes / static_cast<std::int64_t>(sizeof(RankedWord));
      shape = {window, false};
    }
  Sum* const sums = in_place ? c.values + begin : reinterpret_cast<Sum*>(memory);
  auto* const slots =
      reinterpret_cast<RankedWord*>(memory + (in_place ? 0 : bytes_of_sums(count, sizeof(Sum))));
  TableView<RankedWord> const table{
      slots, shape.is_hashed ? reinterpret_cast<std::uint32_t*>(slots + shape.slots) : nullptr,
      static_cast<int>(shape.slots)};
  for_each_of<Team>(count, [&](std::int64_t k) { sums[k] = Sum(0); });
  for (std::int64_t from = 0; from < span; from += window)
  {
    Block const first = first_block + static_cast<Block>(from);
    Team::wait(); // the pass before has read the table
    for_each_of<Team>(table.size, [&](std::int64_t s) {
      table.slots[s].word = 0;
      if (table.keys != nullptr)
        table.keys[s] = table.no_key;
    });
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) {
      Block const key = block_of(columns[k]) - first;
      if (in_place && key >= static_cast<Block>(window))
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
        add_products<true, true, in_place, Team>(a, b, i, group, table, first, sums);
      else
        add_products<false, true, in_place, Team>(a, b, i, group, table, first, sums);
    }
    else if constexpr (!in_order)
    {
      if (table.keys != nullptr)
        add_products<true, false, in_place, Team>(a, b, i, group, table, first, sums);
      else
        add_products<false, false, in_place, Team>(a, b, i, group, table, first, sums);
    }
  }
  if constexpr (!in_place)
  {
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) { c.values[begin + k] = sums[k]; });
  }
}

} // namespace heddle::cuda_native
