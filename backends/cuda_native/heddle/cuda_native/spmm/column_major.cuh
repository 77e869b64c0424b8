// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with column-major B and C as they stand, in one launch: each column is an SpMV, a few
// of them side by side, so that an entry of A is read once for `width` columns. A warp takes
// neighbouring rows, some lanes a row, and the lanes of neighbouring rows are neighbours: C is
// written side by side, and B read so where neighbouring rows have neighbouring columns. What is
// left of rows that are long beside the others goes to all lanes of the warp; of the longest, which
// may stand side by side, a block each, in front of all others, if the plan has a list of them.
// Bytes: A once for each `width` columns, from the caches but for the first; B gathered, a sector
// an entry where rows are scattered; C once. Limit: the second cache's throughput by sectors, or
// latency where there is little work; there by_row.cuh's copies cost two launches more.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/column_major_policy.hpp>
#include <heddle/cuda_native/spmm/long_rows.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// alpha, beta, and B and C by columns.
template <class Scalar>
struct ColumnMajorOperands
{
  Scalar alpha;
  Scalar const* __restrict__ b;
  std::int64_t b_stride; // entries from a column to the next
  Scalar beta;
  Scalar* __restrict__ c;
  std::int64_t c_stride;
  std::int64_t columns; // of B and C
};

// `width` columns of B, of which `left` are there.
template <class Scalar, int width>
struct ColumnsOfB
{
  Scalar const* __restrict__ first;
  std::int64_t stride;
  std::int64_t left;

  __device__ void load(std::int64_t row, Scalar (&to)[width]) const
  {
#pragma unroll
    for (int q = 0; q < width; ++q)
      to[q] = q < left ? load_cached(first + row + q * stride) : Scalar(0);
  }
};

// sums += A's entries `entry`, entry + step, ... before entry + count, times B.
template <class Entries, class Scalar, int width>
__device__ void add_entries(Entries const& a, ColumnsOfB<Scalar, width> const& b,
                            std::int64_t entry, int count, int step, Scalar (&sums)[width])
{
  constexpr int in_flight = ColumnMajorPolicy::entries_in_flight<width * sizeof(Scalar)>;
  auto const turn = [&](auto is_whole) {
    auto const is_there = [&](int i) { return decltype(is_whole)::value || i * step < count; };
    auto const from = a.from(entry);
    int columns[in_flight];
    Scalar factors[in_flight], rows[in_flight][width];
#pragma unroll
    for (int i = 0; i < in_flight; ++i)
      columns[i] = is_there(i) ? from.column_of_group(i * step) : 0;
#pragma unroll
    for (int i = 0; i < in_flight; ++i)
      if (is_there(i))
        b.load(columns[i], rows[i]);
#pragma unroll
    for (int i = 0; i < in_flight; ++i)
      factors[i] = is_there(i) ? from.template value_of_group<Scalar>(i * step) : Scalar(0);
#pragma unroll
    for (int i = 0; i < in_flight; ++i)
      if (is_there(i))
      {
#pragma unroll
        for (int q = 0; q < width; ++q)
          sums[q] += factors[i] * rows[i][q];
      }
  };
  for (; count > (in_flight - 1) * step; count -= in_flight * step, entry += in_flight * step)
    turn(std::true_type{});
  if (count > 0)
    turn(std::false_type{});
}

// C(row, first ..) <- alpha sums + beta C(row, first ..), `count` columns as far as they are there.
template <int count, class Scalar>
__device__ void store_columns(ColumnMajorOperands<Scalar> const& operands, std::int64_t row,
                              std::int64_t first, Scalar const* sums)
{
#pragma unroll
  for (int q = 0; q < count; ++q)
  {
    if (first + q >= operands.columns)
      return;
    Scalar* const to = operands.c + row + (first + q) * operands.c_stride;
    Scalar value = operands.alpha * sums[q];
    if (operands.beta != Scalar(0))
      value += operands.beta * *to;
    *to = value;
  }
}

