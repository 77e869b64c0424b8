// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>
#include <heddle/data_movement.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <string>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

struct MovementSettings
{
  std::int64_t cache_words = 0;
  std::int64_t most_products = 0; // as vertices of a hypergraph; where there are more, rows are
};

// Adds what A x and A A (A A^T where A is not square) move at most through a cache of so many words
// and, where A is square, the orders that the parts of those that were cut vote for (paper 003,
// Algorithms 3 and 4). progress is told what is to come before each step that takes long. Throws
// InvalidArgument where a row and what it uses do not fit the cache, and rows are the vertices.
void add_movement(MatrixAnalysis& analysis, HostMatrix<double> const& a,
                  MovementSettings const& settings, Partitioner const& partition,
                  std::function<void(std::string const&)> const& progress);

// The order of a square A's rows and columns that the parts of A x, or of A A, vote for. Throws as
// add_movement.
Kokkos::View<int*, Kokkos::HostSpace>
order_by_vote(HostMatrix<double> const& a, bool is_of_spmv, MovementSettings const& settings,
              Partitioner const& partition,
              std::function<void(std::string const&)> const& progress);

} // namespace heddle::perf
