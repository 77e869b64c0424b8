// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel of csr_short (spmm/csr_short.cuh): a group of lanes takes a row, and each of its lanes
// reads the columns and values itself, which all lanes of the group read at once. Without shared
// memory, batches and rows to come there is little to hold and to do beside the rows of B: 40
// registers, with which 48 warps of a multiprocessor wait for memory side by side (so does the
// kernel of cuSPARSE 12.9 for short rows). A group may take a row's tiles of B one after the other:
// then it finds the row and its entries once, the latter in the first cache from the second tile
// on. With a narrow B groups may share a row: neighbouring ones have neighbouring entries, and
// where the columns of these are neighbours, too, read whole lines of B. Bytes: A once per tile,
// from the caches for all lanes but the first; B gathered; C once. Limit: the memory's throughput,
// or the second cache's where rows share few columns.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Where a lane finds its packets of a tile of a row of B.
template <class Packet>
struct LanePackets
{
  char const* b;
  std::uint32_t step = 0; // bytes from packet to packet; 0 where there is no second one

  __device__ Packet load(std::uint32_t row, std::uint32_t row_bytes, int n) const
  {
    return load_packet<Packet>(b + static_cast<std::uint64_t>(row) * row_bytes +
                               static_cast<std::uint32_t>(n) * step);
  }
};

// sums += `count` entries that are loaded side by side, every 2^log_stride-th from `entry` on, of
// which `have` are there; is_whole: all are.
template <int count, bool is_whole, class Entries, class Operands, class Index>
__device__ void add_entries_of_row(Entries const& a, Operands const& operands,
                                   LanePackets<typename Operands::packet> const& at, Index entry,
                                   int log_stride, int have, typename Operands::scalar* sums)
{
  using Scalar = typename Operands::scalar;
  auto const from = a.from(entry);
  int columns[count];
  Scalar factors[count];
  typename Operands::packet b[count][Operands::shape::packets];
#pragma unroll
  for (int i = 0; i < count; ++i)
    columns[i] = is_whole || i < have ? from.column_of_group(i << log_stride) : 0;
  load_rows_of_b<is_whole>(operands, at, columns, have, b);
#pragma unroll
  for (int i = 0; i < count; ++i)
    factors[i] =
        is_whole || i < have ? from.template value_of_group<Scalar>(i << log_stride) : Scalar(0);
#pragma unroll
  for (int i = 0; i < count; ++i)
    add_row(sums, factors[i], b[i]);
}

