// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of tentative_prolongator (Vanek, Mandel and Brezina, Computing 56, 1996, section 4):
// the near-nullspace is copied into the values of P, where each aggregate then makes its rows
// orthonormal by modified Gram-Schmidt with one more pass over each column, which is enough unless
// the column is numerically dependent (Giraud, Langou and Rozloznik, Comput. Math. Appl. 50, 2005).
// A thread of a team takes an aggregate and its lanes the rows: a lane reads only values that it
// has written itself.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Where the rows of P are: a node that is in an aggregate has an entry per mode in each of its
// rows, other nodes have none.
template <class NodeOffsets>
struct TentativeRows
{
  NodeOffsets node_offsets; // of the aggregates matrix
  std::int64_t rows_of_node, modes;

  KOKKOS_FUNCTION bool is_in_aggregate(std::int64_t node) const
  {
    return node_offsets(node + 1) != node_offsets(node);
  }
  // The first entry of a row of a node that is in an aggregate.
  KOKKOS_FUNCTION std::int64_t begin(std::int64_t node, std::int64_t row_in_node) const
  {
    return modes * (rows_of_node * static_cast<std::int64_t>(node_offsets(node)) + row_in_node);
  }
};

template <class NodeOffsets>
struct OffsetOfTentativeRow
{
  TentativeRows<NodeOffsets> rows;
  std::int64_t num_rows, num_entries;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    if (i == num_rows)
      return num_entries;
    std::int64_t const node = i / rows.rows_of_node;
    return rows.begin(node, rows.is_in_aggregate(node) ? i % rows.rows_of_node : 0);
  }
};

// Entry t % modes of row t / modes.
template <class NodeOffsets, class Aggregates, class Modes, class Columns, class Values>
struct CopyModes
{
  TentativeRows<NodeOffsets> rows;
  Aggregates aggregates;
  Modes modes;
  Columns columns;
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t t) const
  {
    std::int64_t const i = t / rows.modes, mode = t % rows.modes;
    std::int64_t const node = i / rows.rows_of_node;
    if (!rows.is_in_aggregate(node))
      return;
    std::int64_t const k = rows.begin(node, i % rows.rows_of_node) + mode;
    auto const aggregate = static_cast<std::int64_t>(aggregates(rows.node_offsets(node)));
    columns(k) = static_cast<typename Columns::non_const_value_type>(aggregate * rows.modes + mode);
    values(k) = modes(i, mode);
  }
};

// The columns of one aggregate's block of P, of a thread of a team.
template <class Member, class NodeOffsets, class Nodes, class Values>
struct AggregateColumns
{
  using Value = typename Values::non_const_value_type;
  using Real = real_t<Value>;

  Member const& team;
  TentativeRows<NodeOffsets> const& rows;
  Nodes const& nodes;
  Values const& values;
  std::int64_t first_node, num_rows; // in nodes; of the block

  KOKKOS_FUNCTION Value& at(std::int64_t t, std::int64_t mode) const
  {
    auto const node = static_cast<std::int64_t>(nodes(first_node + t / rows.rows_of_node));
    return values(rows.begin(node, t % rows.rows_of_node) + mode);
  }
  KOKKOS_FUNCTION Real norm(std::int64_t mode) const
  {
    Real squares = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, num_rows),
        [&](std::int64_t t, Real& sum) {
          Real const size = Kokkos::abs(at(t, mode));
          sum += size * size;
        },
        squares);
    return Kokkos::sqrt(squares);
  }
  KOKKOS_FUNCTION Value dot(std::int64_t left, std::int64_t right) const
  {
    Value result{};
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, num_rows),
        [&](std::int64_t t, Value& sum) { sum += conjugated<true>(at(t, left)) * at(t, right); },
        result);
    return result;
  }
  KOKKOS_FUNCTION void subtract(Value const& factor, std::int64_t from, std::int64_t mode) const
  {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, num_rows),
                         [&](std::int64_t t) { at(t, mode) -= factor * at(t, from); });
  }
  // The column over its norm, or zeros.
  KOKKOS_FUNCTION void finish(std::int64_t mode, bool is_dependent, Real norm) const
  {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, num_rows), [&](std::int64_t t) {
      Value& value = at(t, mode);
      value = is_dependent ? Value(0) : value / norm;
    });
  }
};

// Values become the orthonormal factor, rows of coarse, which begins as zeros, the triangular one.
template <class NodeOffsets, class Starts, class Nodes, class Values, class Coarse>
struct OrthonormalizeAggregates
{
  using Value = typename Values::non_const_value_type;
  using Real = real_t<Value>;

  std::int64_t per_team, aggregates;
  TentativeRows<NodeOffsets> rows;
  Starts starts; // of the nodes of each aggregate
  Nodes nodes;
  Values values;
  Coarse coarse;
  Real tolerance;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    for_rows_of_team(team, per_team, aggregates, [&](std::int64_t aggregate) {
      auto const begin = static_cast<std::int64_t>(starts(aggregate));
      auto const end = static_cast<std::int64_t>(starts(aggregate + 1));
      AggregateColumns<Member, NodeOffsets, Nodes, Values> const columns{
          team, rows, nodes, values, begin, (end - begin) * rows.rows_of_node};
      for (std::int64_t mode = 0; mode < rows.modes; ++mode)
        finish_column(team, columns, aggregate * rows.modes, mode);
    });
  }

private:
  template <class Member, class Columns>
  KOKKOS_FUNCTION void finish_column(Member const& team, Columns const& columns,
                                     std::int64_t coarse_row, std::int64_t mode) const
  {
    Real const before = columns.norm(mode);
    for (int pass = 0; pass < 2; ++pass)
      for (std::int64_t other = 0; other < mode; ++other)
      {
        Value const part = columns.dot(other, mode);
        columns.subtract(part, other, mode);
        Kokkos::single(Kokkos::PerThread(team), [&] { coarse(coarse_row + other, mode) += part; });
      }
    Real const norm = columns.norm(mode);
    bool const is_dependent = norm <= tolerance * before;
    columns.finish(mode, is_dependent, norm);
    if (!is_dependent)
      Kokkos::single(Kokkos::PerThread(team), [&] { coarse(coarse_row + mode, mode) = norm; });
  }
};

} // namespace heddle::impl
