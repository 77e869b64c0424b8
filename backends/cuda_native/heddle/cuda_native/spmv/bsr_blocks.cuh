// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// BSR, two kernels. Blocks of 2 x 2, 3 x 3 and 4 x 4: a thread takes whole blocks, whose values,
// entries of x and sums stay in registers; 2 to 32 threads share a block row and add up by
// shuffles. Neighbouring threads have neighbouring blocks, so that the cache lines that a warp's
// loads touch are all used, if not by one load. Other blocks: a warp takes a block row, a lane one
// value of the block (several where a block has more than 32 values) in as many blocks at once as
// 32 lanes hold; the sums of a row meet in shared memory. Bytes: blocks once, a column number a
// block, x gathered in pieces of a block's width, y once. All sums in a fixed order.

#include <heddle/bsr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/block_row_views.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

template <class Value, class Ordinal, class Offset>
struct Blocks
{
  using value_type = Value;
  std::int64_t block_rows, rows, cols;
  int height, width;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;
};

// Blocks of size x size, threads_per_row of which share a block row.
template <class Policy, int size, int threads_per_row, bool is_conjugate, class Blocks,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_bsr_small_blocks_kernel(Blocks a, Scalar const* __restrict__ x, Results results)
{
  using Value = typename Blocks::value_type;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const r = thread / threads_per_row;
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  Scalar sum[size] = {};
  if (r < a.block_rows)
  {
    auto const last = static_cast<std::int64_t>(a.offsets[r + 1]);
    for (auto b = static_cast<std::int64_t>(a.offsets[r]) + lane; b < last; b += threads_per_row)
    {
      Value const* const values = a.values + b * (size * size);
      std::int64_t const column = static_cast<std::int64_t>(a.columns[b]) * size;
      int const inside = a.cols - column < size ? static_cast<int>(a.cols - column) : size;
      Value value[size][size];
      Scalar own_x[size];
#pragma unroll
      for (int i = 0; i < size; ++i)
#pragma unroll
        for (int j = 0; j < size; ++j)
          value[i][j] = values[i * size + j];
#pragma unroll
      for (int j = 0; j < size; ++j)
        own_x[j] = j < inside ? x[column + j] : Scalar{};
#pragma unroll
      for (int i = 0; i < size; ++i)
#pragma unroll
        for (int j = 0; j < size; ++j)
          if (j < inside)
            sum[i] += Scalar(impl::conjugated<is_conjugate>(value[i][j])) * own_x[j];
    }
  }
  typename Results::Sum of_rows{};
#pragma unroll
  for (int i = 0; i < size; ++i)
  {
    sum[i] = sum_of_lanes(sum[i], threads_per_row);
    if (std::int64_t const row = r * size + i; lane == i % threads_per_row && row < a.rows)
      results.store(row, sum[i], of_rows);
  }
  results.finish(of_rows);
}

// The block row r, by a warp. values_per_lane: of a block; 1 where a block has at most 32. sums:
// room for one value per lane and value of it.
template <class Policy, int values_per_lane, bool is_conjugate, class Blocks, class Scalar,
          class Results>
__device__ void multiply_block_row(Blocks const& a, std::int64_t r, Scalar const* __restrict__ x,
                                   Scalar* sums, Results const& results,
                                   typename Results::Sum& of_rows)
{
  constexpr int most_blocks = Policy::value.loads_in_flight / values_per_lane;
  constexpr int batch = most_blocks > 1 ? most_blocks : 1; // blocks that a lane loads from at once
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const size = a.height * a.width;
  int const at_once = size < warp_size ? warp_size / size : 1; // blocks
  int const own_block = values_per_lane == 1 ? lane / size : 0;
  int const own_slot = values_per_lane == 1 ? lane % size : lane;
  auto const first = static_cast<std::int64_t>(a.offsets[r]);
  int const blocks = static_cast<int>(static_cast<std::int64_t>(a.offsets[r + 1]) - first);
  int column_in_block[values_per_lane];
#pragma unroll
  for (int v = 0; v < values_per_lane; ++v)
    column_in_block[v] = (own_slot + v * warp_size) % a.width;

  auto const* columns = a.columns + first + own_block;
  auto const* values = a.values + (first + own_block) * size + own_slot;
  Scalar sum[values_per_lane] = {};
  for (int b = own_block < at_once ? own_block : blocks; b < blocks; b += batch * at_once)
  {
    std::int64_t column[batch];
    typename std::remove_cv_t<std::remove_reference_t<decltype(*a.values)>> value[batch]
                                                                                 [values_per_lane];
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (b + n * at_once < blocks)
      {
        column[n] = load_once(columns + n * at_once);
#pragma unroll
        for (int v = 0; v < values_per_lane; ++v)
          if (own_slot + v * warp_size < size)
            value[n][v] = load_once(values + n * at_once * size + v * warp_size);
      }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (b + n * at_once < blocks)
      {
#pragma unroll
        for (int v = 0; v < values_per_lane; ++v)
        {
          std::int64_t const j = column[n] * a.width + column_in_block[v];
          if (own_slot + v * warp_size < size && j < a.cols)
            sum[v] += Scalar(impl::conjugated<is_conjugate>(value[n][v])) * x[j];
        }
      }
    columns += batch * at_once;
    values += batch * at_once * size;
  }
#pragma unroll
  for (int v = 0; v < values_per_lane; ++v)
    sums[lane + v * warp_size] = sum[v];
  __syncwarp();
  for (int row = lane; row < a.height; row += warp_size)
  {
    std::int64_t const i = r * a.height + row;
    if (i >= a.rows)
      break;
    Scalar total{};
    for (int n = 0; n < at_once; ++n)
      for (int column = 0; column < a.width; ++column)
        total += sums[n * size + row * a.width + column];
    results.store(i, total, of_rows);
  }
}

