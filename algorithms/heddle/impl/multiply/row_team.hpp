// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the portable kernels spread rows over a device: teams of threads, a row for each thread,
// vector lanes for what is inside a row.

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// The power of two nearest below the work inside a row, at most a warp; hosts vectorise by
// themselves.
template <class Exec>
int lanes_for(double work)
{
  int lanes = 1;
  if constexpr (!is_host_v<Exec>)
    while (lanes < 32 && 2 * lanes <= work)
      lanes *= 2;
  return lanes;
}

template <class Exec>
struct RowTeams
{
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  static constexpr int threads = is_host_v<Exec> ? 1 : 256; // a common size of block, not tuned
  static constexpr std::int64_t rows_of_host_team = 64;

  std::int64_t rows;
  int lanes;

  std::int64_t rows_per_team() const
  {
    return is_host_v<Exec> ? rows_of_host_team : threads / lanes;
  }
  Policy policy(Exec const& exec) const
  {
    std::int64_t const teams = divided_up(rows, rows_per_team());
    return Policy(exec, static_cast<int>(teams), is_host_v<Exec> ? 1 : threads / lanes, lanes);
  }
};

// body(i) for the rows of a team, a thread each.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void for_rows_of_team(Member const& team, std::int64_t per_team,
                                             std::int64_t rows, Body const& body)
{
  std::int64_t const first = team.league_rank() * per_team;
  std::int64_t const last = Kokkos::min(first + per_team, rows);
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), body);
}

} // namespace heddle::impl
