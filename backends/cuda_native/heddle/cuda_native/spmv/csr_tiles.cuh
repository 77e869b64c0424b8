// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR for rows of very different lengths, as graphs have. The plan cuts the matrix between rows
// into tiles of about as many rows and entries each; a block multiplies the entries of its tile,
// four neighbours per thread whatever rows these are of, leaves the products in shared memory (the
// idea of CSR-stream: Greathouse and Daga 2014, section III) and sums up rows there, with as many
// threads per row as there are, rows that are still long by whole warps. A row longer than a tile
// has a block of its own, the first of the grid, or a cluster of blocks, which add up through
// distributed shared memory. A row that even these would hold the others up with is cut into more
// parts, by a kernel before (long_rows.cuh). Sums in a fixed order: bitwise repeatable.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/tiles.cuh>
#include <heddle/cuda_native/spmv/long_rows.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cooperative_groups.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// Entries that a tile may have, with what lies in the words of four at its ends: its last row may
// begin at its end and be as long as a tile.
KOKKOS_INLINE_FUNCTION constexpr int room_for(int entries_per_tile)
{
  return 2 * entries_per_tile + 8;
}

// The sum over the part of a row that is this block's, of size equal ones; for thread 0.
template <class Policy, bool is_conjugate, class Entries, class Scalar>
__device__ Scalar sum_of_part(Entries const& a, std::int64_t row, int part, int size,
                              Scalar const* __restrict__ x, Scalar* of_warps)
{
  constexpr int threads = Policy::value.threads_per_block;
  auto const first = static_cast<std::int64_t>(a.offsets[row]);
  auto const last = static_cast<std::int64_t>(a.offsets[row + 1]);
  std::int64_t const length = impl::divided_up(last - first, size);
  std::int64_t const from = first + part * length;
  std::int64_t const to = from + length < last ? from + length : last;
  Scalar const sum =
      sum_of_entries<threads, Policy::value.entries_per_tile / threads, is_conjugate>(
          a, from, to < from ? from : to, static_cast<int>(threadIdx.x), x);
  return sum_of_block<threads>(sum, of_warps);
}

// A row that is longer than a tile, by all blocks of a cluster.
template <class Policy, bool is_conjugate, class Entries, class Scalar, class Results>
__device__ void multiply_long_row(Entries const& a, std::int64_t row, int cluster,
                                  Scalar const* __restrict__ x, Results const& results,
                                  typename Results::Sum& of_rows, Scalar* of_parts,
                                  Scalar* of_warps)
{
  int const part = static_cast<int>(blockIdx.x) % cluster;
#if __CUDA_ARCH__ >= 900
  auto const group = cooperative_groups::this_cluster();
  group.barrier_arrive(); // the first block must have begun before others write to its memory
#endif
  Scalar sum = sum_of_part<Policy, is_conjugate>(a, row, part, cluster, x, of_warps);
#if __CUDA_ARCH__ >= 900
  group.barrier_wait();
  if (cluster > 1)
  {
    if (threadIdx.x == 0)
      *group.map_shared_rank(of_parts + part, 0) = sum;
    group.sync();
    sum = Scalar{};
    if (part == 0 && threadIdx.x == 0)
      for (int n = 0; n < cluster; ++n)
        sum += of_parts[n];
  }
#endif
  if (part == 0 && threadIdx.x == 0)
    results.store(row, sum, of_rows);
}