template <class Policy, int values_per_lane, bool is_conjugate, class Blocks, class Scalar,
          class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_bsr_blocks_kernel(Blocks a, Scalar const* __restrict__ x, Results results)
{
  constexpr int warps = Policy::value.threads_per_block / warp_size;
  __shared__ Scalar sums_of_warps[warps][warp_size * values_per_lane];
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const r = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
  typename Results::Sum of_rows{};
  if (r < a.block_rows)
    multiply_block_row<Policy, values_per_lane, is_conjugate>(a, r, x, sums_of_warps[warp], results,
                                                              of_rows);
  results.finish(of_rows);
}

template <class Exec, class Matrix>
struct BsrBlocksKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::bsr_blocks";
  static constexpr bool fuses = true;
  struct Tuning
  {
    BlockShape shape = {};
    int threads_per_row = warp_size;

    static std::size_t bytes() { return 0; }
    std::string describe() const
    {
      return std::to_string(threads_per_row) + " threads a row of " + std::to_string(shape.height) +
             " x " + std::to_string(shape.width) + " blocks";
    }
  };
  using Policy = SpmvBsrBlocksPolicyFor;

  static constexpr bool is_supported = is_bsr_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const& a, impl::RowStatistics const&,
                               SpmvOptions const&)
  {
    return {a.block_size() <= Policy::most_values * warp_size,
            "a block has % values, % have room in a warp", a.block_size(),
            Policy::most_values * warp_size};
  }
  static Tuning tune(Exec const&, Matrix const& a, impl::RowStatistics const&)
  {
    BlockShape const shape = a.shape();
    if (!is_small(shape) || a.num_block_rows() == 0)
      return {shape};
    return {shape, Policy::threads_per_row(static_cast<double>(a.num_blocks()) /
                                           static_cast<double>(a.num_block_rows()))};
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using MatrixBlocks = Blocks<typename Matrix::value_type, typename Matrix::ordinal_type,
                                typename Matrix::offset_type>;
    MatrixBlocks const blocks{a.num_block_rows(), a.num_rows(),     a.num_cols(),
                              a.shape().height,   a.shape().width,  a.row_offsets().data(),
                              a.columns().data(), a.values().data()};
    constexpr char const* label = "heddle::spmv::bsr_blocks";
    if (is_small(a.shape()))
      with_one_of<2, 3, 4>(a.shape().height, [&]<class Size>(Size) {
        with_one_of<2, 8, 32>(tuning.threads_per_row, [&]<class Threads>(Threads) {
          Grid const grid =
              one_thread_each(blocks.block_rows * Threads::value, Policy::value.threads_per_block);
          with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
            launch(exec, label,
                   spmv_bsr_small_blocks_kernel<Policy, Size::value, Threads::value, is_conjugate,
                                                MatrixBlocks, Scalar, Results>,
                   grid, blocks, x, results);
          });
        });
      });
    else
      with_one_of<1, 2, 4, Policy::most_values>(
          values_per_lane(a.block_size()), [&]<class Values>(Values) {
            Grid const grid =
                one_thread_each(blocks.block_rows * warp_size, Policy::value.threads_per_block);
            with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
              launch(exec, label,
                     spmv_bsr_blocks_kernel<Policy, Values::value, is_conjugate, MatrixBlocks,
                                            Scalar, Results>,
                     grid, blocks, x, results);
            });
          });
  }

  // Of a block that a warp takes: a power of two.
  static int values_per_lane(std::size_t block_size)
  {
    int values = 1;
    while (static_cast<std::size_t>(values) * warp_size < block_size)
      values *= 2;
    return values;
  }
  static bool is_small(BlockShape const& shape)
  {
    return shape.height == shape.width && shape.height >= 2 && shape.height <= 4;
  }
};

} // namespace heddle::cuda_native
