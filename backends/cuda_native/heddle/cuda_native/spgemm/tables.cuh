// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Products of a row of C by a team of threads: what SpGEMM by tables (spgemm/table_view.cuh) goes
// through in both phases.
//
// A team has a row: a warp, or a block. Groups of lanes, as many as a row of B has entries on
// average, take entries of A side by side (adaptive virtual warps, paper 003, section VII), or one
// after another where sums are to be added in order.

#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/table_view.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Entries of A that a warp of a team takes at a time: some for each of its groups, and so few that
// there is something left for a warp that is done.
template <class Team>
__device__ int entries_of_turn(std::int64_t entries, int groups)
{
  constexpr int turns = Team::is_warp ? 1 : SpgemmPolicyFor::value.turns_of_warp;
  constexpr int least = Team::is_warp ? 1 : SpgemmPolicyFor::value.least_of_turn;
  int chunk = groups;
  while (chunk < warp_size &&
         (static_cast<std::int64_t>(turns) * chunk * Team::warps < entries ||
          (chunk < least && static_cast<std::int64_t>(2) * chunk * Team::warps <= entries)))
    chunk *= 2;
  return chunk;
}

// Entries of A: of a row, or of a part of one.
struct EntryRange
{
  std::int64_t begin, end;
};
template <class A>
__device__ EntryRange entries_of_row(A const& a, std::int64_t i)
{
  return {static_cast<std::int64_t>(a.offsets[i]), static_cast<std::int64_t>(a.offsets[i + 1])};
}

// Entries of A whose rows of B are too long for a warp, of which a block takes each with all its
// threads when its warps are done with the others.
struct LongFactorRows
{
  static constexpr int most = 32;
  int count;
  std::int64_t entries[most];

  // Whether there was room.
  __device__ bool add(std::int64_t entry)
  {
    int const n = atomicAdd(&count, 1);
    if (n < most)
      entries[n] = entry;
    return n < most;
  }
};

// What load has for an entry of B, and of A where it asks for that too.
template <class Load>
__device__ auto load_product(Load const& load, std::int64_t of_b, std::int64_t of_a)
{
  if constexpr (std::is_invocable_v<Load, std::int64_t, std::int64_t>)
    return load(of_b, of_a);
  else
    return load(of_b);
}

