// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of C by expand, sort, compress in memory, on any backend: all products of a batch of rows
// are written out, sorted by row and column, and neighbours added up (CUSP: Bell, Dalton, Olson
// 2012, SIAM J. Sci. Comput. 34(4); paper 003, II.B). The sort is stable, so sums are in the order
// of A's entries.

#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/batches.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Products of the rows in a list.
template <class Products, class List>
struct ListedProducts
{
  Products products;
  List list;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const { return products(list(n)); }
};

// Products of a batch: row by the number in the batch, column, and value unless that is not wanted.
template <class Ordinal, class Sum>
struct ExpandedProducts
{
  Ordinal* rows;
  Ordinal* columns;
  Sum* values;
};

template <class Exec, class A, class B, class List, class Starts, class Sum>
struct ExpandRows
{
  using Ordinal = typename A::ordinal_type;
  A a;
  B b;
  List list;
  Starts starts;
  std::int64_t first, last; // of the list
  std::int64_t rows_per_team;
  ExpandedProducts<Ordinal, Sum> to;
  MismatchReport report;

  using Member = typename RowTeams<Exec>::Member;
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    std::int64_t const from = first + team.league_rank() * rows_per_team;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows_per_team), [&](std::int64_t n) {
      if (from + n < last)
        expand(team, from + n);
    });
  }
  KOKKOS_FUNCTION void expand(Member const& team, std::int64_t n) const
  {
    auto const i = list(n);
    std::int64_t at = starts(n) - starts(first);
    std::int64_t const end = starts(n + 1) - starts(first);
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      auto const begin = b.row_offsets()(a.columns()(k));
      auto const length = static_cast<std::int64_t>(b.row_offsets()(a.columns()(k) + 1) - begin);
      if (length > end - at)
        return fill(team, n - first, at, end);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length), [&](std::int64_t m) {
        to.rows[at + m] = static_cast<Ordinal>(n - first);
        to.columns[at + m] = b.columns()(begin + m);
        if (to.values != nullptr)
          to.values[at + m] = Sum(a.values()(k)) * Sum(b.values()(begin + m));
      });
      at += length;
    }
    if (at < end)
      fill(team, n - first, at, end);
  }
  // The row has not as many products as the plan found: what is left of its room becomes products
  // of column 0, which can be sorted.
  KOKKOS_FUNCTION void fill(Member const& team, std::int64_t row, std::int64_t at,
                            std::int64_t end) const
  {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, end - at), [&](std::int64_t m) {
      to.rows[at + m] = static_cast<Ordinal>(row);
      to.columns[at + m] = 0;
      if (to.values != nullptr)
        to.values[at + m] = Sum{};
    });
    report();
  }
};

// How many different columns each row of a batch has.
template <class List, class Starts, class Slots, class Counts>
struct CountDistinct
{
  List list;
  Starts starts;
  std::int64_t first;
  Slots slots;
  Counts counts;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const begin = starts(first + n) - starts(first);
    std::int64_t const end = starts(first + n + 1) - starts(first);
    counts(list(first + n)) = begin == end ? 0 : slots(end - 1) - slots(begin) + 1;
  }
};

// The first of the products with one column writes it, and their sum.
template <class List, class Starts, class Order, class Ordinal, class Sum, class Offsets>
struct CompressProducts
{
  List list;
  Starts starts;
  std::int64_t first, products; // of the batch
  Order order, slots;
  ExpandedProducts<Ordinal, Sum> of;
  Offsets offsets;
  Ordinal* columns; // null: not wanted
  Sum* values;      // null: not wanted
  MismatchReport report;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const
  {
    if (p > 0 && slots(p) == slots(p - 1))
      return;
    std::int64_t const n = first + static_cast<std::int64_t>(of.rows[order(p)]);
    auto const to = static_cast<std::int64_t>(offsets(list(n))) +
                    static_cast<std::int64_t>(slots(p) - slots(starts(n) - starts(first)));
    if (to >= static_cast<std::int64_t>(offsets(list(n) + 1)))
    {
      report(); // more columns than the plan found
      return;
    }
    if (columns != nullptr)
      columns[to] = of.columns[order(p)];
    if (values == nullptr)
      return;
    Sum sum = of.values[order(p)];
    for (std::int64_t next = p + 1; next < products && slots(next) == slots(p); ++next)
      sum += of.values[order(next)];
    values[to] = sum;
  }
};

// The rows of a list. All calls but the constructor are asynchronous.
template <class Exec, class A, class B>
class ExpandSortCompress
{
public:
  using Ordinal = typename A::ordinal_type;
  using Sum = typename SpgemmResult<A, B>::value_type;
  using List = Kokkos::View<Ordinal const*, typename Exec::memory_space>;

