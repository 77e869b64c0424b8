// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Virtual warps (paper 003, VII): the threads of a team in groups of equal size, each of which has
// a row of a list at a time.

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// A thread's rank in its group.
struct VirtualWarp
{
  int lanes, lane;
  int number;          // of the team's groups
  std::int64_t worker; // of all groups

  template <class Member>
  KOKKOS_FUNCTION VirtualWarp(Member const& team, int warps)
      : lanes(team.team_size() / warps)
      , lane(team.team_rank() % lanes)
      , number(team.team_rank() / lanes)
      , worker(static_cast<std::int64_t>(team.league_rank()) * warps + number)
  {}
};

// The rows that the groups of a team have at a time, -1 where there is none.
template <class List>
struct RowsOfTeam
{
  List list;
  std::int64_t first, last;
  KOKKOS_FUNCTION std::int64_t operator()(int warp) const
  {
    return first + warp < last ? static_cast<std::int64_t>(list(first + warp)) : -1;
  }
};

// Rows first .. last - 1 of a list: body(team, warp, rows, shared) with all threads of a team at
// once, as often as there are rows; between two times the team waits for its threads. shared: a
// Body::Shared in scratch memory, of the group.
template <class List, class Body>
struct RunVirtualWarps
{
  List list;
  std::int64_t first, last;
  int warps; // of a team
  Body body;

  static constexpr int bytes_each = static_cast<int>(sizeof(typename Body::Shared));

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    VirtualWarp const warp(team, warps);
    auto* const shared =
        static_cast<typename Body::Shared*>(team.team_scratch(0).get_shmem(warps * bytes_each));
    std::int64_t const step = static_cast<std::int64_t>(team.league_size()) * warps;
    for (std::int64_t n = first + static_cast<std::int64_t>(team.league_rank()) * warps; n < last;
         n += step)
    {
      body(team, warp, RowsOfTeam<List>{list, n, last}, shared[warp.number]);
      team.team_barrier();
    }
  }
};

// Of bodies that need none.
struct NothingShared
{};

template <class Exec>
struct VirtualWarpTeams
{
  using Policy = Kokkos::TeamPolicy<Exec>;
  // The block of paper 003; threads of hosts have a row each.
  static constexpr int threads = is_host_v<Exec> ? 1 : 128;

  // Groups of a team where so many are wanted.
  static constexpr int warps(int wanted) { return std::min(wanted, threads); }
  // Teams that have `rows` rows, `warps` at a time, with so many bytes for each group: no more than
  // run at once, no more than have room; 0 where not even one has.
  static std::int64_t count(Exec const& exec, std::int64_t rows, int warps,
                            std::size_t bytes_of_group, std::size_t room)
  {
    std::int64_t const wanted =
        std::min<std::int64_t>(divided_up(rows, warps), std::max(1, exec.concurrency() / threads));
    std::size_t const bytes =
        std::max<std::size_t>(1, bytes_of_group * static_cast<std::size_t>(warps));
    return static_cast<std::int64_t>(std::min(static_cast<std::size_t>(wanted), room / bytes));
  }
};

} // namespace heddle::impl