// What block `block` of a grid does for tile `tile` and the next ones: a group goes through
// `rounds` rows, as many apart as a block has groups, of a list, or, where that is null, of the
// first `rows` of the matrix, and each time through `tiles` tiles, one after the other.
// is_exact: the last turn of a row has as many entries as are left; else four, of which it loads
// those that are there, and there is one tile. leaves_long: rows of `long_from` entries and more
// are not its task.
template <bool is_exact, bool leaves_long = false, class Entries, class Operands>
__device__ void
multiply_short_rows_of_block(Entries const& a, Operands const& operands, std::int64_t tile,
                             int tiles, typename Entries::ordinal_type const* list,
                             std::int64_t rows, std::int64_t block, int rounds, int long_from = 0)
{
  using Scalar = typename Operands::scalar;
  using Packet = typename Operands::packet;
  using Shape = typename Operands::shape;
  using Index = EntryIndexOf<typename Entries::offset_type>;
  using Row = std::make_unsigned_t<typename Entries::ordinal_type>;
  static_assert(Shape::packets <= 2);
  constexpr int width = Shape::width, per_lane = Shape::per_lane;
  // Shifts: a division by what only the call knows takes longer than a row.
  int const log_lanes = __ffs(operands.lanes) - 1;
  int const breadth = width << log_lanes, tile_columns = per_lane << log_lanes;
  int const groups = SpmmPolicy::threads_per_block >> log_lanes;
  int const lane = static_cast<int>(threadIdx.x) & (operands.lanes - 1);
  std::int64_t const first = (tile << log_lanes) * per_lane + lane * width; // column
  if (first >= operands.columns)
    return;
  auto const end_of_tasks = static_cast<Row>(rows);
  Row task = static_cast<Row>(block) * static_cast<Row>(groups * rounds) +
             static_cast<Row>(static_cast<int>(threadIdx.x) >> log_lanes);
  for (int n = 0; n < rounds && task < end_of_tasks; ++n, task += static_cast<Row>(groups))
  {
    Row const row = list == nullptr ? task : static_cast<Row>(__ldg(list + task));
    auto const begin = static_cast<Index>(load_cached(a.offsets + row));
    auto const end = static_cast<Index>(load_cached(a.offsets + row + 1));
    if (leaves_long && end - begin >= static_cast<Index>(long_from))
      continue;
    LanePackets<Packet> at{reinterpret_cast<char const*>(operands.b + first)};
    Scalar* c = operands.c + static_cast<std::int64_t>(row) * operands.c_stride + first;
    auto const multiply_tile = [&] {
      Index entry = begin;
      Scalar sums[per_lane];
      set_zero(sums);
      auto const whole_turn = [&](auto count) {
        constexpr int slots = decltype(count)::value;
        add_entries_of_row<slots, true>(a, operands, at, entry, 0, slots, sums);
      };
      std::integral_constant<int, entries_in_flight> const all;
      for (; end - entry >= entries_in_flight; entry += entries_in_flight)
        whole_turn(all);
      if constexpr (!is_exact)
      {
        if (entry < end)
          add_entries_of_row<entries_in_flight, false>(a, operands, at, entry, 0,
                                                       static_cast<int>(end - entry), sums);
      }
      else
      {
        static_assert(entries_in_flight == 4, "up to three entries are left");
        if (auto const left = static_cast<int>(end - entry); left == 1)
          whole_turn(std::integral_constant<int, 1>{});
        else if (left == 2)
          whole_turn(std::integral_constant<int, 2>{});
        else if (left == 3)
          whole_turn(std::integral_constant<int, 3>{});
      }
      operands.template store_to<width>(c, sums);
      if constexpr (Shape::packets == 2)
        if (at.step > 0)
          operands.template store_to<width>(c + breadth, sums + width);
    };
    if constexpr (!is_exact)
    {
      static_assert(Shape::packets == 1);
      multiply_tile();
    }
    else
      for (int t = 0; t < tiles && first + t * tile_columns < operands.columns; ++t)
      {
        if constexpr (Shape::packets == 2)
          at.step = first + t * tile_columns + breadth < operands.columns
                        ? static_cast<std::uint32_t>(breadth * sizeof(Scalar))
                        : 0;
        multiply_tile();
        at.b += tile_columns * sizeof(Scalar);
        c += tile_columns;
      }
  }
}

// The same with one tile and one row for 2^log_shares neighbouring groups, each of which takes
// every 2^log_shares-th entry; their sums are added up by the bits in which groups differ.
template <class Entries, class Operands>
__device__ void multiply_shared_rows_of_block(Entries const& a, Operands const& operands,
                                              std::int64_t block, int log_shares)
{
  using Scalar = typename Operands::scalar;
  using Packet = typename Operands::packet;
  using Index = EntryIndexOf<typename Entries::offset_type>;
  constexpr int width = Operands::shape::width;
  int const thread = static_cast<int>(threadIdx.x);
  int const log_lanes = __ffs(operands.lanes) - 1, log_threads = log_lanes + log_shares;
  int const first = (thread & (operands.lanes - 1)) * width; // column
  int const share = thread >> log_lanes & ((1 << log_shares) - 1);
  std::int64_t const row =
      block * (SpmmPolicy::threads_per_block >> log_threads) + (thread >> log_threads);
  bool const is_there = row < a.rows && first < operands.columns;
  Scalar sums[width];
  set_zero(sums);
  if (is_there)
  {
    LanePackets<Packet> const at{reinterpret_cast<char const*>(operands.b + first)};
    auto const end = static_cast<Index>(load_cached(a.offsets + row + 1));
    // Entries from the next of this group's on, so that no sum is beyond the last entry.
    Index left = end - static_cast<Index>(load_cached(a.offsets + row)) - share;
    constexpr int count = entries_in_flight;
    for (; left > (count - 1) << log_shares; left -= count << log_shares)
      add_entries_of_row<count, true>(a, operands, at, end - left, log_shares, count, sums);
    if (left > 0)
      add_entries_of_row<count, false>(
          a, operands, at, end - left, log_shares,
          static_cast<int>((left + (1 << log_shares) - 1) >> log_shares), sums);
  }
  for (int bit = operands.lanes; bit < 1 << log_threads; bit *= 2)
#pragma unroll
    for (int q = 0; q < width; ++q)
      sums[q] += value_of_lane_xor(sums[q], bit);
  if (is_there && share == 0)
    operands.template store<width>(row, first, sums);
}

