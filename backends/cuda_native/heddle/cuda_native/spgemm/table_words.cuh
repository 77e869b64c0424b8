// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The words of a table of the symbolic phase of SpGEMM, cleared, counted and written as columns by
// the team that has the row. Each warp has a share of neighbouring words, so that it knows from one
// sum over the team where its columns begin, and writes them without waiting for others.
//
// Cost: words are cleared and counted 16 bytes at a time. Where few of them are in use, as in a
// direct table of scattered columns, they are also read so, and what is empty is passed over.

#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/table_view.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

__device__ inline int loads_of(TableView<std::uint32_t> const& table)
{
  return (table.size + words_per_load - 1) / words_per_load;
}

// Makes all slots free, by all threads of the team, which wait afterwards.
template <class Team>
__device__ void clear_table(TableView<std::uint32_t> const& table)
{
  constexpr std::uint32_t none = TableView<std::uint32_t>::no_key;
  for_each_of<Team>(loads_of(table), [&](std::int64_t n) {
    reinterpret_cast<uint4*>(table.slots)[n] = make_uint4(0, 0, 0, 0);
    if (table.keys != nullptr)
      reinterpret_cast<uint4*>(table.keys)[n] = make_uint4(none, none, none, none);
  });
}

// The loads of a table that a warp has.
struct WordShare
{
  int begin, end;
};
template <class Team>
__device__ WordShare share_of_warp(TableView<std::uint32_t> const& table)
{
  int const loads = loads_of(table), each = (loads + Team::warps - 1) / Team::warps;
  int const begin = min(Team::warp() * each, loads);
  return {begin, min(begin + each, loads)};
}

// Entries and words in use of a table; before: entries of the warps before this one.
struct TableCount
{
  int entries = 0, words = 0, before = 0;
};
template <class Team>
__device__ TableCount count_table(TableView<std::uint32_t> const& table,
                                  typename Team::Memory& memory)
{
  WordShare const share = share_of_warp<Team>(table);
  int entries = 0, words = 0;
  for (int n = share.begin + Team::lane(); n < share.end; n += warp_size)
  {
    uint4 const four = reinterpret_cast<uint4 const*>(table.slots)[n];
    entries += __popc(four.x) + __popc(four.y) + __popc(four.z) + __popc(four.w);
    words += (four.x != 0 ? 1 : 0) + (four.y != 0 ? 1 : 0) + (four.z != 0 ? 1 : 0) +
             (four.w != 0 ? 1 : 0);
  }
  TableCount count;
  count.before = value_of_lane(Team::exclusive_sum(entries, count.entries, memory), 0);
  Team::exclusive_sum(words, count.words, memory);
  return count;
}

// The columns of a word, in order; returns where the next ones go.
template <class Ordinal>
__device__ Ordinal* write_word(Ordinal* next, std::int64_t block, std::uint32_t word)
{
  auto const first = static_cast<Ordinal>(block * columns_per_word);
  for (; word != 0; word &= word - 1)
    *next++ = first + static_cast<Ordinal>(__ffs(static_cast<int>(word)) - 1);
  return next;
}

// The place of the set bit of a word that has `below` set bits below it.
__device__ inline int place_of_bit(std::uint32_t word, int below)
{
  int place = 0;
#pragma unroll
  for (int half = columns_per_word / 2; half > 0; half /= 2)
  {
    int const lower = __popc(word & ((1U << half) - 1));
    bool const is_upper = below >= lower;
    below -= is_upper ? lower : 0;
    word >>= is_upper ? half : 0;
    place += is_upper ? half : 0;
  }
  return place;
}

// Words of neighbouring blocks that the lanes of a warp have, and how many columns: of the lane,
// and of all up to it.
template <int of_lane>
struct WordsOfLanes
{
  std::uint32_t words[of_lane];
  int here, sum;
};