// Ascending, by one thread: by insertion, for a few.
__device__ inline void sort_few(short* values, int count)
{
  for (int n = 1; n < count; ++n)
  {
    short const value = values[n];
    int at = n;
    for (; at > 0 && values[at - 1] > value; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
}

// products[n] of the `length` entries from where columns and values are; those before `whole` in
// words of four.
template <class Policy, bool is_conjugate, class Ordinal, class Values, class Scalar>
__device__ void multiply_entries(Ordinal const* columns, Values const& values, int whole,
                                 int length, Scalar const* __restrict__ x, Scalar* products)
{
  constexpr int threads = Policy::value.threads_per_block;
  constexpr int rounds = Policy::value.entries_per_tile / threads / 4;
  for (int base = static_cast<int>(threadIdx.x) * 4; base < whole; base += rounds * threads * 4)
  {
    Ordinal column[rounds][4];
    std::remove_cvref_t<decltype(values[0])> value[rounds][4];
#pragma unroll
    for (int q = 0; q < rounds; ++q)
      if (int const k = base + q * threads * 4; k < whole)
      {
        load_four_once(column[q], columns + k);
        values.from(k).load_four(value[q]);
      }
#pragma unroll
    for (int q = 0; q < rounds; ++q)
      if (int const k = base + q * threads * 4; k < whole)
      {
        Scalar four[4];
#pragma unroll
        for (int n = 0; n < 4; ++n)
          four[n] = Scalar(impl::conjugated<is_conjugate>(value[q][n])) * x[column[q][n]];
        store_four(products + k, four);
      }
  }
  for (int k = whole + static_cast<int>(threadIdx.x); k < length; k += threads)
    products[k] = Scalar(impl::conjugated<is_conjugate>(values[k])) * x[load_once(columns + k)];
}

// longest_rows: LongRowSums, or NoLongRows.
template <class Policy, bool is_conjugate, class Entries, class Tiles, class LongRows, class Scalar,
          class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block,
                                  Policy::value.blocks_per_processor)
    spmv_csr_tiles_kernel(Entries a, Tiles tiles, LongRows longest_rows,
                          Scalar const* __restrict__ x, Results results)
{
  constexpr SpmvCsrTilesPolicy policy = Policy::value;
  constexpr int threads = policy.threads_per_block, warps = threads / warp_size;
  constexpr int most_shift = 5; // a warp
  extern __shared__ int4 shared[];
  auto* const products = reinterpret_cast<Scalar*>(shared);
  __shared__ int long_count;
  __shared__ short
      long_rows[policy.entries_per_tile / (policy.long_row + policy.long_row_per_thread) + 8];

  longest_rows.finish(); // here, since some blocks return early
  typename Results::Sum of_rows{};
  std::int64_t const block = blockIdx.x, long_blocks = tiles.long_count * tiles.cluster;
  if (block < long_blocks)
  {
    multiply_long_row<Policy, is_conjugate>(
        a, static_cast<std::int64_t>(tiles.long_rows[block / tiles.cluster]), tiles.cluster, x,
        results, of_rows, products, products + policy.most_blocks_per_row);
    return results.finish(of_rows);
  }
  std::int64_t const t = block - long_blocks;
  if (t >= tiles.count) // what fills the last cluster
    return results.finish(of_rows);
  auto const tile = row_tile(tiles, t, a.offsets, policy.entries_per_tile);
  auto const first_row = tile.first_row;
  int const rows = tile.rows;
  auto const* const offsets = a.offsets + first_row;
  // Entries are counted from the word of four in which the tile begins.
  typename Entries::offset_type const begin = tile.first & ~typename Entries::offset_type(3);
  int const entries = tile.entries + static_cast<int>(tile.first - begin);

  if (threadIdx.x == 0)
    long_count = 0;
  int shift = 0; // 2^shift threads per row
  while (shift < most_shift && (2 << shift) * rows <= threads)
    ++shift;
  int const lane = static_cast<int>(threadIdx.x) & ((1 << shift) - 1);
  int row = static_cast<int>(threadIdx.x) >> shift;
  // Where this thread's row lies. That of the first is asked for before the products, which wait
  // for as long; nothing may be computed of it there, or they would wait for it.
  typename Entries::offset_type row_begin, row_end;
  auto const find_row = [&] {
    row_begin = row_end = begin;
    if (row < rows)
    {
      row_begin = offsets[row];
      row_end = offsets[row + 1];
    }
  };
  find_row();
  // Where an entry is among the products of the tile.
  auto const slot_of = [&](typename Entries::offset_type entry) {
    return min(max(static_cast<int>(entry - begin), 0), entries);
  };
  // What lies behind the tile in its last word is multiplied too, if it is there.
  std::int64_t const left = a.count - static_cast<std::int64_t>(begin);
  int const words = (entries + 3) & ~3;
  multiply_entries<Policy, is_conjugate>(a.columns + begin, a.values_from(begin),
                                         !a.is_aligned   ? 0
                                         : words <= left ? words
                                                         : words - 4,
                                         entries, x, products);
  __syncthreads();

  int const most = policy.long_row + (policy.long_row_per_thread << shift);
  // The same for all of a warp.
  for (int n = (static_cast<int>(threadIdx.x) & ~(warp_size - 1)) >> shift; n < rows;
       n += threads >> shift)
  {
    int const from = slot_of(row_begin), to = slot_of(row_end);
    bool const is_long = to - from > most && shift < most_shift;
    Scalar sum{};
    if (!is_long)
      for (int k = from + lane; k < to; k += 1 << shift)
        sum += products[k];
    for (int mask = 1 << shift >> 1; mask > 0; mask >>= 1)
      sum += value_of_lane_xor(sum, mask);
    if (row < rows && lane == 0)
    {
      if (is_long)
        long_rows[atomicAdd(&long_count, 1)] = static_cast<short>(row);
      else
        results.store(static_cast<std::int64_t>(first_row) + row, sum, of_rows);
    }
    row += threads >> shift;
    find_row();
  }
  __syncthreads();
  if constexpr (Results::has_sum) // so that each warp adds up the same rows at every call
  {
    if (threadIdx.x == 0)
      sort_few(long_rows, long_count);
    __syncthreads();
  }
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  for (int n = warp; n < long_count; n += warps)
  {
    row = long_rows[n];
    find_row();
    int const from = slot_of(row_begin), to = slot_of(row_end);
    Scalar sum{};
    for (int k = from + static_cast<int>(threadIdx.x) % warp_size; k < to; k += warp_size)
      sum += products[k];
    sum = sum_of_lanes(sum, warp_size);
    if (threadIdx.x % warp_size == 0)
      results.store(static_cast<std::int64_t>(first_row) + row, sum, of_rows);
  }
  if (tile.has_long_row && threadIdx.x == 0)
  {
    std::int64_t const i = static_cast<std::int64_t>(first_row) + rows;
    using Ordinal = typename Entries::ordinal_type;
    if (longest_rows.has(static_cast<Ordinal>(a.offsets[i + 1] - a.offsets[i])))
      results.store(i, Scalar(longest_rows.sum_of(i)), of_rows);
  }
  results.finish(of_rows);
}

inline constexpr int entries_per_tile = SpmvCsrTilesPolicyFor<1>::value.entries_per_tile;

// What a plan holds to multiply by tiles.
template <class Ordinal, class Offset, class Space>
struct SpmvTiles
{
  TileCuts<Ordinal, Offset, Space> cuts = {};
  LongRowParts<Ordinal, Space> longest_rows = {};

  SpmvTiles() = default;
  // Waits for exec where there are rows longer than a tile.
  template <class Exec, class RowOffsets>
  SpmvTiles(Exec const& exec, RowOffsets const& row_offsets, impl::RowStatistics const& rows)
  {
    std::int64_t const most = SpmvLongRowsPolicy::most_of_cluster(rows.nonzeros);
    std::int64_t const longest = std::min(rows.longest, most);
    cuts = tile_cuts<decltype(cuts)>(
        exec, row_offsets, rows, entries_per_tile,
        {.blocks = blocks_per_long_row(longest, rows.nonzeros), .most_entries = most});
    longest_rows = {exec, row_offsets, rows, most};
  }
  std::size_t bytes() const { return cuts.bytes() + longest_rows.bytes(); }
  std::string describe() const { return cuts.describe() + longest_rows.describe(); }
};

// y <- alpha A x + beta y for entries by row. Asynchronous.
template <bool is_conjugate, class Exec, class Ordinal, class Offset, class Space, class Entries,
          class Scalar, class Y>
void multiply_by_tiles(Exec const& exec, SpmvTiles<Ordinal, Offset, Space> const& plan,
                       Entries const& a, Scalar alpha, Scalar const* x, Scalar beta, Y const& y)
{
  using Policy = SpmvCsrTilesPolicyFor<sizeof(Scalar)>;
  using Tiles = RowTiles<Ordinal, Offset>;
  constexpr SpmvCsrTilesPolicy policy = Policy::value;
  static_assert(policy.entries_per_tile == entries_per_tile);
  if (a.rows == 0)
    return with_results(exec, Grid{0, warp_size}, alpha, beta, y, [](auto const&) {});
  auto const multiply = [&]<class LongRows>(LongRows const& longest_rows) {
    constexpr char const* label = "heddle::spmv::csr_tiles";
    auto* const kernel = spmv_csr_tiles_kernel<Policy, is_conjugate, Entries, Tiles, LongRows,
                                               Scalar, results_for_t<Scalar, Y>>;
    TileCuts<Ordinal, Offset, Space> const& cuts = plan.cuts;
    bool const is_shared = cuts.blocks_per_shared_row > 1 && has_clusters(exec, label, kernel);
    int const cluster = is_shared ? cuts.blocks_per_shared_row : 1;
    Tiles const tiles = cuts.view(cluster, cuts.shared_count);
    std::int64_t const blocks = tiles.long_count * cluster + tiles.count;
    Grid grid{impl::divided_up(blocks, cluster) * cluster, policy.threads_per_block};
    grid.shared_bytes = room_for(entries_per_tile) * sizeof(Scalar);
    grid.blocks_per_processor = policy.blocks_per_processor;
    grid.cluster = cluster;
    grid.starts_early = LongRows::are_there;
    with_results(exec, grid, alpha, beta, y, [&](auto const& results) {
      launch(exec, label, kernel, grid, a, tiles, longest_rows, x, results);
    });
  };
  if (!plan.longest_rows.has_rows())
    return multiply(NoLongRows{});
  auto const parts = plan.longest_rows.template start<is_conjugate>(exec, a, x);
  multiply(parts.view());
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix>
struct CsrTilesKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::csr_tiles";
  static constexpr bool fuses = true;
  using Tuning = SpmvTiles<typename Matrix::ordinal_type, typename Matrix::offset_type,
                           typename Matrix::memory_space>;

  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  template <class Seen>
  static impl::Verdict can_run(Exec const&, Seen const&, impl::RowStatistics const&,
                               SpmvOptions const&)
  {
    return {true, "it takes rows of any length"};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
  {
    return {exec, a.row_offsets(), rows};
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    multiply_by_tiles<is_conjugate>(exec, tuning, stored_entries(a), alpha, x, beta, y);
  }
};

} // namespace heddle::cuda_native
