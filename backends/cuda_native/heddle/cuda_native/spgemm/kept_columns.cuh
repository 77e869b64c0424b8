// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Columns that the counting pass of SpGEMM's symbolic phase keeps in memory of the call until their
// rows have offsets in C, and sums of short rows beside them, and how they are moved to C.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/deferred_rows.cuh>
#include <heddle/cuda_native/spgemm/kept_room.hpp>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Columns of rows that have no offsets yet, and sums of short rows.
template <class Call>
struct KeptColumns
{
  KeptRoom room;
  impl::Scratch<typename Call::Ordinal, Kokkos::Cuda> columns;
  impl::Scratch<typename Call::Sum, Kokkos::Cuda> sums;
  impl::Scratch<std::int64_t, Kokkos::Cuda> at; // of each row
};

// Columns that a lane moves of a row of average length, side by side: with one each the pass takes
// twice as long, for its instructions (perf_tests/results/h200/spgemm_bitmaps.txt, 2).
inline constexpr int moved_columns_of_lane = 4;

// Columns that the counting pass kept, and the sums that are kept beside those of short rows, to
// their rows of C. Rows with more entries than `longest` are the block's.
template <class Ordinal, class Offset, class Sum>
__global__ void __launch_bounds__(row_bounds_policy.threads_per_block)
    spgemm_place_kernel(PlacingSumsSink<Ordinal, Offset, Sum> to, Ordinal const* kept,
                        std::int64_t first_of_sums, Sum const* sums, std::int64_t rows, int lanes,
                        std::int64_t longest)
{
  __shared__ DeferredRows<row_bounds_policy.threads_per_block> long_rows;
  if (threadIdx.x == 0)
    long_rows.clear();
  __syncthreads();
  auto const place = [&](std::int64_t i, std::int64_t rank, std::int64_t step) {
    auto const begin = static_cast<std::int64_t>(to.offsets[i]);
    std::int64_t const count = static_cast<std::int64_t>(to.offsets[i + 1]) - begin;
    if (count == 0 || to.kept_at[i] == not_kept)
      return;
    std::int64_t const from = to.kept_at[i];
#pragma unroll moved_columns_of_lane
    for (std::int64_t n = rank; n < count; n += step)
      to.columns[begin + n] = kept[from + n];
    if (to.values == nullptr || from < first_of_sums)
      return;
#pragma unroll moved_columns_of_lane
    for (std::int64_t n = rank; n < count; n += step)
      to.values[begin + n] = sums[from - first_of_sums + n];
  };
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes, lane = thread % lanes;
  if (i < rows)
  {
    if (static_cast<std::int64_t>(to.offsets[i + 1] - to.offsets[i]) <= longest)
      place(i, lane, lanes);
    else if (lane == 0)
      long_rows.add(i);
  }
  long_rows.for_each([&](std::int64_t row) { place(row, threadIdx.x, blockDim.x); });
}

// Moves kept columns to their rows of C, and kept sums of short rows unless sink.values is null.
// Asynchronous.
template <class Call>
void move_kept_columns(
    Call const& call, KeptColumns<Call> const& kept,
    PlacingSumsSink<typename Call::Ordinal, typename Call::Offset, typename Call::Sum> const& sink,
    std::int64_t entries)
{
  std::int64_t const rows = call.a.rows;
  int const lanes = lanes_for_rows(rows, entries / moved_columns_of_lane);
  launch(call.exec, "heddle::spgemm::place",
         spgemm_place_kernel<typename Call::Ordinal, typename Call::Offset, typename Call::Sum>,
         one_thread_each(rows * lanes, row_bounds_policy.threads_per_block), sink,
         kept.columns.data(), static_cast<std::int64_t>(kept.room.of_tables), kept.sums.data(),
         rows, lanes, longest_of_lanes(rows, entries, device_shape(call.exec)));
}

} // namespace heddle::cuda_native