// Their columns, a lane each: it looks up which lane has the word. first: the block of the first.
template <int of_lane, class Ordinal>
__device__ void write_by_column(WordsOfLanes<of_lane> const& of, int all, std::int64_t first,
                                Ordinal* to)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  for (int from = 0; from < all; from += warp_size)
  {
    int const n = from + static_cast<int>(threadIdx.x) % warp_size;
    int owner = 0;
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2)
      owner += __shfl_sync(all_lanes, of.sum, owner + step - 1) <= n ? step : 0;
    int below = n - __shfl_sync(all_lanes, of.sum - of.here, owner);
    std::uint32_t word = 0;
    int number = 0;
#pragma unroll
    for (int t = 0; t < of_lane; ++t)
    {
      std::uint32_t const next = __shfl_sync(all_lanes, of.words[t], owner);
      int const before = __popc(word);
      bool const is_behind = t > 0 && number == t - 1 && below >= before;
      below -= is_behind ? before : 0;
      number += is_behind ? 1 : 0;
      word = number == t ? next : word;
    }
    if (n < all)
      to[n] = static_cast<Ordinal>((first + owner * of_lane + number) * columns_per_word +
                                   place_of_bit(word, below));
  }
}

// The columns of words begin .. end - 1 of a direct table, few of which are in use, by a warp.
template <class Ordinal>
__device__ void write_sparse_words(TableView<std::uint32_t> const& table, int begin, int end,
                                   std::int64_t first_block, Ordinal* to)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  // Of more columns each lane writes those of its words, one after another.
  constexpr int most_by_column = 4 * warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll 1
  for (int from = begin; from < end; from += words_per_load * warp_size)
  {
    int const first = from + words_per_load * lane;
    uint4 const four =
        first < end ? *reinterpret_cast<uint4 const*>(table.slots + first) : make_uint4(0, 0, 0, 0);
    if (!__any_sync(all_lanes, (four.x | four.y | four.z | four.w) != 0))
      continue;
    WordsOfLanes<words_per_load> of{{four.x, four.y, four.z, four.w}, 0, 0};
    of.here = __popc(four.x) + __popc(four.y) + __popc(four.z) + __popc(four.w);
    of.sum = inclusive_sum_of_lanes<warp_size>(of.here);
    int const all = __shfl_sync(all_lanes, of.sum, warp_size - 1);
    if (all <= most_by_column)
      write_by_column(of, all, first_block + from, to);
    else
    {
      Ordinal* next = to + of.sum - of.here;
#pragma unroll
      for (int t = 0; t < words_per_load; ++t)
        next = write_word(next, first_block + first + t, of.words[t]);
    }
    to += all;
  }
}

// The columns of words begin .. end - 1 of any table, most of which are in use, by a warp.
template <class Ordinal>
__device__ void write_dense_words(TableView<std::uint32_t> const& table, int begin, int end,
                                  std::int64_t first_block, Ordinal* to)
{
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll 1
  for (int from = begin; from < end; from += warp_size)
  {
    int const n = from + lane;
    std::uint32_t const word = n < end ? table.slots[n] : 0;
    int const here = __popc(word), sum = inclusive_sum_of_lanes<warp_size>(here);
    std::int64_t const key = table.keys != nullptr && word != 0 ? table.keys[n] : n;
    write_word(to + sum - here, first_block + key, word);
    to += __shfl_sync(0xffffffffU, sum, warp_size - 1);
  }
}

// Writes the columns of a table whose words are in order of columns and have been counted. All
// threads of the team take part.
template <class Team, class Ordinal>
__device__ void write_columns(TableView<std::uint32_t> const& table, TableCount const& count,
                              std::int64_t first_block, Ordinal* to)
{
  WordShare const share = share_of_warp<Team>(table);
  int const begin = share.begin * words_per_load, end = share.end * words_per_load;
  if (table.keys != nullptr || 2 * count.words >= table.size)
    write_dense_words(table, begin, end, first_block, to + count.before);
  else
    write_sparse_words(table, begin, end, first_block, to + count.before);
}

} // namespace heddle::cuda_native
