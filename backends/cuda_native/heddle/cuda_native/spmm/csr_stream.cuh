// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with short rows, all alike: a group of lanes takes several neighbouring rows, whose
// entries stand one after the other, and streams through them batch by batch, whatever row they
// belong to. The next batch is on its way while a batch is worked on, and the way from the row
// offsets over the columns to B is gone once for all rows of the group instead of once per row:
// with five entries a row that is most of the time. Bytes: A once per tile, B gathered, C once.
// Limit: the memory's throughput.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

template <class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block, SpmmPolicy::stream_blocks)
    spmm_csr_stream_kernel(Entries a, Operands operands, int rows_per_group)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  constexpr int batches = 2, slots = SpmmPolicy::threads_per_block * batches;
  __shared__ __align__(16) int shared_columns[slots];
  __shared__ __align__(16) unsigned char shared_values[slots * sizeof(Scalar)];
  extern __shared__ __align__(16) int shared_ends[]; // of the rows, from the group's first entry
  int const lanes = operands.lanes;
  int const lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const groups = SpmmPolicy::threads_per_block / lanes;

  std::int64_t const first_row =
      (static_cast<std::int64_t>(blockIdx.x) * groups + group) * rows_per_group;
  auto const left = a.rows - first_row;
  int const rows = static_cast<int>(left < 0 ? 0 : left < rows_per_group ? left : rows_per_group);
  std::int64_t const first_entry =
      static_cast<std::int64_t>(a.offsets[rows > 0 ? first_row : a.rows]);
  int* const ends = shared_ends + group * (rows_per_group + 1);
  for (int i = lane; i <= rows_per_group; i += lanes)
    ends[i] = static_cast<int>(
        static_cast<std::int64_t>(a.offsets[rows > 0 ? first_row + min(i, rows) : a.rows]) -
        first_entry);
  __syncwarp();
  int const length = ends[rows_per_group];
  int* const columns = shared_columns + group * lanes * batches;
  Scalar* const values = reinterpret_cast<Scalar*>(shared_values) + group * lanes * batches;

  auto const at = operands.lane_columns();
  Scalar sums[Shape::per_lane];
  set_zero(sums);
  int row = 0, end = ends[1], done = 0;
  // The rows that end at `done`, empty ones among them.
  auto finish_rows = [&] {
    while (row < rows && end == done)
    {
      operands.store_row(first_row + row, at, sums);
      set_zero(sums);
      ++row;
      end = row < rows ? ends[row + 1] : -1;
    }
  };
  int fetched = 0;
  int column[batches];
  Scalar value[batches];
  auto const from = a.from(first_entry + lane);
  auto fetch = [&] {
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      int const e = fetched + n * lanes;
      bool const is_there = lane + e < length;
      column[n] = is_there ? from.column(e) : 0;
      value[n] = is_there ? from.template value<Scalar>(e) : Scalar(0);
    }
  };
  fetch();
  finish_rows();
  while (__any_sync(0xffffffffU, fetched < length))
  {
    __syncwarp();
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      columns[lane + n * lanes] = column[n];
      values[lane + n * lanes] = value[n];
    }
    __syncwarp();
    int const begin = fetched, there = min(begin + lanes * batches, length);
    fetched += lanes * batches;
    fetch();
    while (done < there)
    {
      int const slot = done - begin, count = min(there, end) - done;
      int row_of_b[entries_in_flight];
      Scalar factors[entries_in_flight];
      typename Operands::packet b[entries_in_flight][Shape::packets];
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
      {
        row_of_b[i] = i < count ? columns[slot + i] : 0;
        factors[i] = i < count ? values[slot + i] : Scalar(0);
      }
      load_rows_of_b<false>(operands, at, row_of_b, count, b);
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        add_row(sums, factors[i], b[i]);
      done += min(count, entries_in_flight);
      finish_rows();
    }
  }
}

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrStream
{
  static constexpr char const* name = "cuda_native::csr_stream";
  template <class, class, class>
  struct Tuning
  {
    double mean = 0; // entries of a row

    static std::size_t bytes() { return 0; }
    static std::string describe() { return "a group of lanes streams through several rows"; }
  };

  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const&, Entries const&, Statistics const& statistics)
  {
    constexpr std::size_t value_bytes = sizeof(typename Entries::value_type);
    if (!SpmmCsrPolicyFor::is_regular(statistics))
      return {false, "the longest row has % entries where the mean is %: rows are too different",
              statistics.longest, statistics.mean()};
    return {SpmmCsrPolicyFor::is_streamed(statistics, value_bytes),
            "rows have % entries in the mean, % are a short row", statistics.mean(),
            SpmmCsrPolicyFor::longest_streamed_mean(value_bytes)};
  }
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const&, Entries const&, Statistics const& statistics)
  {
    return Tuning<typename Entries::ordinal_type, typename Entries::offset_type,
                  typename Exec::memory_space>{statistics.mean()};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return SpmmCsrPolicyFor::tile_bytes(statistics.overlap(exec, a));
  }
  // Operands that packets do not fit take csr_rows, and those that it multiplies faster.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    with_tiles(all, call.tile_bytes, [&]<class Operands>(Operands const& operands) {
      if constexpr (Operands::shape::packets == 1)
        multiply_tiles(exec, a, operands, tuning.mean, call.is_named);
      else
        CsrRows::multiply_tiles(exec, rows_as_they_stand(a), a, operands);
    });
  }
  template <class Entries, class Operands>
  static void multiply_tiles(Kokkos::Cuda const& exec, Entries const& a, Operands const& operands,
                             double mean, bool is_named)
  {
    constexpr std::size_t value_bytes = sizeof(typename Operands::scalar);
    bool const is_narrow = 2 * operands.columns <= operands.lanes * Operands::shape::per_lane;
    if (!SpmmCsrPolicyFor::can_stream(a.rows, operands.lanes) ||
        (is_narrow && !is_named &&
         mean > SpmmCsrPolicyFor::longest_streamed_mean_of_narrow(value_bytes)))
      return CsrRows::multiply_tiles(exec, rows_as_they_stand(a), a, operands);
    int const rows_per_group = SpmmCsrPolicyFor::rows_per_group(operands.lanes);
    int const groups = SpmmPolicy::threads_per_block / operands.lanes;
    Grid grid{};
    grid.blocks = blocks_for(a.rows, groups * rows_per_group);
    grid.threads_per_block = SpmmPolicy::threads_per_block;
    grid.shared_bytes = groups * (rows_per_group + 1) * sizeof(int);
    grid.blocks_y = tiles_of(operands);
    grid.blocks_per_processor = SpmmPolicy::stream_blocks;
    launch(exec, "heddle::spmm::csr_stream", spmm_csr_stream_kernel<Entries, Operands>, grid, a,
           operands, rows_per_group);
  }
};

} // namespace heddle::cuda_native
