// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A B on the host, one thread, for every format: the plain loops over a format's own arrays
// that everyone would write first, as paper 002 has them for COO, CSR, BSR and ELL. Formats that
// know their rows sum a row of A at a time, the others add each entry where it belongs.
// Column-major operands, and single vectors, take the columns of B one after another.

#include <heddle/bsr_matrix.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::perf::serial
{

// row(i, n, stride, columns, values): row i has n entries, stride places apart.
template <Csr Matrix, class Row>
void for_each_row(Matrix const& a, Row const& row)
{
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
  {
    auto const first = a.row_offsets()(i);
    row(i, static_cast<std::int64_t>(a.row_offsets()(i + 1) - first), 1, a.columns().data() + first,
        a.values().data() + first);
  }
}
template <Dcsr Matrix, class Row>
void for_each_row(Matrix const& a, Row const& row)
{
  for (std::size_t n = 0; n < a.rows().extent(0); ++n)
  {
    auto const first = a.row_offsets()(n);
    row(a.rows()(n), static_cast<std::int64_t>(a.row_offsets()(n + 1) - first), 1,
        a.columns().data() + first, a.values().data() + first);
  }
}
template <Ell Matrix, class Row>
void for_each_row(Matrix const& a, Row const& row)
{
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    row(i, a.row_lengths()(i), static_cast<std::int64_t>(a.stride()), a.columns().data() + i,
        a.values().data() + i);
}
template <Sell Matrix, class Row>
void for_each_row(Matrix const& a, Row const& row)
{
  std::int64_t const height = a.shape().height;
  bool const is_sorted = a.rows().extent(0) > 0;
  for (std::int64_t p = 0; p < a.num_rows(); ++p)
  {
    std::int64_t const first =
        static_cast<std::int64_t>(a.slice_offsets()(p / height)) + p % height;
    row(is_sorted ? a.rows()(p) : p, a.row_lengths()(p), height, a.columns().data() + first,
        a.values().data() + first);
  }
}

template <class Matrix>
concept KnowsRows = Csr<Matrix> || Dcsr<Matrix> || Ell<Matrix> || Sell<Matrix>;

// entry(i, j, value), zeros that fill blocks included, in the order in which they lie.
template <Coo Matrix, class Entry>
void for_each_entry(Matrix const& a, Entry const& entry)
{
  for (std::size_t n = 0; n < a.nnz(); ++n)
    entry(a.rows()(n), a.columns()(n), a.values()(n));
}
template <Csc Matrix, class Entry>
void for_each_entry(Matrix const& a, Entry const& entry)
{
  for (std::int64_t j = 0; j < a.num_cols(); ++j)
    for (auto n = a.column_offsets()(j); n < a.column_offsets()(j + 1); ++n)
      entry(a.rows()(n), j, a.values()(n));
}
template <Bsr Matrix, class Entry>
void for_each_entry(Matrix const& a, Entry const& entry)
{
  std::int64_t const height = a.shape().height, width = a.shape().width;
  for (std::int64_t r = 0; r < a.num_block_rows(); ++r)
    for (auto block = a.row_offsets()(r); block < a.row_offsets()(r + 1); ++block)
    {
      std::int64_t const i = r * height, j = a.columns()(block) * width;
      auto const* const values =
          a.values().data() + static_cast<std::int64_t>(block) * height * width;
      // Blocks may hang over the edge.
      for (std::int64_t y = 0; y < std::min<std::int64_t>(height, a.num_rows() - i); ++y)
        for (std::int64_t x = 0; x < std::min<std::int64_t>(width, a.num_cols() - j); ++x)
          entry(i + y, j + x, values[y * width + x]);
    }
}

template <RowSegmented Matrix, class Entry>
void for_each_entry(Matrix const& a, Entry const& entry)
{
  auto const& segments = a.segments();
  for (std::int64_t p = 0; p < a.num_panels(); ++p)
    for (auto s = segments.panels(p); s < segments.panels(p + 1); ++s)
      for (auto k = segments.offsets(s); k < segments.offsets(s + 1); ++k)
        entry(segments.rows(s), p * a.shape().panel_width + a.columns()(k), a.values()(k));
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (auto n = a.light_row_offsets()(i); n < a.light_row_offsets()(i + 1); ++n)
      entry(i, a.columns()(a.heavy_nnz() + n), a.values()(a.heavy_nnz() + n));
}

// Adds A b to c for one column.
template <class Matrix, class Value>
void add_column(Matrix const& a, Value const* b, Value* c)
{
  if constexpr (KnowsRows<Matrix>)
    for_each_row(a, [=](std::int64_t i, std::int64_t n, std::int64_t stride, auto const* columns,
                        auto const* values) {
      Value sum = c[i];
      for (std::int64_t e = 0; e < n; ++e)
        sum += values[e * stride] * b[columns[e * stride]];
      c[i] = sum;
    });
  else if constexpr (Hyb<Matrix>)
  {
    add_column(a.ell(), b, c);
    add_column(a.rest(), b, c);
  }
  else
    for_each_entry(a, [=](std::int64_t i, std::int64_t j, Value value) { c[i] += value * b[j]; });
}

// Adds A B to C, both row-major with k columns.
template <class Matrix, class Value>
void add_rows(Matrix const& a, std::int64_t k, Value const* b, Value* c)
{
  auto const add = [=](std::int64_t i, std::int64_t j, Value value) {
    Value const* const from = b + j * k;
    Value* const to = c + i * k;
    for (std::int64_t n = 0; n < k; ++n)
      to[n] += value * from[n];
  };
  if constexpr (KnowsRows<Matrix>)
    for_each_row(a, [=](std::int64_t i, std::int64_t n, std::int64_t stride, auto const* columns,
                        auto const* values) {
      for (std::int64_t e = 0; e < n; ++e)
        add(i, columns[e * stride], values[e * stride]);
    });
  else if constexpr (Hyb<Matrix>)
  {
    add_rows(a.ell(), k, b, c);
    add_rows(a.rest(), k, b, c);
  }
  else
    for_each_entry(a, add);
}

// C = A B; b and c are contiguous host Views of one layout.
template <class Matrix, class Value, class Layout>
void multiply(Matrix const& a, Kokkos::View<Value**, Layout, Kokkos::HostSpace> const& b,
              Kokkos::View<Value**, Layout, Kokkos::HostSpace> const& c)
{
  auto const k = static_cast<std::int64_t>(b.extent(1));
  std::fill(c.data(), c.data() + c.size(), Value(0));
  if (std::is_same_v<Layout, Kokkos::LayoutRight> && k > 1)
    add_rows(a, k, b.data(), c.data());
  else
    for (std::int64_t n = 0; n < k; ++n)
      add_column(a, b.data() + n * a.num_cols(), c.data() + n * a.num_rows());
}

} // namespace heddle::perf::serial
