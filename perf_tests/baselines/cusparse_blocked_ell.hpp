// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// cuSPARSE's Blocked-ELL: every block row has as many square blocks as the fullest one, those that
// are not there have column -1; the values are one row-major matrix of rows x (blocks x size).

#include <baselines/cusparse_support.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace heddle::perf::cusparse
{

// What fill_blocked_ell does with one place of a block: a functor, see impl/scan.hpp.
template <class Blocks, class Columns, class Values>
struct FillBlockedEll
{
  Blocks blocks;
  std::int64_t width, size; // blocks of a block row; rows of a block
  Columns columns;
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const
  {
    std::int64_t const i = place / width, n = place % width;
    std::int64_t const block = static_cast<std::int64_t>(blocks.row_offsets()(i)) + n;
    bool const is_there = block < static_cast<std::int64_t>(blocks.row_offsets()(i + 1));
    columns(place) = is_there ? blocks.columns()(block) : -1;
    if (is_there)
      for (std::int64_t at = 0; at < size * size; ++at)
        values((i * size + at / size) * width * size + n * size + at % size) =
            blocks.values()(block * size * size + at);
  }
};

template <class Blocks, class Columns, class Values>
void fill_blocked_ell(Blocks const& blocks, std::int64_t width, Columns const& columns,
                      Values const& values)
{
  Kokkos::parallel_for("heddle::perf::fill_blocked_ell",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                           0, static_cast<std::int64_t>(blocks.num_block_rows()) * width),
                       FillBlockedEll<Blocks, Columns, Values>{blocks, width, blocks.shape().height,
                                                               columns, values});
}

template <class Value>
Sparse blocked_ell(Matrix32<Value> const& a, int size)
{
  auto const blocks = to_bsr(Exec{}, a, BlockShape{size, size}, generous);
  std::int64_t const block_rows = blocks.num_block_rows();
  std::int64_t const width = impl::row_statistics(Exec{}, blocks.row_offsets(),
                                                  blocks.num_block_rows(), blocks.num_blocks())
                                 .longest;
  std::int64_t const places = block_rows * width * size * size;
  double const fill = static_cast<double>(places) / static_cast<double>(a.nnz());
  if (fill > generous.factor)
    throw OutOfMemory(
        "Blocked-ELL would be " + std::to_string(fill) + " times as large as its entries", 0, 0);
  Kokkos::View<int*, Space> const columns("heddle::perf::columns", block_rows * width);
  Kokkos::View<Value*, Space> const values("heddle::perf::values", places);
  fill_blocked_ell(blocks, width, columns, values);
  std::int64_t const rows = block_rows * size,
                     cols = static_cast<std::int64_t>(blocks.num_block_cols()) * size;
  return sparse(
      std::pair(columns, values), rows, cols, "cusparseCreateConstBlockedEll", [&](auto* to) {
        return cusparseCreateConstBlockedEll(to, rows, cols, size, width * size, columns.data(),
                                             values.data(), CUSPARSE_INDEX_32I,
                                             CUSPARSE_INDEX_BASE_ZERO, data_type<Value>);
      });
}

} // namespace heddle::perf::cusparse
