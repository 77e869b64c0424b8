// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::perf
{

// Cuts of so many parts with as many rows, or one more: part p has the rows result[p] .. result[p +
// 1] - 1. What who does not balance would do.
inline std::vector<std::int64_t> equal_rows(std::int64_t rows, std::int64_t parts)
{
  std::vector<std::int64_t> cuts;
  for (std::int64_t p = 0; p <= parts; ++p)
    cuts.push_back(rows / parts * p + rows % parts * p / parts);
  return cuts;
}

// Rows first .. last - 1 with all columns: columns and values are those of a, shared.
template <class Value>
HostMatrix<Value> rows_between(HostMatrix<Value> const& a, std::int64_t first, std::int64_t last)
{
  impl::require(0 <= first && first <= last && last <= a.num_rows(), "perf", "rows ", first, " to ",
                last, " of a matrix of ", a.num_rows());
  auto const rows = static_cast<std::size_t>(last - first);
  auto const row = static_cast<std::size_t>(first);
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("heddle::perf::row_offsets",
                                                              rows + 1);
  if (a.num_rows() == 0)
    return a;
  for (std::size_t i = 0; i <= rows; ++i)
    offsets(i) = a.row_offsets()(row + i) - a.row_offsets()(row);
  auto const entries = std::pair(a.row_offsets()(row), a.row_offsets()(row + rows));
  return HostMatrix<Value>(static_cast<int>(rows), a.num_cols(), offsets,
                           Kokkos::subview(a.columns(), entries),
                           Kokkos::subview(a.values(), entries));
}

} // namespace heddle::perf
