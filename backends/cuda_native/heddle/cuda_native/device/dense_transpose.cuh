// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Dense matrices from one order to the other, through shared memory, so that both sides are read
// and written side by side.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

struct TransposePolicy
{
  static constexpr int tile = warp_size, threads_y = 8, blocks_per_processor = 8;
};

// A dense matrix of any strides. Columns from `columns` on read as zeros.
template <class Scalar>
struct StridedMatrix
{
  Scalar* data;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;

  __device__ Scalar& operator()(std::int64_t i, std::int64_t j) const
  {
    return data[i * row_stride + j * column_stride];
  }
};

// to <- from + beta to over to's rows and columns. Neighbours are in a column of one and in a row
// of the other; is_to_rows tells that it is a row of `to`.
template <bool is_to_rows, class Scalar>
__global__ void __launch_bounds__(TransposePolicy::tile* TransposePolicy::threads_y)
    transpose_kernel(StridedMatrix<Scalar const> from, Scalar beta, StridedMatrix<Scalar> to)
{
  constexpr int tile = TransposePolicy::tile, step = TransposePolicy::threads_y;
  __shared__ __align__(16) unsigned char memory[tile * (tile + 1) * sizeof(Scalar)];
  Scalar* const shared = reinterpret_cast<Scalar*>(memory);
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x) * tile;
  std::int64_t const first_column = static_cast<std::int64_t>(blockIdx.y) * tile;
  wait_for_previous();
#pragma unroll
  for (int n = 0; n < tile; n += step)
  {
    std::int64_t const i = first_row + (is_to_rows ? x : y + n);
    std::int64_t const j = first_column + (is_to_rows ? y + n : x);
    bool const is_there = i < from.rows && j < from.columns;
    shared[(y + n) * (tile + 1) + x] = is_there ? from(i, j) : Scalar(0);
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < tile; n += step)
  {
    std::int64_t const i = first_row + (is_to_rows ? y + n : x);
    std::int64_t const j = first_column + (is_to_rows ? x : y + n);
    if (i >= to.rows || j >= to.columns)
      continue;
    Scalar value = shared[x * (tile + 1) + y + n];
    if (beta != Scalar(0))
      value += beta * to(i, j);
    to(i, j) = value;
  }
}

// starts_early: `from` is what the kernel before on the stream writes. Asynchronous.
template <bool is_to_rows, class Scalar>
void transpose(Kokkos::Cuda const& exec, StridedMatrix<Scalar const> const& from, Scalar beta,
               StridedMatrix<Scalar> const& to, bool starts_early = false)
{
  Grid grid{};
  grid.starts_early = starts_early;
  grid.blocks = blocks_for(to.rows, TransposePolicy::tile);
  grid.blocks_y = static_cast<int>(blocks_for(to.columns, TransposePolicy::tile));
  grid.threads_per_block = TransposePolicy::tile;
  grid.threads_y = TransposePolicy::threads_y;
  grid.blocks_per_processor = TransposePolicy::blocks_per_processor;
  launch(exec, "heddle::spmm::transpose", transpose_kernel<is_to_rows, Scalar>, grid, from, beta,
         to);
}

} // namespace heddle::cuda_native
