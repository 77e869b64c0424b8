// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of aggregate: a maximal independent set of distance two, and the root that each row
// follows (Bell, Dalton and Olson, SIAM J. Sci. Comput. 34, 2012, algorithms 5 and 6).

#include <heddle/impl/entries/rows.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// The label of a row while it is undecided is a hash that no other row has; then it is one of
// these. No row has one of them as its hash: mix() is a bijection that makes 0 of 0, and makes
// label_of_root of a number above 2^63.
inline constexpr std::uint64_t label_near_root = 0, label_of_root = ~std::uint64_t(0);

struct HashOfRow
{
  KOKKOS_FUNCTION std::uint64_t operator()(std::int64_t i) const
  {
    return mix(static_cast<std::uint64_t>(i) + 1);
  }
};

// The largest number of a row's neighbours.
template <class Number>
struct LargestOfRow
{
  Number number = 0;
};

// to(i) = the largest from(j) of the columns j of row i and of i itself; with keeps_own, from(i)
// where that is not 0. A fold of rows.hpp.
template <bool keeps_own, class Columns, class From, class To>
struct LargestNeighbor
{
  using Sum = LargestOfRow<typename To::non_const_value_type>;

  Columns columns;
  From from;
  To to;

  KOKKOS_FUNCTION void add(std::int64_t, std::int64_t k, Sum& largest) const
  {
    largest.number = Kokkos::max(largest.number, from(columns(k)));
  }
  KOKKOS_FUNCTION static void join(Sum& to, Sum const& from)
  {
    to.number = Kokkos::max(to.number, from.number);
  }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& largest) const
  {
    auto const own = from(i);
    to(i) = keeps_own && own != 0 ? own : Kokkos::max(own, largest.number);
  }
};

template <bool keeps_own, class Exec, class Matrix, class Numbers>
void largest_of_neighbors(Exec const& exec, Matrix const& graph, Numbers const& from,
                          Numbers const& to)
{
  fold_rows(exec, "heddle::aggregate::neighbors", graph,
            LargestNeighbor<keeps_own, typename Matrix::columns_view, Numbers, Numbers>{
                graph.columns(), from, to});
}

// An undecided row whose hash is the largest within two edges becomes a root; one with a root
// there is near it. Counts the rows that stay undecided.
template <class Labels>
struct DecideRow
{
  Labels labels, largest; // largest within two edges
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& undecided) const
  {
    if (labels(i) == label_near_root || labels(i) == label_of_root)
      return;
    if (labels(i) == largest(i))
      labels(i) = label_of_root;
    else if (largest(i) == label_of_root)
      labels(i) = label_near_root;
    else
      ++undecided;
  }
};

// Labels of all rows. Each round decides at least the undecided row with the largest hash. Waits
// for exec.
template <class Exec, class Matrix, class Labels>
void find_roots(Exec const& exec, Matrix const& graph, Labels const& labels)
{
  Scratch<std::uint64_t, Exec> const one_edge(exec, labels.extent(0)),
      two_edges(exec, labels.extent(0));
  tabulate(exec, "heddle::aggregate::hash", labels.extent(0), HashOfRow{}, labels);
  for (auto undecided = static_cast<std::int64_t>(labels.extent(0)); undecided > 0;)
  {
    largest_of_neighbors<false>(exec, graph, labels, one_edge.view());
    largest_of_neighbors<false>(exec, graph, one_edge.view(), two_edges.view());
    Kokkos::parallel_reduce("heddle::aggregate::decide", range(exec, labels.extent(0)),
                            DecideRow<Labels>{labels, two_edges.view()}, undecided);
  }
}

// numbers(i) = n for the n-th root from 1 on, and 0 for other rows.
template <class Labels, class Numbers>
struct NumberRoots
{
  Labels labels;
  Numbers numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool is_final) const
  {
    bool const is_root = labels(i) == label_of_root;
    sum += is_root ? 1 : 0;
    if (is_final)
      numbers(i) = static_cast<typename Numbers::non_const_value_type>(is_root ? sum : 0);
  }
};

template <class Numbers>
struct OneLess
{
  Numbers numbers;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const { return numbers(i) - 1; }
};

// columns(i) = the aggregate of row i: the root's own, that of a root next to it, or that of a row
// next to it which has a root next to it. Returns how many there are. Waits for exec.
template <class Exec, class Matrix, class Columns>
std::int64_t number_aggregates(Exec const& exec, Matrix const& graph, Columns const& columns)
{
  using Ordinal = typename Columns::non_const_value_type;
  Scratch<std::uint64_t, Exec> const labels(exec, columns.extent(0));
  Scratch<Ordinal, Exec> const roots(exec, columns.extent(0)), joined(exec, columns.extent(0));
  find_roots(exec, graph, labels.view());
  using Labels = typename Scratch<std::uint64_t, Exec>::view_type;
  using Numbers = typename Scratch<Ordinal, Exec>::view_type;
  std::int64_t count = 0;
  Kokkos::parallel_scan("heddle::aggregate::number", range(exec, columns.extent(0)),
                        NumberRoots<Labels, Numbers>{labels.view(), roots.view()}, count);
  largest_of_neighbors<true>(exec, graph, roots.view(), joined.view());
  largest_of_neighbors<true>(exec, graph, joined.view(), roots.view());
  tabulate(exec, "heddle::aggregate::columns", columns.extent(0), OneLess<Numbers>{roots.view()},
           columns);
  exec.fence("heddle::aggregate");
  return count;
}

} // namespace heddle::impl
