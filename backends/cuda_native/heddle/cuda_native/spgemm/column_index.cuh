// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the numeric phase of SpGEMM finds the index of a column in its row of C, whose columns are
// there in order. Two ways, both by blocks of 32 columns in shared memory:
//
//   ranked words   a word of the row's columns for each block, and the number of entries before it:
//                  hashed by the block, or for each block from the first to the last of the row, or
//                  of a window
//   a map          for each block from the row's first to its last the number of its first entry,
//                  and in a second array, by that number, its word
//
// The index is the number of entries before the block and of the bits below the column's own. The
// map takes 2 bytes for each block and is not cleared: what stands in it for blocks that the row
// does not have is looked at only for products that a plan was not made for. A product takes two
// loads and no loop, where hashing compares keys, in a warp as often as the lane that needs most.

#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/table_view.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// By ranked words; in a window of blocks also whether the column is in it, and never more than the
// last entry, since behind the sums of the row there are those of another.
template <bool is_hashed, bool window_of_blocks, class Block>
struct RankedColumns
{
  static constexpr bool is_window = window_of_blocks;
  TableView<RankedWord> table;
  Block first; // block
  Block window = 0;
  std::uint32_t entries = 0; // of the row

  template <class Ordinal>
  __device__ bool has(Ordinal column) const
  {
    return block_of(column) - first < window;
  }
  template <class Ordinal>
  __device__ std::uint32_t of(Ordinal column) const
  {
    auto const key = static_cast<std::uint32_t>(block_of(column) - first);
    RankedWord const at = table.slots[table.template find<is_hashed>(key)];
    std::uint32_t const index = at.before + __popc(at.word & (bit_of(column) - 1));
    return is_window ? min(index, entries - 1) : index;
  }
};
__device__ inline TableView<RankedWord> ranked_table(unsigned char* memory, std::int64_t slots,
                                                     bool is_hashed)
{
  auto* const words = reinterpret_cast<RankedWord*>(memory);
  return {words, is_hashed ? reinterpret_cast<std::uint32_t*>(words + slots) : nullptr,
          static_cast<int>(slots)};
}
// Fills such a table for the blocks first .. first + window - 1 of a row; all of them unless it is
// a window. The team waits.
template <bool is_window, class Team, class Ordinal, class Block>
__device__ void rank_words(TableView<RankedWord> const& table, Ordinal const* columns,
                           std::int64_t count, Block first, Block window)
{
  for_each_of<Team>(table.size, [&](std::int64_t s) {
    table.slots[s] = {0, 0};
    if (table.keys != nullptr)
      table.keys[s] = table.no_key;
  });
  Team::wait();
  for_each_of<Team>(count, [&](std::int64_t k) {
    Block const key = block_of(columns[k]) - first;
    if (is_window && key >= window)
      return;
    int const slot = table.insert(static_cast<std::uint32_t>(key));
    atomicOr(&table.slots[slot].word, bit_of(columns[k]));
    if (k == 0 || block_of(columns[k - 1]) - first != key)
      table.slots[slot].before = static_cast<std::uint32_t>(k);
  });
  Team::wait();
}

// By a map. An entry that the row does not have gets the index of some other, or the one
// behind the last.
template <class Block>
struct MappedColumns
{
  static constexpr bool is_window = false;
  std::uint32_t* words;    // by entry
  std::uint16_t* first_of; // by block: its first entry
  Block first;             // block
  std::uint32_t last_block, last_entry;

  __device__ MappedColumns(unsigned char* memory, std::int64_t entries, std::int64_t span,
                           Block first_block)
      : words(reinterpret_cast<std::uint32_t*>(memory))
      , first_of(reinterpret_cast<std::uint16_t*>(words + entries))
      , first(first_block)
      , last_block(static_cast<std::uint32_t>(span - 1))
      , last_entry(static_cast<std::uint32_t>(entries - 1))
  {}
  template <class Ordinal>
  __device__ std::uint32_t key_of(Ordinal column) const
  {
    return static_cast<std::uint32_t>(block_of(column) - first);
  }
  template <class Ordinal>
  __device__ std::uint32_t of(Ordinal column) const
  {
    std::uint32_t const before =
        min(static_cast<std::uint32_t>(first_of[min(key_of(column), last_block)]), last_entry);
    return before + __popc(words[before] & (bit_of(column) - 1));
  }
};
// Fills the map of a row. The team waits.
template <class Team, class Ordinal, class Block>
__device__ void map_columns(MappedColumns<Block> const& map, Ordinal const* columns,
                            std::int64_t count)
{
  for_each_of<Team>(count, [&](std::int64_t k) {
    map.words[k] = 0;
    if (k == 0 || block_of(columns[k - 1]) != block_of(columns[k]))
      map.first_of[map.key_of(columns[k])] = static_cast<std::uint16_t>(k);
  });
  Team::wait();
  for_each_of<Team>(count, [&](std::int64_t k) {
    atomicOr(&map.words[map.first_of[map.key_of(columns[k])]], bit_of(columns[k]));
  });
  Team::wait();
}

} // namespace heddle::cuda_native
