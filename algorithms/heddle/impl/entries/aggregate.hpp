// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of aggregate: a maximal independent set of distance two, and the root that each row
// follows (Bell, Dalton and Olson, SIAM J. Sci. Comput. 34, 2012, algorithms 5 and 6).

#include <heddle/impl/entries/rows.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sum_of.hpp>
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
template <class Columns, class From>
struct FoldNeighbors
{
  using Sum = LargestOfRow<typename From::non_const_value_type>;

  Columns columns;
  From from;

  KOKKOS_FUNCTION void add(std::int64_t, std::int64_t k, Sum& largest) const
  {
    largest.number = Kokkos::max(largest.number, from(columns(k)));
  }
  KOKKOS_FUNCTION static void join(Sum& to, Sum const& from)
  {
    to.number = Kokkos::max(to.number, from.number);
  }
};

// one_edge(i) = the largest label of row i and its neighbours. Once that is a root's it stays.
template <class Columns, class Labels>
struct SpreadLabels : FoldNeighbors<Columns, Labels>
{
  using Sum = LargestOfRow<std::uint64_t>;

  Labels one_edge;

  KOKKOS_FUNCTION bool skips(std::int64_t i) const { return one_edge(i) == label_of_root; }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& largest) const
  {
    one_edge(i) = Kokkos::max(this->from(i), largest.number);
  }
};

KOKKOS_INLINE_FUNCTION bool is_decided(std::uint64_t label)
{
  return label == label_near_root || label == label_of_root;
}

// An undecided row whose hash is the largest within two edges becomes a root; one with a root there
// is near it. Reads one_edge.
template <class Columns, class Labels>
struct DecideRows : FoldNeighbors<Columns, Labels>
{
  using Sum = LargestOfRow<std::uint64_t>;

  Labels labels;

  KOKKOS_FUNCTION bool skips(std::int64_t i) const { return is_decided(labels(i)); }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& largest) const
  {
    std::uint64_t const two_edges = Kokkos::max(this->from(i), largest.number);
    if (two_edges == labels(i))
      labels(i) = label_of_root;
    else if (two_edges == label_of_root)
      labels(i) = label_near_root;
  }
};

template <class Labels>
struct IsUndecided
{
  Labels labels;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const { return is_decided(labels(i)) ? 0 : 1; }
};

// Labels of all rows. Each round decides at least the undecided row with the largest hash. Waits
// for exec.
template <class Exec, class Matrix, class Labels>
void find_roots(Exec const& exec, Matrix const& graph, Labels const& labels)
{
  using Columns = typename Matrix::columns_view;
  Scratch<std::uint64_t, Exec> const one_edge(exec, labels.extent(0));
  Kokkos::deep_copy(exec, one_edge.view(), label_near_root);
  tabulate(exec, "heddle::aggregate::hash", labels.extent(0), HashOfRow{}, labels);
  do
  {
    fold_rows(exec, "heddle::aggregate::spread", graph,
              SpreadLabels<Columns, Labels>{{graph.columns(), labels}, one_edge.view()});
    fold_rows(exec, "heddle::aggregate::decide", graph,
              DecideRows<Columns, Labels>{{graph.columns(), one_edge.view()}, labels});
  } while (sum_of(exec, "heddle::aggregate::undecided", labels.extent(0),
                  IsUndecided<Labels>{labels}) > 0);
}

// The number of a neighbour's aggregate for rows that have none yet.
template <class Columns, class Numbers>
struct JoinNeighbors : FoldNeighbors<Columns, Numbers>
{
  using Sum = LargestOfRow<typename Numbers::non_const_value_type>;

  Numbers to;

  KOKKOS_FUNCTION bool skips(std::int64_t i) const { return this->from(i) != 0; }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& largest) const { to(i) = largest.number; }
};

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

// The aggregate of a row from its number in either list, which is 0 where the row has none.
template <class Numbers>
struct AggregateOfRow
{
  Numbers first, second;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const
  {
    return Kokkos::max(first(i), second(i)) - 1;
  }
};

// columns(i) = the aggregate of row i: the root's own, that of a root next to it, or that of a row
// next to it which has a root next to it. Returns how many there are. Waits for exec.
template <class Exec, class Matrix, class Columns>
std::int64_t number_aggregates(Exec const& exec, Matrix const& graph, Columns const& columns)
{
  using Ordinal = typename Columns::non_const_value_type;
  Scratch<std::uint64_t, Exec> const labels(exec, columns.extent(0));
  Scratch<Ordinal, Exec> const first(exec, columns.extent(0)), second(exec, columns.extent(0));
  find_roots(exec, graph, labels.view());
  using Labels = typename Scratch<std::uint64_t, Exec>::view_type;
  using Numbers = typename Scratch<Ordinal, Exec>::view_type;
  using Join = JoinNeighbors<typename Matrix::columns_view, Numbers>;
  std::int64_t count = 0;
  Kokkos::parallel_scan("heddle::aggregate::number", range(exec, columns.extent(0)),
                        NumberRoots<Labels, Numbers>{labels.view(), first.view()}, count);
  // Neighbours of roots are in the second list, beside these; then those that have no root next to
  // them are in the first one.
  Kokkos::deep_copy(exec, second.view(), first.view());
  fold_rows(exec, "heddle::aggregate::join", graph,
            Join{{graph.columns(), first.view()}, second.view()});
  fold_rows(exec, "heddle::aggregate::join", graph,
            Join{{graph.columns(), second.view()}, first.view()});
  tabulate(exec, "heddle::aggregate::columns", columns.extent(0),
           AggregateOfRow<Numbers>{first.view(), second.view()}, columns);
  exec.fence("heddle::aggregate");
  return count;
}

} // namespace heddle::impl
