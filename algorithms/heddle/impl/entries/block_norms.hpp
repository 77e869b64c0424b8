// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Norms of the blocks of a BSR matrix, with the sums of norms.hpp: a thread of a team takes a block
// row, its lanes the blocks.

#include <heddle/impl/entries/norms.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/norm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Matrix, class Out>
struct NormsOfBlocks
{
  using Real = magnitude_t<Matrix>;

  std::int64_t per_team;
  Matrix a;
  Norm norm;
  Out out;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    for_rows_of_team(team, per_team, a.num_block_rows(), [&](std::int64_t r) {
      auto const begin = static_cast<std::int64_t>(a.row_offsets()(r));
      auto const end = static_cast<std::int64_t>(a.row_offsets()(r + 1));
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, begin, end), [&](std::int64_t b) {
        out(b) = static_cast<typename Out::non_const_value_type>(of_block(r, b));
      });
    });
  }

private:
  KOKKOS_FUNCTION Real of_block(std::int64_t r, std::int64_t b) const
  {
    std::int64_t const height = a.shape().height, width = a.shape().width;
    std::int64_t const ys = Kokkos::min(height, a.num_rows() - r * height);
    std::int64_t const xs =
        Kokkos::min(width, a.num_cols() - static_cast<std::int64_t>(a.columns()(b)) * width);
    Real sum = 0;
    for (std::int64_t y = 0; y < ys; ++y)
      for (std::int64_t x = 0; x < xs; ++x)
      {
        Real const size = magnitude_of(a.values()((b * height + y) * width + x));
        if (norm == Norm::infinity)
          sum = sum >= size || Kokkos::isnan(sum) ? sum : size; // a NaN is the largest
        else
          sum += norm == Norm::two ? size * size : size;
      }
    return norm == Norm::two ? Kokkos::sqrt(sum) : sum;
  }
};

// out(b) = the norm of block b. Asynchronous.
template <class Exec, class Matrix, class Out>
void norms_of_blocks(Exec const& exec, char const* label, Matrix const& a, Norm norm,
                     Out const& out)
{
  using Const = typename Matrix::const_type;
  if (a.num_blocks() == 0)
    return;
  RowTeams<Exec> const teams{a.num_block_rows(),
                             lanes_for<Exec>(static_cast<double>(a.num_blocks()) /
                                             static_cast<double>(a.num_block_rows()))};
  Kokkos::parallel_for(label, teams.policy(exec),
                       NormsOfBlocks<Const, Out>{teams.rows_per_team(), a, norm, out});
}

} // namespace heddle::impl
