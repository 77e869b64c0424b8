// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to BSR and back. Entries are ordered by block row and block column by two stable sorts; runs
// of equal blocks are numbered by a scan, and each entry is written to its place in its block.

#include <heddle/bsr_matrix.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What the functions below do with one entry or row: functors, see scan.hpp.
template <class Columns, class Rows, class Keys>
struct CoordinatesOfBlock
{
  BlockShape shape;
  Columns columns;
  Rows rows;
  Keys keys;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    using Ordinal = typename Keys::non_const_value_type;
    keys(k) = static_cast<Ordinal>(columns(k) / shape.width);
    rows(k) = static_cast<Ordinal>(rows(k) / shape.height);
  }
};
template <class Order, class Places, class Rows, class Keys, class BlockRows, class BlockColumns>
struct NameBlock
{
  Order order;
  Places places;
  Rows rows;
  Keys keys;
  BlockRows block_rows;
  BlockColumns block_columns;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    if (n > 0 && places(n - 1) == places(n))
      return;
    block_rows(places(n)) = rows(order(n));
    block_columns(places(n)) = keys(order(n));
  }
};
template <class Bsr, class Csr>
struct FillRowOfBsr
{
  Bsr to;
  Csr from;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const shape = to.shape();
    std::int64_t const r = i / shape.height, y = i % shape.height;
    for (auto k = from.row_offsets()(i); k < from.row_offsets()(i + 1); ++k)
    {
      auto const j = from.columns()(k);
      auto const end = to.row_offsets()(r + 1);
      auto const found = find_ascending(to.columns(), to.row_offsets()(r), end,
                                        static_cast<typename Bsr::ordinal_type>(j / shape.width));
      auto const block = static_cast<std::int64_t>(found);
      if (found < end) // else another pattern: nothing outside is touched
        to.values()((block * shape.height + y) * shape.width + j % shape.width) = from.values()(k);
    }
  }
};

// keys(k) = block column of entry k; rows(k), its row before, its block row. Asynchronous.
template <class Exec, class Columns, class Rows, class Keys>
void block_coordinates(Exec const& exec, BlockShape shape, Columns const& columns, Rows const& rows,
                       Keys const& keys)
{
  Kokkos::parallel_for("heddle::to_bsr::coordinates", range(exec, keys.extent(0)),
                       CoordinatesOfBlock<Columns, Rows, Keys>{shape, columns, rows, keys});
}

// The blocks of entries in this order, one after another. Asynchronous.
template <class Exec, class Order, class Places, class Rows, class Keys, class BlockRows,
          class BlockColumns>
void name_blocks(Exec const& exec, Order const& order, Places const& places, Rows const& rows,
                 Keys const& keys, BlockRows const& block_rows, BlockColumns const& block_columns)
{
  Kokkos::parallel_for("heddle::to_bsr::blocks", range(exec, order.extent(0)),
                       NameBlock<Order, Places, Rows, Keys, BlockRows, BlockColumns>{
                           order, places, rows, keys, block_rows, block_columns});
}

// Writes entries to their places; others stay. Blocks of a row ascend. Asynchronous.
template <class Exec, class Bsr, class Csr>
void fill_bsr(Exec const& exec, Bsr const& to, Csr const& from)
{
  Kokkos::parallel_for("heddle::to_bsr", range(exec, from.num_rows()),
                       FillRowOfBsr<Bsr, Csr>{to, from});
}

// Values of a block row that lie inside the matrix, by row of the matrix.
template <class Bsr>
struct StoredInRow
{
  Bsr a;

  // How many columns of block b are inside.
  KOKKOS_FUNCTION std::int64_t width_of(std::int64_t b) const
  {
    std::int64_t const width = a.shape().width;
    std::int64_t const left = a.num_cols() - static_cast<std::int64_t>(a.columns()(b)) * width;
    return left < width ? left : width;
  }
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t const r = i / a.shape().height;
    std::int64_t sum = 0;
    for (auto b = a.row_offsets()(r); b < a.row_offsets()(r + 1); ++b)
      sum += width_of(static_cast<std::int64_t>(b));
    return sum;
  }
};

// What read_bsr does with one row: a functor, see scan.hpp.
template <class Bsr, class Offsets, class Columns, class Values>
struct ReadRowOfBsr
{
  StoredInRow<Bsr> stored;
  Offsets offsets;
  Columns columns;
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    Bsr const& a = stored.a;
    auto const shape = a.shape();
    std::int64_t const r = i / shape.height, y = i % shape.height;
    auto k = offsets(i);
    for (auto b = a.row_offsets()(r); b < a.row_offsets()(r + 1); ++b)
    {
      auto const block = static_cast<std::int64_t>(b);
      auto const first = static_cast<std::int64_t>(a.columns()(b)) * shape.width;
      for (std::int64_t x = 0; x < stored.width_of(block); ++x, ++k)
      {
        columns(k) = static_cast<typename Bsr::ordinal_type>(first + x);
        values(k) = a.values()((block * shape.height + y) * shape.width + x);
      }
    }
  }
};

// Asynchronous.
template <class Exec, class Bsr, class Offsets, class Columns, class Values>
void read_bsr(Exec const& exec, Bsr const& a, Offsets const& offsets, Columns const& columns,
              Values const& values)
{
  Kokkos::parallel_for("heddle::to_csr::bsr", range(exec, a.num_rows()),
                       ReadRowOfBsr<Bsr, Offsets, Columns, Values>{{a}, offsets, columns, values});
}

} // namespace heddle::impl
