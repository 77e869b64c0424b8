// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>
#include <heddle/data_movement.hpp>

#include <functional>
#include <string>
#include <vector>

#include <analyze/movement.hpp>

namespace heddle::perf
{

// What `reorder --order` takes: cuthill_mckee, similar_rows, similar_columns, degree, and the votes
// of the parts of A A and of A x, majority and spmv_majority.
std::vector<std::string> const& order_names();
// Whether the order needs a partitioner.
bool is_vote(std::string const& order);

// A in that order: rows and columns alike where it is square, so that products of it are those of A
// in the same order; else its rows or, of similar_columns, its columns alone. similar_columns puts
// columns that stand in the same rows beside each other, which raises the share of entries in heavy
// row segments (paper 000, section 7). Throws InvalidArgument where the order is not known, or is
// one of a square matrix and A is none.
HostMatrix<double> in_order(std::string const& order, HostMatrix<double> const& a,
                            MovementSettings const& settings, Partitioner const& partition,
                            std::function<void(std::string const&)> const& progress);

} // namespace heddle::perf
