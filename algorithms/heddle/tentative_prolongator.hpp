// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entries/tentative.hpp>
#include <heddle/impl/longest_row.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace heddle
{

/// What tentative_prolongator makes: P and the near-nullspace of the coarse level, B = P coarse.
template <class Matrix, class Modes>
struct TentativeProlongator
{
  Matrix p;     ///< n x (m k), an entry per mode in each row that is in an aggregate
  Modes coarse; ///< (m k) x k, a View of rank 2
};

namespace impl
{

// The shape of a tentative prolongator.
struct TentativeShape
{
  std::int64_t rows = 0, cols = 0, entries = 0, rows_of_node = 1, modes = 0;
};

template <class Exec, class Aggregates, class Modes>
TentativeShape shape_of_tentative(Exec const& exec, Aggregates const& aggregates,
                                  Modes const& modes)
{
  using Ordinal = typename Aggregates::ordinal_type;
  char const* const name = "tentative_prolongator";
  auto const nodes = static_cast<std::int64_t>(aggregates.num_rows());
  TentativeShape shape{.rows = static_cast<std::int64_t>(modes.extent(0)),
                       .modes = static_cast<std::int64_t>(modes.extent(1))};
  require(shape.modes > 0, name, "the near-nullspace has no columns");
  require(nodes == 0 ? shape.rows == 0 : shape.rows > 0 && shape.rows % nodes == 0, name,
          "the near-nullspace has ", shape.rows, " rows, expected a multiple of the ", nodes,
          " rows of the aggregates");
  std::int64_t const longest =
      longest_row(exec, "heddle::tentative_prolongator::longest", nodes, aggregates.row_offsets());
  require(longest <= 1, name, "a row of the aggregates has ", longest,
          " entries, expected one at most");
  shape.rows_of_node = nodes == 0 ? 1 : shape.rows / nodes;
  shape.cols = shape.modes * static_cast<std::int64_t>(aggregates.num_cols());
  shape.entries = shape.modes * shape.rows_of_node * static_cast<std::int64_t>(aggregates.nnz());
  std::int64_t const larger = std::max(shape.rows, shape.cols);
  require(std::in_range<Ordinal>(larger), name, "the result is ", shape.rows, " x ", shape.cols,
          ", which does not fit its ordinal type (largest value ",
          std::numeric_limits<Ordinal>::max(), ")");
  require_entries_fit<typename Aggregates::offset_type>(name, shape.entries);
  return shape;
}

} // namespace impl

/// The tentative prolongator of smoothed aggregation for several near-nullspace vectors (Vanek,
/// Mandel and Brezina, Computing 56, 1996, section 4), and the near-nullspace of the coarse level:
/// for each aggregate, the thin QR factorization B = Q R of the rows of the near-nullspace B in it,
/// where Q is the aggregate's block of P and R that of the coarse near-nullspace.
///
/// aggregates is an N x m matrix with at most one entry in each row, whose column is the aggregate
/// of the node: what aggregate returns; values are not read. near_nullspace is a View of n x k, for
/// n a multiple of N: a node has the n / N rows from n / N times its number on, such as the three
/// displacements of elasticity, and a mode is a column. Mode j of aggregate g has column g k + j of
/// P and row g k + j of the result's coarse, so nodes of the coarse level have k rows each. With
/// one mode of ones and n = N, P is the aggregates matrix with columns scaled to norm 1.
///
/// Columns of P are orthonormal, but for those of modes that depend on the modes before them in
/// their aggregate: there what is left of the mode is not larger than tolerance times its norm (at
/// least 1000 times the machine epsilon of its type), and the column is zeros, which are stored. An
/// aggregate with fewer rows than modes has such columns. The coarse operator P^T A P then has zero
/// rows there, diagonals included. Nodes in no aggregate have empty rows of P.
///
/// Values have the type of the near-nullspace, real or complex of float or double; squares are
/// summed without scaling. Modified Gram-Schmidt, twice, in place in the values of P: about 2 k^2
/// passes over the values of an aggregate, one thread of a team and its lanes. Bitwise repeatable
/// on one backend. Scratch of an ordinal and an offset per node and three offsets per aggregate.
/// Throws InvalidArgument where the near-nullspace has no columns or its rows are no multiple of
/// N, where a node is in two aggregates, and where P does not fit the index types of aggregates.
/// Waits for exec.
template <ExecutionSpace Exec, Csr Aggregates, DenseMatrix Modes>
auto tentative_prolongator(Exec const& exec, Aggregates const& aggregates,
                           Modes const& near_nullspace, double tolerance = 0)
try
{
  using Value = typename Modes::non_const_value_type;
  using Real = impl::real_t<Value>;
  using Ordinal = typename Aggregates::ordinal_type;
  using Offset = typename Aggregates::offset_type;
  using Space = typename Aggregates::memory_space;
  using Result = CsrMatrix<Value, Ordinal, Offset, Space>;
  using Coarse = Kokkos::View<Value**, Space>;
  static_assert(impl::is_value_v<Value> && impl::is_own_accumulator_v<Value>,
                "heddle::tentative_prolongator: modes are float, double or complex of them");
  static_assert(Kokkos::SpaceAccessibility<Exec, Space>::accessible &&
                    Kokkos::SpaceAccessibility<Exec, typename Modes::memory_space>::accessible,
                "heddle::tentative_prolongator: the execution space cannot reach the aggregates or "
                "the near-nullspace");
  Kokkos::Profiling::ScopedRegion const region("heddle::tentative_prolongator");
  auto const shape = impl::shape_of_tentative(exec, aggregates, near_nullspace);
  auto const num_aggregates = static_cast<std::int64_t>(aggregates.num_cols());
  using NodeOffsets = typename Aggregates::const_type::row_offsets_view;
  using AggregateOf = typename Aggregates::const_type::columns_view;
  impl::TentativeRows<NodeOffsets> const rows{aggregates.row_offsets(), shape.rows_of_node,
                                              shape.modes};
  auto const offsets = impl::new_row_offsets<Result>(exec, shape.rows);
  auto const entries = impl::new_entries<Result>(exec, static_cast<std::size_t>(shape.entries));
  auto const coarse = impl::allocated<Coarse>(
      Kokkos::view_alloc(exec, "heddle::coarse"), "heddle::coarse",
      static_cast<std::size_t>(shape.cols), static_cast<std::size_t>(shape.modes));
  impl::tabulate(exec, "heddle::tentative_prolongator::offsets", shape.rows + 1,
                 impl::OffsetOfTentativeRow<NodeOffsets>{rows, shape.rows, shape.entries}, offsets);
  Kokkos::parallel_for(
      "heddle::tentative_prolongator::copy", impl::range(exec, shape.rows * shape.modes),
      impl::CopyModes<NodeOffsets, AggregateOf, Modes, typename Result::columns_view,
                      typename Result::values_view>{rows, aggregates.columns(), near_nullspace,
                                                    entries.columns, entries.values});

  impl::Scratch<Offset, Exec> const starts(exec, static_cast<std::size_t>(num_aggregates) + 1),
      positions(exec, aggregates.nnz());
  impl::Scratch<Ordinal, Exec> const nodes(exec, aggregates.nnz());
  impl::transpose_pattern(exec, aggregates, starts.view(), nodes.view(), positions.view());
  if (num_aggregates > 0)
  {
    using Starts = typename impl::Scratch<Offset, Exec>::view_type;
    using Nodes = typename impl::Scratch<Ordinal, Exec>::view_type;
    impl::RowTeams<Exec> const teams{
        num_aggregates, impl::lanes_for<Exec>(static_cast<double>(shape.entries) /
                                              static_cast<double>(shape.modes * num_aggregates))};
    Kokkos::parallel_for("heddle::tentative_prolongator::orthonormalize", teams.policy(exec),
                         impl::OrthonormalizeAggregates<NodeOffsets, Starts, Nodes,
                                                        typename Result::values_view, Coarse>{
                             teams.rows_per_team(), num_aggregates, rows, starts.view(),
                             nodes.view(), entries.values, coarse,
                             static_cast<Real>(std::max<double>(
                                 tolerance, 1000 * std::numeric_limits<Real>::epsilon()))});
  }
  exec.fence("heddle::tentative_prolongator");
  return TentativeProlongator<Result, Coarse>{Result(static_cast<Ordinal>(shape.rows),
                                                     static_cast<Ordinal>(shape.cols), offsets,
                                                     entries.columns, entries.values),
                                              coarse};
}
catch (...)
{
  impl::rethrow_out_of_memory("tentative_prolongator");
}

} // namespace heddle