// A row of C by all threads of the block, `width` columns from `first` on.
template <int width, class Entries, class Scalar>
__device__ void multiply_row_by_block(Entries const& a, ColumnMajorOperands<Scalar> const& operands,
                                      ColumnsOfB<Scalar, width> const& b, std::int64_t row,
                                      std::int64_t first)
{
  constexpr int threads = ColumnMajorPolicy::threads_per_block, warps = threads / warp_size;
  __shared__ int4 words[width * warps * sizeof(Scalar) / sizeof(int4)];
  auto* const of_warps = reinterpret_cast<Scalar*>(words);
  auto const begin = static_cast<std::int64_t>(load_cached(a.offsets + row));
  auto const length = static_cast<int>(load_cached(a.offsets + row + 1) - begin);
  auto const thread = static_cast<int>(threadIdx.x);
  Scalar sums[width];
  set_zero(sums);
  add_entries(a, b, begin + thread, length - thread, threads, sums);
#pragma unroll
  for (int q = 0; q < width; ++q)
    sums[q] = sum_of_block<threads>(sums[q], of_warps + q * warps);
  if (thread == 0)
    store_columns<width>(operands, row, first, sums);
}

template <int width, class Entries, class Scalar>
__global__ void __launch_bounds__(ColumnMajorPolicy::threads_per_block)
    spmm_column_major_kernel(Entries a, ColumnMajorOperands<Scalar> operands,
                             LongRows<typename Entries::ordinal_type> long_rows, int lanes)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.y) * width;
  ColumnsOfB<Scalar, width> const b{operands.b + first * operands.b_stride, operands.b_stride,
                                    operands.columns - first};
  std::int64_t const block = static_cast<std::int64_t>(blockIdx.x) - long_rows.count;
  if (block < 0)
  {
    multiply_row_by_block(a, operands, b, load_cached(long_rows.rows + blockIdx.x), first);
    return;
  }
  int const lane = static_cast<int>(threadIdx.x) % warp_size, rows_of_warp = warp_size / lanes;
  std::int64_t const warp = (block * blockDim.x + threadIdx.x) / warp_size;
  std::int64_t const row = warp * rows_of_warp + (lane & (rows_of_warp - 1));
  bool is_live = row < a.rows;
  auto const begin = is_live ? static_cast<std::int64_t>(load_cached(a.offsets + row)) : 0;
  int length =
      is_live
          ? static_cast<int>(static_cast<std::int64_t>(load_cached(a.offsets + row + 1)) - begin)
          : 0;
  if (length >= long_rows.least)
  {
    is_live = false;
    length = 0;
  }
  int const own = min(length, ColumnMajorPolicy::entries_of_lane * lanes);
  int const in_row = lane / rows_of_warp;
  Scalar sums[width];
  set_zero(sums);
  add_entries(a, b, begin + in_row, own - in_row, lanes, sums);
  for (unsigned owners = __ballot_sync(all_lanes, own < length && in_row == 0); owners != 0;
       owners &= owners - 1)
  {
    int const owner = __ffs(static_cast<int>(owners)) - 1;
    std::int64_t const rest = value_of_lane(begin + own, owner);
    int const count = value_of_lane(length - own, owner);
    Scalar of_rest[width];
    set_zero(of_rest);
    add_entries(a, b, rest + lane, count - lane, warp_size, of_rest);
#pragma unroll
    for (int q = 0; q < width; ++q)
    {
      Scalar const sum = sum_of_lanes(of_rest[q], warp_size);
      if (lane == owner)
        sums[q] += sum;
    }
  }
  share_sums<width>(sums, rows_of_warp, 0, is_live, [&](auto count, int start) {
    store_columns<decltype(count)::value>(operands, row, first + start, sums);
  });
}

// C <- alpha A B + beta C. Asynchronous.
template <class Entries, class Scalar>
void multiply_column_major(Kokkos::Cuda const& exec, Entries const& a,
                           ColumnMajorOperands<Scalar> const& operands,
                           LongRows<typename Entries::ordinal_type> const& long_rows,
                           ColumnMajorShape const& shape)
{
  Grid grid = one_thread_each(a.rows * shape.lanes, ColumnMajorPolicy::threads_per_block);
  grid.blocks += long_rows.count;
  grid.blocks_y = static_cast<int>(impl::divided_up(operands.columns, std::int64_t(shape.width)));
  auto const launch_one = [&](auto kernel) {
    launch(exec, "heddle::spmm::column_major", kernel, grid, a, operands, long_rows, shape.lanes);
  };
  if (shape.width == ColumnMajorPolicy::wide)
    launch_one(spmm_column_major_kernel<ColumnMajorPolicy::wide, Entries, Scalar>);
  else
    launch_one(spmm_column_major_kernel<ColumnMajorPolicy::narrow, Entries, Scalar>);
}

} // namespace heddle::cuda_native
