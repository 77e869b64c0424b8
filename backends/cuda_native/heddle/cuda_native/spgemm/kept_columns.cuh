// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Columns that the counting pass of SpGEMM's symbolic phase keeps in memory of the call until their
// rows have offsets in C, and sums of short rows beside them, and how they are moved to C.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/row_of_entry.cuh>
#include <heddle/cuda_native/spgemm/kept_room.hpp>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

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

// Kept columns are moved by blocks of neighbouring entries of C, whatever rows these are of, so
// that neither long nor short rows leave lanes without work.
struct MovePolicy
{
  int threads_per_block, entries_of_thread;
  // Rows of a block's entries per entry above which each entry searches for its row: nearly all of
  // them are empty then, and one block would go through them all.
  int most_rows_of_entry;
};
inline constexpr MovePolicy move_policy{256, 8, 8};

// Which rows some neighbouring entries of C are in, as distances from the row of the first.
template <int entries>
struct RowsOfEntries
{
  static constexpr int warps = move_policy.threads_per_block / warp_size;
  static constexpr int of_warp = entries / warps;
  static_assert(warps >= 2);
  std::int64_t first_row, last_row;
  int begins[entries]; // the row that begins with the entry, or 0
  int last_of_warp[warps];

  // Of the entries from the first on, all_entries in all. By all threads of the block, which wait.
  template <class Offset>
  __device__ void find(Offset const* offsets, std::int64_t rows, std::int64_t first_entry,
                       std::int64_t all_entries)
  {
    auto const thread = static_cast<int>(threadIdx.x);
    if (thread < 2 * warp_size)
    {
      bool const is_first = thread < warp_size;
      std::int64_t const last_entry =
          (first_entry + entries < all_entries ? first_entry + entries : all_entries) - 1;
      std::int64_t const row = row_of_entry(offsets, rows, is_first ? first_entry : last_entry);
      if (thread % warp_size == 0)
        (is_first ? first_row : last_row) = row;
    }
    for (int n = thread; n < entries; n += move_policy.threads_per_block)
      begins[n] = 0;
    if (thread < warps)
      last_of_warp[thread] = 0;
    __syncthreads();
    if (are_far_apart())
      return;
    for (std::int64_t row = first_row + 1 + thread; row <= last_row;
         row += move_policy.threads_per_block)
    {
      std::int64_t const at = static_cast<std::int64_t>(offsets[row]) - first_entry;
      if (offsets[row + 1] == offsets[row])
        continue;
      int const distance = static_cast<int>(row - first_row);
      begins[at] = distance;
      atomicMax(&last_of_warp[at / of_warp], distance);
    }
    __syncthreads();
  }
  // Whether rows are searched for instead, for each entry.
  __device__ bool are_far_apart() const
  {
    return last_row - first_row > std::int64_t(entries) * move_policy.most_rows_of_entry;
  }
  template <class Offset>
  __device__ std::int64_t searched(Offset const* offsets, std::int64_t entry) const
  {
    auto const begin = [&](std::int64_t n) {
      return static_cast<std::int64_t>(offsets[first_row + n]);
    };
    return first_row + impl::last_not_above(begin, last_row - first_row + 1, entry);
  }
  // The row that the warp's entries begin in, unless a row begins with the first.
  __device__ int before_warp() const
  {
    int row = 0;
    for (int w = 0; w < static_cast<int>(threadIdx.x) / warp_size; ++w)
      row = max(row, last_of_warp[w]);
    return row;
  }
  // The row of entry n of the lane's, where the lane before has row `before`, or the last turn had.
  // All lanes of the warp take part, and have the last one's afterwards.
  __device__ int row_of(int n, int& before) const
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    auto const lane = static_cast<int>(threadIdx.x) % warp_size;
    int const begin = begins[n];
    unsigned const not_behind = __ballot_sync(all_lanes, begin != 0) & (0xffffffffU >> (31 - lane));
    int const last = __shfl_sync(all_lanes, begin, not_behind == 0 ? 0 : 31 - __clz(not_behind));
    int const row = not_behind == 0 ? before : last;
    before = __shfl_sync(all_lanes, row, warp_size - 1);
    return row;
  }
};

// Columns that the counting pass kept, and the sums that are kept beside those of short rows, to
// their rows of C.
template <class Ordinal, class Offset, class Sum>
__global__ void __launch_bounds__(move_policy.threads_per_block)
    spgemm_place_kernel(PlacingSumsSink<Ordinal, Offset, Sum> to, Ordinal const* kept,
                        std::int64_t first_of_sums, Sum const* sums, std::int64_t rows,
                        std::int64_t entries)
{
  constexpr int items = move_policy.entries_of_thread;
  constexpr int of_block = items * move_policy.threads_per_block;
  using Rows = RowsOfEntries<of_block>;
  __shared__ Rows found;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * of_block;
  found.find(to.offsets, rows, first, entries);
  bool const are_searched = found.are_far_apart();
  int const begin = static_cast<int>(threadIdx.x) / warp_size * Rows::of_warp +
                    static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t from[items];
  int before = are_searched ? 0 : found.before_warp();
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    int const n = begin + t * warp_size;
    std::int64_t const row = are_searched ? found.searched(to.offsets, first + n)
                                          : found.first_row + found.row_of(n, before);
    std::int64_t const at = to.kept_at[row];
    from[t] = first + n < entries && at != not_kept
                  ? at + (first + n - static_cast<std::int64_t>(to.offsets[row]))
                  : not_kept;
  }
  Ordinal columns[items];
#pragma unroll
  for (int t = 0; t < items; ++t)
    columns[t] = from[t] != not_kept ? kept[from[t]] : Ordinal(0);
#pragma unroll
  for (int t = 0; t < items; ++t)
    if (from[t] != not_kept)
      to.columns[first + begin + t * warp_size] = columns[t];
  if (to.values == nullptr)
    return;
#pragma unroll
  for (int t = 0; t < items; ++t)
    if (from[t] != not_kept && from[t] >= first_of_sums)
      to.values[first + begin + t * warp_size] = sums[from[t] - first_of_sums];
}

// The launch of that kernel. Asynchronous.
template <class Ordinal, class Offset, class Sum>
void place_kept(Kokkos::Cuda const& exec, PlacingSumsSink<Ordinal, Offset, Sum> const& to,
                Ordinal const* kept, std::int64_t first_of_sums, Sum const* sums, std::int64_t rows,
                std::int64_t entries)
{
  constexpr int of_block = move_policy.threads_per_block * move_policy.entries_of_thread;
  launch(exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset, Sum>,
         Grid{blocks_for(entries, of_block), move_policy.threads_per_block}, to, kept,
         first_of_sums, sums, rows, entries);
}

// Moves kept columns to their rows of C, and kept sums of short rows unless sink.values is null.
// Asynchronous.
template <class Call>
void move_kept_columns(
    Call const& call, KeptColumns<Call> const& kept,
    PlacingSumsSink<typename Call::Ordinal, typename Call::Offset, typename Call::Sum> const& sink,
    std::int64_t entries)
{
  place_kept(call.exec, sink, kept.columns.data(), static_cast<std::int64_t>(kept.room.of_tables),
             kept.sums.data(), call.a.rows, entries);
}

} // namespace heddle::cuda_native