  ExpandSortCompress() = default;
  // products(i): of row i. In memory they take no more than max_bytes at a time (OutOfMemory where
  // a row does). Waits for exec.
  template <class Products>
  ExpandSortCompress(Exec const& exec, B const& b, Products const& products, List const& list,
                     std::size_t max_bytes)
      : m_list(list)
      , m_lanes(lanes_for<Exec>(static_cast<double>(b.nnz()) /
                                std::max(1.0, static_cast<double>(b.num_rows()))))
  {
    if (list.extent(0) == 0)
      return;
    std::size_t const count = list.extent(0) + 1;
    m_starts = uninitialized<Starts>(exec, "heddle::spgemm::products", count);
    offsets_from_counts(exec, static_cast<std::int64_t>(list.extent(0)),
                        ListedProducts<Products, List>{products, list}, m_starts);
    m_batches = cut_batches(copied_to_host(exec, m_starts),
                            {bytes_per_product, std::min(max_bytes, most_bytes), usual_bytes},
                            "products in memory", [&](std::int64_t n) {
                              Ordinal row = 0;
                              copy_to_host(exec, Kokkos::subview(list, std::pair(n, n + 1)), &row);
                              return row;
                            });
  }

  std::size_t bytes() const { return m_starts.span() * sizeof(std::int64_t) + m_batches.bytes(); }

  // counts(i) = entries of each listed row i of C.
  template <class Counts>
  void count(Exec const& exec, A const& a, B const& b, Counts const& counts) const
  {
    for_each_batch<false>(exec, a, b, {}, [&](Batch const& batch) {
      Kokkos::parallel_for("heddle::spgemm::esc::count", range(exec, batch.last - batch.first),
                           CountDistinct<List, Starts, Numbers, Counts>{
                               m_list, m_starts, batch.first, batch.slots, counts});
    });
  }
  template <class Offsets>
  void write_columns(Exec const& exec, A const& a, B const& b, Offsets const& offsets,
                     Ordinal* columns) const
  {
    for_each_batch<false>(exec, a, b, {}, [&](Batch const& batch) {
      compress(exec, batch, offsets, columns, nullptr, {});
    });
  }
  template <class Offsets>
  void sum(Exec const& exec, A const& a, B const& b, Offsets const& offsets, Sum* values,
           MismatchReport const& report) const
  {
    for_each_batch<true>(exec, a, b, report, [&](Batch const& batch) {
      compress(exec, batch, offsets, nullptr, values, report);
    });
  }

private:
  using Starts = Kokkos::View<std::int64_t*, typename Exec::memory_space>;
  using Numbers = typename Scratch<Ordinal, Exec>::view_type;

  struct Batch
  {
    std::int64_t first, last, products;
    ExpandedProducts<Ordinal, Sum> expanded;
    Numbers order, slots;
  };

  // Row, column, order and slot of a product, its value, and what sorting takes beside.
  static constexpr std::size_t bytes_per_product = 8 * sizeof(Ordinal) + sizeof(Sum);
  // Products are numbered by Ordinal.
  static constexpr std::size_t most_bytes = (std::size_t(1) << 30) * bytes_per_product;
  static constexpr std::size_t usual_bytes = std::size_t(1) << 30;

  // use(batch) for each batch with products in order.
  template <bool has_values, class Use>
  void for_each_batch(Exec const& exec, A const& a, B const& b, MismatchReport const& report,
                      Use const& use) const
  {
    auto const most = static_cast<std::size_t>(m_batches.largest());
    Scratch<Ordinal, Exec> const rows(exec, most), columns(exec, most), order(exec, most),
        slots(exec, most);
    Scratch<Sum, Exec> const values(exec, has_values ? most : 0);
    for (std::size_t n = 0; n < m_batches.count(); ++n)
    {
      std::int64_t const first = m_batches.cuts[n], last = m_batches.cuts[n + 1];
      auto const products = static_cast<std::size_t>(m_batches.sizes[n]);
      Batch const batch{first,
                        last,
                        m_batches.sizes[n],
                        {rows.data(), columns.data(), values.data()},
                        Numbers(order.data(), products),
                        Numbers(slots.data(), products)};
      RowTeams<Exec> const teams{last - first, m_lanes};
      Kokkos::parallel_for("heddle::spgemm::esc::expand", teams.policy(exec),
                           ExpandRows<Exec, A, B, List, Starts, Sum>{a, b, m_list, m_starts, first,
                                                                     last, teams.rows_per_team(),
                                                                     batch.expanded, report});
      Numbers const batch_rows(rows.data(), products), batch_columns(columns.data(), products);
      order_by_row_and_column(exec, batch_rows, last - first, batch_columns,
                              static_cast<std::int64_t>(b.num_cols()), batch.order);
      number_places(exec, batch_rows, batch_columns, batch.order, batch.slots);
      use(batch);
    }
  }
  template <class Offsets>
  void compress(Exec const& exec, Batch const& batch, Offsets const& offsets, Ordinal* columns,
                Sum* values, MismatchReport const& report) const
  {
    Kokkos::parallel_for("heddle::spgemm::esc::compress", range(exec, batch.products),
                         CompressProducts<List, Starts, Numbers, Ordinal, Sum, Offsets>{
                             m_list, m_starts, batch.first, batch.products, batch.order,
                             batch.slots, batch.expanded, offsets, columns, values, report});
  }

  List m_list;
  Starts m_starts; // of each row's products
  Batches m_batches;
  int m_lanes = 1;
};

} // namespace heddle::impl
