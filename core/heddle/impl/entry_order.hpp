// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Entries of a sparse matrix by number: which row an entry is in, and in which order entries stand.

#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// What the functions below do with one entry or row: functors, see scan.hpp.
template <class RowOffsets, class Rows>
struct ExpandRow
{
  RowOffsets row_offsets;
  Rows rows;
  std::int64_t n; // rows

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    auto const begin_of = [this](std::int64_t row) {
      return static_cast<std::int64_t>(row_offsets(row));
    };
    rows(k) = static_cast<typename Rows::non_const_value_type>(last_not_above(begin_of, n, k));
  }
};
template <class Keys, class Order, class Offsets>
struct OffsetsOfSorted
{
  Keys keys;
  Order order;
  Offsets offsets;
  std::int64_t n, last; // entries; of offsets

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    std::int64_t const before = i == 0 ? -1 : static_cast<std::int64_t>(keys(order(i - 1)));
    std::int64_t const here = i == n ? last : static_cast<std::int64_t>(keys(order(i)));
    for (std::int64_t j = before + 1; j <= here; ++j)
      offsets(j) = static_cast<typename Offsets::non_const_value_type>(i);
  }
};
template <class Order>
struct FillPosition
{
  Order order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    order(i) = static_cast<typename Order::non_const_value_type>(i);
  }
};
template <class Offsets, class Columns>
struct CountFalls
{
  Offsets offsets;
  Columns columns;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    for (auto k = offsets(i) + 1; k < offsets(i + 1); ++k)
      count += columns(k) < columns(k - 1) ? 1 : 0;
  }
};

// rows(k) = the row of entry k. Asynchronous.
template <class Exec, class RowOffsets, class Rows>
void expand_rows(Exec const& exec, RowOffsets const& row_offsets, Rows const& rows)
{
  using Row = typename Rows::non_const_value_type;
  auto const n = static_cast<std::int64_t>(row_offsets.extent(0)) - 1;
  if constexpr (is_host_v<Exec>)
    Kokkos::parallel_for("heddle::expand_rows", range(exec, n), [=](std::int64_t i) {
      for (auto k = row_offsets(i); k < row_offsets(i + 1); ++k)
        rows(k) = static_cast<Row>(i);
    });
  else
    Kokkos::parallel_for("heddle::expand_rows", range(exec, rows.extent(0)),
                         ExpandRow<RowOffsets, Rows>{row_offsets, rows, n});
}

// offsets(j) = the first i with keys(order(i)) >= j, where order sorts keys and offsets has one
// entry more than there are keys. Asynchronous.
template <class Exec, class Keys, class Order, class Offsets>
void offsets_of_sorted(Exec const& exec, Keys const& keys, Order const& order,
                       Offsets const& offsets)
{
  auto const n = static_cast<std::int64_t>(order.extent(0));
  auto const last = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  Kokkos::parallel_for("heddle::offsets_of_sorted", range(exec, n + 1),
                       OffsetsOfSorted<Keys, Order, Offsets>{keys, order, offsets, n, last});
}

// order(i) = i. Asynchronous.
template <class Exec, class Order>
void fill_with_positions(Exec const& exec, Order const& order)
{
  Kokkos::parallel_for("heddle::positions", range(exec, order.extent(0)),
                       FillPosition<Order>{order});
}

// Columns ascend within every row (equal neighbours count as ascending).
template <class Exec, class Offsets, class Columns>
bool has_ascending_rows(Exec const& exec, Offsets const& offsets, Columns const& columns)
{
  std::int64_t falls = 0;
  Kokkos::parallel_reduce("heddle::has_ascending_rows", range(exec, offsets.extent(0) - 1),
                          CountFalls<Offsets, Columns>{offsets, columns}, falls);
  return falls == 0;
}

// The order of entries that are sorted already.
struct Identity
{
  std::size_t n;
  KOKKOS_FUNCTION std::size_t extent(int) const { return n; }
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const { return i; }
};

// What number_distinct does for one entry: a functor, see scan.hpp.
template <class Rows, class Columns, class Order, class Places>
struct NumberDistinct
{
  Rows rows;
  Columns columns;
  Order order;
  Places places;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool is_final) const
  {
    bool const is_first = i == 0 || rows(order(i)) != rows(order(i - 1)) ||
                          columns(order(i)) != columns(order(i - 1));
    sum += is_first ? 1 : 0;
    if (is_final)
      places(i) = static_cast<typename Places::non_const_value_type>(sum - 1);
  }
};

// places(i) = the number of the place of entry order(i) among the distinct places, which order has
// ascending. Asynchronous.
template <class Exec, class Rows, class Columns, class Order, class Places>
void number_places(Exec const& exec, Rows const& rows, Columns const& columns, Order const& order,
                   Places const& places)
{
  Kokkos::parallel_scan("heddle::number_distinct", range(exec, order.extent(0)),
                        NumberDistinct<Rows, Columns, Order, Places>{rows, columns, order, places});
}
// The same; returns how many there are. Waits for exec.
template <class Exec, class Rows, class Columns, class Order, class Places>
std::int64_t number_distinct(Exec const& exec, Rows const& rows, Columns const& columns,
                             Order const& order, Places const& places)
{
  std::int64_t distinct = 0;
  Kokkos::parallel_scan("heddle::number_distinct", range(exec, order.extent(0)),
                        NumberDistinct<Rows, Columns, Order, Places>{rows, columns, order, places},
                        distinct);
  return distinct;
}

// Order with rows ascending and columns ascending in each: positions of entries.
template <class Exec, class Rows, class Columns, class Order>
void order_by_row_and_column(Exec const& exec, Rows const& rows, std::int64_t num_rows,
                             Columns const& columns, std::int64_t num_cols, Order const& order)
{
  fill_with_positions(exec, order);
  stable_sort_by_key(exec, columns, num_cols, order);
  stable_sort_by_key(exec, rows, num_rows, order);
}

} // namespace heddle::impl
