// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The second step of rows that csr_rows cuts into segments (spmm/csr_rows.cuh): row i of C is the
// sum of its segments' sums. A row may have hundreds of segments, whose sums one thread per column
// would read one after the other: the latency of memory, a hundred times. So several threads have
// every slices-th segment each, and their sums are added by halves, always in the same order.
// The kernel starts while csr_rows' runs, and waits for it on the device. Bytes: the sums once.
// Limit: a launch of its own.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// tasks: RowTasks (spmm/row_list.cuh). Of a block: `width` columns side by side, for each of them
// `slices` threads, and as many rows and tiles of columns as there is room for.
template <class Operands, class Tasks>
__global__ void __launch_bounds__(SpmmSegmentSumsPolicy::most_threads)
    spmm_csr_segments_kernel(Operands operands, Tasks tasks, typename Operands::scalar const* parts,
                             SegmentSumsShape shape)
{
  using Scalar = typename Operands::scalar;
  extern __shared__ __align__(16) unsigned char shared_sums[];
  Scalar* const sums = reinterpret_cast<Scalar*>(shared_sums);
  int const thread = static_cast<int>(threadIdx.x), team = shape.width * shape.slices;
  int const slice = thread / shape.width % shape.slices;
  std::int64_t const tiles = impl::divided_up(operands.columns, std::int64_t(shape.width));
  std::int64_t const task =
      static_cast<std::int64_t>(blockIdx.x) * (static_cast<int>(blockDim.x) / team) + thread / team;
  std::int64_t const row = task / tiles;
  std::int64_t const column = task % tiles * shape.width + thread % shape.width;
  bool const is_live = row < tasks.long_rows && column < operands.columns;
  Scalar sum(0);
  let_next_start();
  wait_for_previous(); // all threads, so that this kernel ends behind that one
  if (is_live)
  {
    std::int64_t const end = tasks.first_segment[row + 1];
#pragma unroll 4
    for (std::int64_t n = tasks.first_segment[row] + slice; n < end; n += shape.slices)
      sum += parts[n * operands.columns + column];
  }
  for (int half = shape.slices / 2; half > 0; half /= 2)
  {
    sums[thread] = sum;
    __syncthreads();
    if (slice < half)
      sum += sums[thread + half * shape.width];
    __syncthreads();
  }
  if (is_live && slice == 0)
    operands.template store<1>(tasks.list[row], column, &sum);
}

// The long rows of C <- the sums of their segments. Asynchronous.
template <class Operands, class Tasks>
void add_up_segments(Kokkos::Cuda const& exec, Operands const& operands, Tasks const& tasks,
                     typename Operands::scalar const* parts)
{
  SegmentSumsShape const shape =
      SpmmSegmentSumsPolicy::shape(operands.columns, tasks.segments, tasks.long_rows);
  int const team = shape.width * shape.slices;
  Grid grid{};
  grid.threads_per_block = SpmmSegmentSumsPolicy::threads(shape);
  grid.blocks =
      blocks_for(tasks.long_rows * impl::divided_up(operands.columns, std::int64_t(shape.width)),
                 grid.threads_per_block / team);
  if (shape.slices > 1)
    grid.shared_bytes =
        static_cast<std::size_t>(grid.threads_per_block) * sizeof(typename Operands::scalar);
  grid.starts_early = true;
  launch(exec, "heddle::spmm::csr_rows::segments", spmm_csr_segments_kernel<Operands, Tasks>, grid,
         operands, tasks, parts, shape);
}

} // namespace heddle::cuda_native
