// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The entries of a CSR matrix in the order that row segments are cut in, whatever the order in
// which they stand.

#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Entries by row and, in each row, by column: entry n in that order, of row rows(n), is entry
// order(n) of columns.
template <class RowOffsets, class Rows, class Columns, class Order>
struct OrderedEntries
{
  RowOffsets row_offsets;
  Rows rows;
  Columns columns;
  Order order;
  std::int64_t panel_width = 1, threshold = 0;

  std::int64_t size() const { return static_cast<std::int64_t>(columns.extent(0)); }
  // The same entries, cut otherwise.
  OrderedEntries in_shape(std::int64_t width, std::int64_t entries_of_light) const
  {
    OrderedEntries other = *this;
    other.panel_width = width;
    other.threshold = entries_of_light;
    return other;
  }
  KOKKOS_FUNCTION std::int64_t column(std::int64_t n) const
  {
    return static_cast<std::int64_t>(columns(order(n)));
  }
  KOKKOS_FUNCTION std::int64_t panel(std::int64_t n) const { return column(n) / panel_width; }
  KOKKOS_FUNCTION std::int64_t row_begin(std::int64_t n) const
  {
    return static_cast<std::int64_t>(row_offsets(rows(n)));
  }
  KOKKOS_FUNCTION std::int64_t row_end(std::int64_t n) const
  {
    return static_cast<std::int64_t>(row_offsets(rows(n) + 1));
  }
  // The first of begin .. end - 1 that does not lie left of the panel, else end.
  KOKKOS_FUNCTION std::int64_t first_of(std::int64_t panel_number, std::int64_t begin,
                                        std::int64_t end) const
  {
    return lower_bound([this](std::int64_t n) { return panel(n); }, begin, end, panel_number);
  }
  KOKKOS_FUNCTION std::int64_t segment_end(std::int64_t n) const
  {
    return first_of(panel(n) + 1, n, row_end(n));
  }
  KOKKOS_FUNCTION bool is_first(std::int64_t n) const
  {
    return n == row_begin(n) || panel(n - 1) != panel(n);
  }
  KOKKOS_FUNCTION bool is_heavy(std::int64_t n) const
  {
    std::int64_t const last = first_of(panel(n), row_begin(n), n) + threshold;
    return last < row_end(n) && panel(last) == panel(n);
  }
};

// body(entries), in panels of one column. Entries of unsorted rows are put in order in scratch
// memory. Waits for exec, also behind body.
template <class Exec, class Matrix, class Body>
auto with_ordered_entries(Exec const& exec, Matrix const& a, Body const& body)
{
  using Ordinal = typename Matrix::ordinal_type;
  using Rows = Scratch<Ordinal, Exec>;
  using Columns = Kokkos::View<Ordinal const*, typename Matrix::memory_space>;
  using Offsets = typename Matrix::row_offsets_view;
  Rows const rows(exec, a.nnz());
  expand_rows(exec, a.row_offsets(), rows.view());
  auto const run = [&]<class Order>(Order const& order) {
    return body(OrderedEntries<Offsets, typename Rows::view_type, Columns, Order>{
        a.row_offsets(), rows.view(), a.columns(), order});
  };
  if (a.nnz() == 0 || has_ascending_rows(exec, a.row_offsets(), a.columns()))
    return run(Identity{a.nnz()});
  Scratch<typename Matrix::offset_type, Exec> const order(exec, a.nnz());
  order_by_row_and_column(exec, rows.view(), a.num_rows(), a.columns(), a.num_cols(), order.view());
  return run(order.view());
}

} // namespace heddle::impl
