// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merge-based CSR (Merrill and Garland 2016), for comparison: rows and entries are one list, in
// which a row ends behind its entries, and every thread takes as many items of it, wherever rows
// begin and end. What a thread leaves of an unfinished row is added to the next thread's first row
// by a scan over the block, what a block leaves by a second kernel, in a fixed order: two phases,
// no atomics, bitwise repeatable.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/papers/spmv_csr_merge_policy.hpp>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/cuts.cuh>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spmv_options.hpp>

#include <cub/block/block_scan.cuh>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// The partial sum of a row that a thread or a block carries out to the next.
template <class Scalar>
struct CarryOut
{
  int row;
  Scalar sum;
};

// Carry-outs of one row add up, a later row begins anew.
struct AddCarryOuts
{
  template <class Scalar>
  __device__ CarryOut<Scalar> operator()(CarryOut<Scalar> const& before,
                                         CarryOut<Scalar> const& after) const
  {
    return {after.row, before.row == after.row ? before.sum + after.sum : after.sum};
  }
};

// Where row i of a block ends in the list of the block's rows and entries.
struct EndOfRow
{
  int const* ends;
  KOKKOS_FUNCTION int operator()(int i) const { return ends[i] + i; }
};

// starts: the row at which each block begins, and at the end the number of rows. carry_outs[b]:
// what block b carries out for row starts[b + 1].
template <class Policy, bool is_conjugate, class Entries, class Ordinal, class Scalar>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_merge_kernel(Entries a, Ordinal const* __restrict__ starts, Scalar alpha,
                          Scalar const* __restrict__ x, Scalar beta, Scalar* __restrict__ y,
                          Scalar* __restrict__ carry_outs)
{
  constexpr int threads = Policy::value.threads_per_block;
  constexpr int items = Policy::value.items_per_thread;
  using Scan = cub::BlockScan<CarryOut<Scalar>, threads>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ int ends[threads * items + 1];
  extern __shared__ int4 shared[];
  auto* const products = reinterpret_cast<Scalar*>(shared);

  std::int64_t const item = static_cast<std::int64_t>(blockIdx.x) * threads * items;
  std::int64_t const all_items = a.rows + a.count;
  int const block_items =
      static_cast<int>(all_items - item < threads * items ? all_items - item : threads * items);
  auto const first_row = static_cast<std::int64_t>(starts[blockIdx.x]);
  int const rows = static_cast<int>(static_cast<std::int64_t>(starts[blockIdx.x + 1]) - first_row);
  std::int64_t const first = item - first_row;
  int const entries = block_items - rows;

  // The row that goes on behind the block ends nowhere in it.
  for (int n = static_cast<int>(threadIdx.x); n <= rows; n += threads)
    ends[n] =
        n < rows ? static_cast<int>(static_cast<std::int64_t>(a.offsets[first_row + n + 1]) - first)
                 : block_items + 1;
  auto const values = a.values_from(first);
  for (int n = static_cast<int>(threadIdx.x); n < entries; n += threads)
    products[n] =
        Scalar(impl::conjugated<is_conjugate>(values[n])) * x[load_once(a.columns + first + n)];
  __syncthreads();

  int const begin = min(static_cast<int>(threadIdx.x) * items, block_items);
  int const end = min(begin + items, block_items);
  int row = impl::lower_bound(EndOfRow{ends}, 0, rows, begin);
  int entry = begin - row;
  int first_ended = -1;
  Scalar first_sum{}, sum{};
#pragma unroll
  for (int n = 0; n < items; ++n)
    if (begin + n < end)
    {
      if (entry < ends[row])
        sum += products[entry++];
      else
      {
        if (first_ended < 0)
        {
          first_ended = row;
          first_sum = sum;
        }
        else
          impl::store(y[first_row + row], alpha, sum, beta);
        sum = Scalar{};
        ++row;
      }
    }
  CarryOut<Scalar> before{-1, Scalar{}}, of_block{};
  Scan(storage).ExclusiveScan(CarryOut<Scalar>{row, sum}, before, CarryOut<Scalar>{-1, Scalar{}},
                              AddCarryOuts{}, of_block);
  if (first_ended >= 0)
    impl::store(y[first_row + first_ended], alpha,
                before.row == first_ended ? before.sum + first_sum : first_sum, beta);
  if (threadIdx.x == 0)
    carry_outs[blockIdx.x] = of_block.row == rows ? of_block.sum : Scalar{};
}

