// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Gathered once per plan and handed to every implementation, so that choosing costs one pass.
struct RowStatistics
{
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  std::int64_t longest = 0;  // entries in the longest row
  bool is_row_by_row = true; // as the entries stand; those of coordinates may not
  double mean() const
  {
    return rows > 0 ? static_cast<double>(nonzeros) / static_cast<double>(rows) : 0.0;
  }
};

// What row_statistics does with one row: a functor, see scan.hpp.
template <class RowOffsets>
struct LongestRow
{
  RowOffsets row_offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& longest) const
  {
    auto const length = static_cast<std::int64_t>(row_offsets(i + 1) - row_offsets(i));
    longest = length > longest ? length : longest;
  }
};

// Waits for exec: the numbers must reach the host.
template <class Exec, class RowOffsets>
RowStatistics row_statistics(Exec const& exec, RowOffsets const& row_offsets, std::int64_t rows,
                             std::size_t nonzeros)
{
  RowStatistics result{.rows = rows, .nonzeros = static_cast<std::int64_t>(nonzeros)};
  if (rows == 0)
    return result;
  Kokkos::parallel_reduce("heddle::row_statistics", range(exec, rows),
                          LongestRow<RowOffsets>{row_offsets},
                          Kokkos::Max<std::int64_t>(result.longest));
  return result;
}

} // namespace heddle::impl
