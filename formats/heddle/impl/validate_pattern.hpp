// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The passes behind validate: each finds the first place that breaks one rule, or -1. All wait for
// exec.

#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace heddle::impl
{

template <class Exec, class View>
std::int64_t read_entry(Exec const& exec, View const& view, std::int64_t i)
{
  typename View::non_const_value_type value{};
  Kokkos::deep_copy(exec, value, Kokkos::subview(view, i));
  exec.fence("heddle::validate");
  return static_cast<std::int64_t>(value);
}

inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

// What least_place does for one number: a functor, see scan.hpp.
template <class Search>
struct LeastPlace
{
  Search search;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& so_far) const
  {
    std::int64_t const place = search(i);
    so_far = place < so_far ? place : so_far;
  }
};

// The least search(i) for i = 0 .. n - 1, or -1 where all are nowhere.
template <class Exec, class Size, class Search>
std::int64_t least_place(Exec const& exec, char const* label, Size n, Search const& search)
{
  std::int64_t least = 0;
  Kokkos::parallel_reduce(label, range(exec, n), LeastPlace<Search>{search},
                          Kokkos::Min<std::int64_t>(least));
  return least == nowhere ? -1 : least;
}

template <class Offsets>
struct Falls
{
  Offsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return offsets(i + 1) < offsets(i) ? i : nowhere;
  }
};

template <class Indices>
struct DoesNotRise
{
  Indices indices;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return indices(i + 1) <= indices(i) ? i : nowhere;
  }
};

template <class Indices>
struct IsOutside
{
  Indices indices;
  std::int64_t bound;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const
  {
    auto const index = static_cast<std::int64_t>(indices(k));
    return index < 0 || index >= bound ? k : nowhere;
  }
};

// Entry order(i + 1) where it names the place of entry order(i).
template <class Rows, class Columns, class Order>
struct RepeatsPrevious
{
  Rows rows;
  Columns columns;
  Order order;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t const k = order(i + 1), previous = order(i);
    return rows(k) == rows(previous) && columns(k) == columns(previous) ? k : nowhere;
  }
};

template <class Exec, class Indices>
std::int64_t first_outside(Exec const& exec, Indices const& indices, std::int64_t bound)
{
  return least_place(exec, "heddle::validate::range", indices.extent(0),
                     IsOutside<Indices>{indices, bound});
}

// What line_of_entry does with one line: a functor as well.
template <class Offsets>
struct LastLineUpTo
{
  Offsets offsets;
  std::int64_t k;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& greatest) const
  {
    if (static_cast<std::int64_t>(offsets(i)) <= k && i > greatest)
      greatest = i;
  }
};

// The line (row, column, slice) of n that has entry k, where offsets are known not to fall.
template <class Exec, class Offsets>
std::int64_t line_of_entry(Exec const& exec, Offsets const& offsets, std::int64_t n, std::int64_t k)
{
  std::int64_t line = 0;
  Kokkos::parallel_reduce("heddle::validate::line_of_entry", range(exec, n),
                          LastLineUpTo<Offsets>{offsets, k}, Kokkos::Max<std::int64_t>(line));
  return line;
}

// The first entry of columns that stands in its row before, where offsets and columns are known to
// be in range. Unsorted rows are ordered for it.
template <class Exec, class Offsets, class Columns>
std::int64_t first_repeated(Exec const& exec, Offsets const& offsets, Columns const& columns,
                            std::int64_t num_cols)
{
  auto const nnz = static_cast<std::int64_t>(columns.extent(0));
  std::int64_t const num_rows = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  char const* const label = "heddle::validate::repeated";
  using Numbers = Scratch<std::int64_t, Exec>;
  using NumbersView = typename Numbers::view_type;
  Numbers const row_of(exec, columns.extent(0));
  auto const rows = row_of.view();
  expand_rows(exec, offsets, rows);
  if (has_ascending_rows(exec, offsets, columns))
    return least_place(
        exec, label, nnz - 1,
        RepeatsPrevious<NumbersView, Columns, Identity>{rows, columns, {columns.extent(0)}});
  Numbers const positions(exec, columns.extent(0));
  auto const order = positions.view();
  order_by_row_and_column(exec, rows, num_rows, columns, num_cols, order);
  return least_place(exec, label, nnz - 1,
                     RepeatsPrevious<NumbersView, Columns, NumbersView>{rows, columns, order});
}

} // namespace heddle::impl
