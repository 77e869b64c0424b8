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

inline std::int64_t found(std::int64_t first)
{
  return first == std::numeric_limits<std::int64_t>::max() ? -1 : first;
}

template <class Exec, class Offsets>
std::int64_t first_fall(Exec const& exec, Offsets const& offsets)
{
  std::int64_t first = 0;
  Kokkos::parallel_reduce(
      "heddle::validate::row_offsets", range(exec, offsets.extent(0) - 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & least) {
        if (offsets(i + 1) < offsets(i) && i < least)
          least = i;
      },
      Kokkos::Min<std::int64_t>(first));
  return found(first);
}

template <class Exec, class Indices>
std::int64_t first_outside(Exec const& exec, Indices const& indices, std::int64_t bound)
{
  std::int64_t first = 0;
  Kokkos::parallel_reduce(
      "heddle::validate::range", range(exec, indices.extent(0)),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t & least) {
        auto const index = static_cast<std::int64_t>(indices(k));
        if ((index < 0 || index >= bound) && k < least)
          least = k;
      },
      Kokkos::Min<std::int64_t>(first));
  return found(first);
}

// The row of entry k, where offsets are known to rise.
template <class Exec, class Offsets>
std::int64_t row_of_entry(Exec const& exec, Offsets const& offsets, std::int64_t k)
{
  std::int64_t row = 0;
  Kokkos::parallel_reduce(
      "heddle::validate::row_of_entry", range(exec, offsets.extent(0) - 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & greatest) {
        if (static_cast<std::int64_t>(offsets(i)) <= k && i > greatest)
          greatest = i;
      },
      Kokkos::Max<std::int64_t>(row));
  return row;
}

template <class Exec, class Offsets, class Columns>
std::int64_t first_repeated(Exec const& exec, Offsets const& offsets, Columns const& columns,
                            std::int64_t num_cols)
{
  auto const nnz = static_cast<std::int64_t>(columns.extent(0));
  std::int64_t const num_rows = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  Scratch<std::int64_t, Exec> const row_of(exec, columns.extent(0));
  Scratch<std::int64_t, Exec> const positions(exec, columns.extent(0));
  auto const rows = row_of.view();
  auto const order = positions.view();
  expand_rows(exec, offsets, rows);
  if (has_ascending_rows(exec, offsets, columns))
    fill_with_positions(exec, order);
  else
    order_by_row_and_column(exec, rows, num_rows, columns, num_cols, order);
  std::int64_t first = 0;
  Kokkos::parallel_reduce(
      "heddle::validate::repeated", Range<Exec>(exec, 1, nnz < 1 ? 1 : nnz),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & least) {
        std::int64_t const k = order(i), previous = order(i - 1);
        if (rows(k) == rows(previous) && columns(k) == columns(previous) && k < least)
          least = k;
      },
      Kokkos::Min<std::int64_t>(first));
  return found(first);
}

} // namespace heddle::impl