// visit(entry of A, what load(entry of B, entry of A) gave) for all products of these entries,
// where b says where its rows begin and how long they are; load may leave out the second. Each
// group of `group` threads, a power of two, takes a row of B at a time, within a warp where the
// order does not matter, and warps take what is left next; long rows are the block's. In order all
// threads of the team take the same row, and wait after it. The team waits before it makes another
// such call.
template <bool in_order, class Team, class A, class B, class Load, class Visit>
__device__ void for_each_product(A const& a, B const& b, EntryRange entries, int group,
                                 Load const& load, Visit const& visit)
{
  using EntryIndex = typename B::entry_index;
  std::int64_t const begin = entries.begin, end = entries.end;
  if constexpr (Team::is_warp || !in_order)
  {
    // Where rows of B begin and end is loaded for a warp's worth of entries at once, what they have
    // one turn before it is needed.
    group = group < warp_size ? group : warp_size;
    int const lane = Team::lane() & (group - 1), groups = warp_size / group;
    int const first_of_group = Team::lane() / group;
    int const all = static_cast<int>(end - begin), chunk = entries_of_turn<Team>(all, groups);
    __shared__ int taken; // by warps of a block
    __shared__ LongFactorRows long_rows;
    auto const next_turn = [&](int last) {
      if constexpr (Team::is_warp)
        return last + chunk;
      else
        return value_of_lane(Team::lane() == 0 ? atomicAdd(&taken, chunk) : 0, 0);
    };
    if constexpr (!Team::is_warp)
    {
      if (Team::rank() == 0)
      {
        taken = 0;
        long_rows.count = 0;
      }
      Team::wait();
    }
#pragma unroll 1 // as below: few turns, which cost more unrolled
    for (int first = next_turn(-chunk); first < all; first = next_turn(first))
    {
      int const count = all - first < chunk ? all - first : chunk;
      std::int64_t const entry = begin + first + first_of_group; // the group's, k later
      EntryIndex b_begin = 0;
      int b_length = 0;
      if (Team::lane() < count)
      {
        auto const row = static_cast<std::int64_t>(a.columns[begin + first + Team::lane()]);
        b_begin = b.begin_of(row);
        b_length = b.length_of(row);
        if constexpr (!Team::is_warp)
          if (b_length > SpgemmPolicyFor::value.longest_of_warp &&
              long_rows.add(begin + first + Team::lane()))
            b_length = 0;
      }
      EntryIndex at = value_of_lane(b_begin, first_of_group);
      int length = value_of_lane(b_length, first_of_group); // 0 beyond the last entry
      using Item = decltype(load_product(load, at, entry));
      Item item = lane < length ? load_product(load, at + lane, entry) : Item{};
      if (!__any_sync(Team::all_lanes, b_length > group)) // each row of B is one step
      {
#pragma unroll 2
        for (int k = 0; k < count; k += groups)
        {
          int const next = k + groups + first_of_group;
          EntryIndex const next_at = value_of_lane(b_begin, next & (warp_size - 1));
          int next_length = value_of_lane(b_length, next & (warp_size - 1));
          next_length = next < warp_size ? next_length : 0;
          Item const next_item =
              lane < next_length ? load_product(load, next_at + lane, entry + k + groups) : Item{};
          if (lane < length)
            visit(entry + k, item);
          if constexpr (in_order)
            Team::wait();
          item = next_item;
          length = next_length;
        }
        continue;
      }
#pragma unroll 1
      for (int k = 0; k < count; k += groups)
      {
        int const next_entry = (k + groups + first_of_group) & (warp_size - 1);
        EntryIndex const next_at = value_of_lane(b_begin, next_entry);
        int next_length = value_of_lane(b_length, next_entry);
        if (k + groups + first_of_group >= count)
          next_length = 0;
        int n = lane;
#pragma unroll 1
        do
        {
          Item const now = item;
          bool const is_here = n < length;
          n += group;
          bool const has_more = n < length;
          if (has_more || lane < next_length)
            item = load_product(load, has_more ? at + n : next_at + lane,
                                entry + (has_more ? k : k + groups));
          if (is_here)
            visit(entry + k, now);
        } while (n < length);
        if constexpr (in_order)
          Team::wait();
        at = next_at;
        length = next_length;
      }
    }
    if constexpr (!Team::is_warp)
    {
      Team::wait();
      int const count = min(long_rows.count, LongFactorRows::most);
      for (int l = 0; l < count; ++l)
      {
        std::int64_t const k = long_rows.entries[l];
        auto const row = static_cast<std::int64_t>(a.columns[k]);
        EntryIndex const from = b.begin_of(row), to = from + b.length_of(row);
        for (EntryIndex n = from + Team::rank(); n < to; n += Team::size)
          visit(k, load_product(load, n, k));
      }
    }
  }
  else
  {
    for (std::int64_t k = begin; k < end; ++k)
    {
      auto const row = static_cast<std::int64_t>(a.columns[k]);
      EntryIndex const from = b.begin_of(row), to = from + b.length_of(row);
      for (EntryIndex n = from + Team::rank(); n < to; n += Team::size)
        visit(k, load_product(load, n, k));
      Team::wait();
    }
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

// Whether row i has as many products as the plan found, where these could be counted. All threads
// of the team take part.
template <class Team, class A, class B>
__device__ bool has_planned_products(A const& a, B const& b, std::int64_t i,
                                     typename A::ordinal_type planned,
                                     typename Team::Memory& memory)
{
  unsigned mine = 0; // modulo 2^32
  auto const end = static_cast<std::int64_t>(a.offsets[i + 1]);
  for (std::int64_t k = static_cast<std::int64_t>(a.offsets[i]) + Team::rank(); k < end;
       k += Team::size)
    mine += static_cast<unsigned>(b.length_of(static_cast<std::int64_t>(a.columns[k])));
  int all = 0;
  Team::exclusive_sum(static_cast<int>(mine), all, memory);
  return planned == WidestRange<typename A::ordinal_type>::first ||
         static_cast<unsigned>(all) == static_cast<unsigned>(planned);
}

// A row of C for a team to sum, and the threads that take a row of B.
struct RowOfTeam
{
  std::int64_t i, begin, count;
  std::int64_t entries; // of A
  int group;
};
template <class Team, bool in_order, class A, class C>
__device__ RowOfTeam row_of_team(A const& a, C const& c,
                                 ProductRow<typename A::ordinal_type> const* rows, std::int64_t i)
{
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  auto const entries = static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]);
  return {i, begin, static_cast<std::int64_t>(c.offsets[i + 1]) - begin, entries,
          in_order ? Team::size
                   : group_of<Team>(entries, static_cast<std::int64_t>(rows[i].products))};
}

} // namespace heddle::cuda_native