// Adds to each row the carry-outs of blocks; a warp per row of which a block is the first to carry
// out a sum.
template <class Policy, class Ordinal, class Scalar>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_merge_carry_out_kernel(std::int64_t blocks, std::int64_t rows,
                                    Ordinal const* __restrict__ starts,
                                    Scalar const* __restrict__ carry_outs, Scalar alpha,
                                    Scalar* __restrict__ y)
{
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const b = thread / warp_size;
  if (b >= blocks)
    return;
  auto const row = static_cast<std::int64_t>(starts[b + 1]);
  if (row >= rows || (b > 0 && starts[b] == starts[b + 1]))
    return;
  Scalar sum{};
  bool is_left = true;
  for (std::int64_t n = b + thread % warp_size; is_left; n += warp_size)
  {
    is_left = n < blocks && static_cast<std::int64_t>(starts[n + 1]) == row;
    if (is_left)
      sum += carry_outs[n];
  }
  sum = sum_of_lanes(sum, warp_size);
  if (thread % warp_size == 0)
    y[row] += alpha * sum;
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix>
struct CsrMergeKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::csr_merge";
  static constexpr bool fuses = false; // a row may end in several blocks
  using Ordinal = typename Matrix::ordinal_type;
  using Policy = SpmvCsrMergePolicyFor;
  struct Tuning
  {
    Kokkos::View<Ordinal*, typename Matrix::memory_space> starts = {};

    std::size_t bytes() const { return starts.span() * sizeof(Ordinal); }
    std::string describe() const
    {
      std::size_t const blocks = starts.extent(0) == 0 ? 0 : starts.extent(0) - 1;
      return std::to_string(blocks) + " blocks of " + std::to_string(Policy::items_per_block) +
             " rows and entries";
    }
  };

  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmvOptions const& options)
  {
    return impl::only_by_name(!options.implementation.empty());
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
  {
    constexpr int length = Policy::items_per_block;
    std::int64_t const items = rows.rows + rows.nonzeros;
    Tuning tuning;
    if (items == 0)
      return tuning;
    auto const blocks = static_cast<std::size_t>(impl::divided_up(items, length));
    tuning.starts =
        impl::uninitialized<decltype(tuning.starts)>(exec, "heddle::csr_merge::starts", blocks + 1);
    cut_rows(exec, MergePathPosition<typename Matrix::row_offsets_view>{a.row_offsets(), 1},
             rows.rows, length, tuning.starts);
    return tuning;
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    auto const a = stored_entries(matrix);
    using Entries =
        StoredEntries<typename Matrix::value_type, Ordinal, typename Matrix::offset_type>;
    if (a.rows == 0)
      return;
    std::size_t const blocks = tuning.starts.extent(0) - 1;
    impl::Scratch<Scalar, Exec> const carry_outs(exec, blocks);
    Grid grid{static_cast<std::int64_t>(blocks), Policy::value.threads_per_block};
    grid.shared_bytes = Policy::items_per_block * sizeof(Scalar);
    launch(exec, "heddle::spmv::csr_merge",
           spmv_csr_merge_kernel<Policy, is_conjugate, Entries, Ordinal, Scalar>, grid, a,
           tuning.starts.data(), alpha, x, beta, y.data, carry_outs.data());
    launch(exec, "heddle::spmv::csr_merge::carry_out",
           spmv_csr_merge_carry_out_kernel<Policy, Ordinal, Scalar>,
           one_thread_each(static_cast<std::int64_t>(blocks) * warp_size,
                           Policy::value.threads_per_block),
           static_cast<std::int64_t>(blocks), a.rows, tuning.starts.data(), carry_outs.data(),
           alpha, y.data);
  }
};

} // namespace heddle::cuda_native
