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
  std::int64_t most_products = 0; // of one hypergraph
};

// Adds what A x and A A (A A^T where A is not square) move at most through a cache of so many words
// and, where A is square, the orders that the parts of those that were cut vote for (paper 003,
// Algorithms 3 and 4). progress is told what is to come before each step that takes long, and that
// A A is left out where it has too many products; A x with too many throws InvalidArgument.
void add_movement(MatrixAnalysis& analysis, HostMatrix<double> const& a,
                  MovementSettings const& settings, Partitioner const& partition,
                  std::function<void(std::string const&)> const& progress);

// The order of a square A's rows and columns that the parts of A x, or of A A, vote for. Throws
// InvalidArgument where that has too many products.
Kokkos::View<int*, Kokkos::HostSpace>
order_by_vote(HostMatrix<double> const& a, bool is_of_spmv, MovementSettings const& settings,
              Partitioner const& partition,
              std::function<void(std::string const&)> const& progress);

} // namespace heddle::perf
