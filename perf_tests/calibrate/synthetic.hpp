// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The matrices that costs are measured on (paper 000, section 4.3).

#include <harness/operands.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace heddle::perf
{

// size x size; of every row so many entries in each panel of so many columns, in columns at random;
// all of a panel that has no more.
template <class Value>
HostMatrix<Value> clustered_matrix(std::int64_t size, std::int64_t panel_width,
                                   std::int64_t per_segment)
{
  std::mt19937_64 random(1); // the same on every machine
  std::vector<int> columns;
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("heddle::perf::offsets",
                                                              static_cast<std::size_t>(size) + 1);
  std::vector<int> panel;
  for (std::int64_t i = 0; i < size; ++i)
  {
    for (std::int64_t first = 0; first < size; first += panel_width)
    {
      std::int64_t const width = std::min(panel_width, size - first);
      panel.resize(static_cast<std::size_t>(width));
      for (std::int64_t j = 0; j < width; ++j)
        panel[static_cast<std::size_t>(j)] = static_cast<int>(first + j);
      std::int64_t const wanted = std::min(per_segment, width);
      for (std::int64_t j = 0; j < wanted && wanted < width; ++j) // the first of a shuffled panel
        std::swap(
            panel[static_cast<std::size_t>(j)],
            panel[static_cast<std::size_t>(
                j + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width - j)))]);
      std::sort(panel.begin(), panel.begin() + wanted);
      columns.insert(columns.end(), panel.begin(), panel.begin() + wanted);
    }
    offsets(static_cast<std::size_t>(i) + 1) = columns.size();
  }
  Kokkos::View<int*, Kokkos::HostSpace> const indices("heddle::perf::columns", columns.size());
  Kokkos::View<Value*, Kokkos::HostSpace> const values("heddle::perf::values", columns.size());
  for (std::size_t n = 0; n < columns.size(); ++n)
  {
    indices(n) = columns[n];
    values(n) = dense_value<Value>(static_cast<std::int64_t>(n), columns[n]);
  }
  return {static_cast<int>(size), static_cast<int>(size), offsets, indices, values};
}

} // namespace heddle::perf