template <bool is_exact, class Entries, class Operands>
__global__ void
__launch_bounds__(SpmmPolicy::threads_per_block,
                  SpmmPolicy::short_blocks<typename Operands::scalar>(Operands::shape::packets))
    spmm_csr_short_kernel(Entries a, Operands operands, int tiles, int rounds)
{
  let_next_start();
  multiply_short_rows_of_block<is_exact>(a, operands, std::int64_t(blockIdx.y) * tiles, tiles,
                                         nullptr, a.rows, blockIdx.x, rounds);
}

template <class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  SpmmPolicy::short_blocks<typename Operands::scalar>(1))
    spmm_csr_shared_rows_kernel(Entries a, Operands operands, int log_shares)
{
  let_next_start();
  multiply_shared_rows_of_block(a, operands, blockIdx.x, log_shares);
}

// Lanes of a group: where rows of B are narrow, two, as the others would have no columns.
template <class Operands>
KOKKOS_FUNCTION int short_lanes(Operands const& operands)
{
  return operands.columns <= 2 * Operands::shape::width ? 2 : operands.lanes;
}
// Blocks for a tile.
inline std::int64_t blocks_of_short_rows(std::int64_t rows, int lanes, int rounds)
{
  return blocks_for(rows, std::int64_t(SpmmPolicy::threads_per_block) / lanes * rounds);
}

// C <- alpha A B + beta C. Asynchronous.
template <class Entries, class Operands>
void launch_short_rows(Kokkos::Cuda const& exec, Entries const& a, Operands const& operands,
                       ShortRowsShape const& shape)
{
  constexpr char const* label = "heddle::spmm::csr_short";
  Grid grid{};
  grid.threads_per_block = SpmmPolicy::threads_per_block;
  if (shape.shares > 1)
  {
    grid.blocks = blocks_of_short_rows(a.rows, operands.lanes * shape.shares, 1);
    return launch(exec, label, spmm_csr_shared_rows_kernel<Entries, Operands>, grid, a, operands,
                  std::countr_zero(static_cast<unsigned>(shape.shares)));
  }
  grid.blocks = blocks_of_short_rows(a.rows, operands.lanes, shape.rounds);
  grid.blocks_y = static_cast<int>(impl::divided_up(tiles_of(operands), shape.tiles));
  if (shape.packets == 2)
  {
    auto const pairs = with_packets<2>(operands);
    launch(exec, label, spmm_csr_short_kernel<true, Entries, std::decay_t<decltype(pairs)>>, grid,
           a, pairs, shape.tiles / 2, shape.rounds);
    return;
  }
  auto* const kernel = shape.is_exact ? spmm_csr_short_kernel<true, Entries, Operands>
                                      : spmm_csr_short_kernel<false, Entries, Operands>;
  launch(exec, label, kernel, grid, a, operands, shape.tiles, shape.rounds);
}
// The same for operands that have packets and all rows, of which a group may take `most_tiles`
// tiles of B one after the other.
template <class Entries, class Scalar>
void multiply_short_rows(Kokkos::Cuda const& exec, Entries const& a,
                         impl::RowStatistics const& rows, RowMajorOperands<Scalar> const& all,
                         int tile_bytes, int most_tiles)
{
  auto operands = tiled<TileShape<widest_packet<Scalar>, 1>>(all, tile_bytes);
  operands.lanes = short_lanes(operands);
  launch_short_rows(exec, a, operands,
                    SpmmShortPolicy::shape(rows, operands.lanes, tiles_of(operands), most_tiles,
                                           device_shape(exec).multiprocessors));
}
// Lanes of a group.
template <class Scalar>
int lanes_of_short_rows(RowMajorOperands<Scalar> const& all, int tile_bytes)
{
  return tiled<TileShape<widest_packet<Scalar>, 1>>(all, tile_bytes).lanes;
}

} // namespace heddle::cuda_native
