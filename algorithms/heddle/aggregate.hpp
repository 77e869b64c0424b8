// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entries/aggregate.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle
{

/// Aggregates of the rows of a graph, given by the pattern of a square matrix (the strong
/// connections of an operator, say, as filter leaves them), as the piecewise constant prolongator
/// of aggregation multigrid: an n x m matrix for m aggregates, with one entry, 1, in each row,
/// whose column is the aggregate of the row.
///
/// Roots are a maximal independent set of distance two: no two are within two edges of each other,
/// every other row is within two edges of one. A row joins the root next to it, or else the
/// aggregate of a neighbor that has a root next to it, so an aggregate has a radius of two edges at
/// most (Bell, Dalton and Olson, SIAM J. Sci. Comput. 34, 2012, section 4). Priorities are hashes
/// of row numbers: the result is bitwise the same on all backends and in every call. Aggregates are
/// numbered in the order of their roots.
///
/// The pattern should be symmetric (symmetrize_pattern makes it so): otherwise every row still has
/// an aggregate and none is empty, but roots may be near each other. Diagonal entries do not
/// matter, values are not read. About log n rounds, each with two passes over the rows that are not
/// decided yet or have no root next to them; a thread of a team takes a row and its lanes the
/// entries. Scratch of 16 bytes and two ordinals per row. Throws InvalidArgument where the graph is
/// not square, or its offset type does not hold n. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto aggregate(Exec const& exec, Matrix const& graph)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  Kokkos::Profiling::ScopedRegion const region("heddle::aggregate");
  std::int64_t const n = graph.num_rows();
  impl::require(n == graph.num_cols(), "aggregate", "the graph is ", n, " x ", graph.num_cols(),
                ", expected a square matrix");
  impl::require_entries_fit<typename Result::offset_type>("aggregate", n);
  auto const offsets = impl::new_row_offsets<Result>(exec, n);
  auto const entries = impl::new_entries<Result>(exec, static_cast<std::size_t>(n));
  impl::tabulate(exec, "heddle::aggregate::offsets", n + 1, impl::Identity{}, offsets);
  Kokkos::deep_copy(exec, entries.values, typename Result::value_type(1));
  std::int64_t const count = impl::number_aggregates(exec, graph, entries.columns);
  return Result(graph.num_rows(), static_cast<typename Result::ordinal_type>(count), offsets,
                entries.columns, entries.values);
}
catch (...)
{
  impl::rethrow_out_of_memory("aggregate");
}

} // namespace heddle
