// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel of csr_tiles (spmm/csr_tiles.cuh): SpMM by tiles of as many entries, whatever rows
// these are of. A row of a narrow B takes a few lanes, so that a warp has many rows side by side,
// and if each group of lanes had a row of its own all would wait for the longest; with a wider B
// what a group does for each row weighs where rows are short. So the plan cuts the matrix between
// rows into tiles of about as many rows and entries each (rows/tiles.cuh); a block brings the
// entries of its tile to shared memory, and each group multiplies the same number of them, one
// after the other: a row ends where it ends. A row that goes on in the next groups is added up by
// the group in which it begins, from what the others leave in shared memory. A row longer than a
// tile has a block of its own, in front of the grid, or a cluster of blocks, which add up through
// distributed shared memory. One launch, no scratch, sums in a fixed order: bitwise repeatable.
// Bytes: A once per tile of B, B gathered, C once. Limit: with a narrow B the first-level cache,
// which looks up a line at a time; with a wider one the second-level cache's throughput.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/tiles.cuh>
#include <heddle/cuda_native/spmm/csr_tiles_policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cooperative_groups.h>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// A row within a tile and where its entries end there, in a word.
struct RowOfTile
{
  static constexpr int bits = 12, no_end = (1 << bits) - 1; // behind all entries
  static_assert(2 * SpmmTilesPolicy::longest_tile < no_end);
  int word;

  __device__ RowOfTile(int row, int end, bool began_before = false)
      : word(row | end << bits | static_cast<int>(began_before) << 2 * bits)
  {}
  __device__ explicit RowOfTile(int w)
      : word(w)
  {}
  __device__ int row() const { return word & no_end; }
  __device__ int end() const { return word >> bits & no_end; }
  // Before the first entry of the group that asks.
  __device__ bool began_before() const { return word >> 2 * bits != 0; }
};

// The shared memory of a block: entries of A, in whole turns; at the entries with which rows begin
// which rows these are, and for each group the row in which its first entry lies; for each group
// sums of a row that began before. The first groups' is also for sums of other blocks.
template <class Scalar>
struct SpmmTileMemory
{
  Scalar* values;
  Scalar* heads;
  int* columns;
  int* starts;
  int* first_rows;

  static constexpr int threads = SpmmTilesPolicy::threads_per_block;
  static constexpr int head_size = widest_packet<Scalar>; // of each thread
  // For that number of entries, whole turns.
  static std::size_t bytes(int entries)
  {
    return static_cast<std::size_t>(entries) * (sizeof(Scalar) + 2 * sizeof(int)) +
           static_cast<std::size_t>(threads) * head_size * sizeof(Scalar) +
           static_cast<std::size_t>(1 + threads) * sizeof(int);
  }
  __device__ SpmmTileMemory(unsigned char* memory, int entries)
      : values(reinterpret_cast<Scalar*>(memory))
      , heads(values + entries)
      , columns(reinterpret_cast<int*>(heads + threads * head_size))
      , starts(columns + entries)
      , first_rows(starts + entries + 1)
  {}
};

// A group of lanes in one launch.
template <class Entries, class Operands>
struct TileGroup
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  static constexpr int threads = SpmmTilesPolicy::threads_per_block;
  static constexpr int per_lane = Shape::per_lane;

  Entries const& a;
  Operands const& operands;
  typename Operands::LaneColumns at;
  SpmmTileMemory<Scalar> memory;
  int group, log_groups;

  // Entries of each group, whole turns, so that all have about as many: groups whose entries are
  // 128 bytes apart would read them from the same banks.
  __device__ int share(int entries) const
  {
    int const each = (((entries - 1) >> log_groups) + entries_in_flight) & ~(entries_in_flight - 1);
    if (each == 0)
      return entries_in_flight;
    return each % warp_size == 0 ? each + entries_in_flight : each;
  }
  // Entries begin .. begin + count - 1 to shared memory, and zeros up to a whole turn.
  __device__ void fetch(std::int64_t begin, int count) const
  {
    constexpr int loads = 4;
    auto const from = a.from(begin);
    int const padded = (count + entries_in_flight - 1) & ~(entries_in_flight - 1);
    for (int base = static_cast<int>(threadIdx.x); base < padded; base += loads * threads)
    {
      int column[loads];
      Scalar value[loads];
#pragma unroll
      for (int n = 0; n < loads; ++n)
      {
        int const k = base + n * threads;
        column[n] = k < count ? from.column(k) : 0;
        value[n] = k < count ? from.template value<Scalar>(k) : Scalar(0);
      }
#pragma unroll
      for (int n = 0; n < loads; ++n)
        if (int const k = base + n * threads; k < padded)
        {
          memory.columns[k] = column[n];
          memory.values[k] = value[n];
        }
    }
  }
  // use(i, factor, row of B) for entries k .. k + 3 of shared memory.
  template <class Use>
  __device__ void turn(int k, Use const& use) const
  {
    int columns[entries_in_flight];
    Scalar factors[entries_in_flight];
    typename Operands::packet b[entries_in_flight][Shape::packets];
    read_shared<entries_in_flight>(columns, memory.columns + k);
    load_rows_of_b<true>(operands, at, columns, entries_in_flight, b);
    read_shared<entries_in_flight>(factors, memory.values + k);
#pragma unroll
    for (int i = 0; i < entries_in_flight; ++i)
      use(i, factors[i], b[i]);
  }
  // Of the tile of B.
  __device__ std::int64_t first_column() const
  {
    return at.first -
           (static_cast<int>(threadIdx.x) & (operands.lanes - 1)) * std::int64_t(Shape::width);
  }
  __device__ Scalar* head(int of_group) const
  {
    return memory.heads +
           (of_group * operands.lanes + (static_cast<int>(threadIdx.x) & (operands.lanes - 1))) *
               per_lane;
  }
  __device__ void leave(Scalar const* sums) const { store_shared(head(group), sums); }
  __device__ void add_left(Scalar* sums, int of_group) const
  {
    Scalar more[per_lane];
    read_shared<per_lane>(more, head(of_group));
#pragma unroll
    for (int q = 0; q < per_lane; ++q)
      sums[q] += more[q];
  }
  __device__ static void store_shared(Scalar* to, Scalar const* sums)
  {
    Packet<Scalar, Shape::width> packet;
#pragma unroll
    for (int q = 0; q < Shape::width; ++q)
      packet.at[q] = sums[q];
    *reinterpret_cast<typename Packet<Scalar, Shape::width>::word*>(to) = packet.bits();
  }
};

// Quotients of small numbers: where x times the divisor is less than 2^20.
struct ReciprocalOf
{
  std::uint32_t factor;
  __device__ explicit ReciprocalOf(int divisor)
      : factor(((1U << 20) + divisor - 1) / static_cast<std::uint32_t>(divisor))
  {}
  __device__ int quotient(int x) const
  {
    return static_cast<int>((static_cast<std::uint32_t>(x) * factor) >> 20);
  }
};

// Rows of the tile that have no entry, and where the others begin. Threads take a row each.
template <class Entries, class Operands, class Tile>
__device__ void find_rows(TileGroup<Entries, Operands> const& self, Tile const& tile, int share)
{
  using Scalar = typename Operands::scalar;
  constexpr int width = Operands::shape::width;
  auto const* const offsets = self.a.offsets + tile.first_row;
  auto const place_of = [&](int row) { // within the tile, whatever the pattern
    return min(max(static_cast<int>(offsets[row] - tile.first), 0), tile.entries);
  };
  ReciprocalOf const of_share(share);
  for (int row = static_cast<int>(threadIdx.x); row < tile.rows;
       row += SpmmTilesPolicy::threads_per_block)
  {
    int const begin = place_of(row), end = place_of(row + 1);
    if (begin == end)
    {
      Scalar const zeros[width] = {};
      std::int64_t const first = self.first_column();
      std::int64_t const last = min(first + self.operands.lanes * width, self.operands.columns);
      for (std::int64_t column = first; column < last; column += width)
        self.operands.template store<width>(static_cast<std::int64_t>(tile.first_row) + row, column,
                                            zeros);
      continue;
    }
    self.memory.starts[begin] = RowOfTile(row, end).word;
    for (int n = of_share.quotient(begin + share - 1); n * share < end; ++n)
      self.memory.first_rows[n] = RowOfTile(row, end, begin < n * share).word;
  }
  if (threadIdx.x == 0)
    self.memory.starts[tile.entries] = RowOfTile(0, RowOfTile::no_end).word;
}

// The rows of a tile.
template <class Entries, class Operands, class Tile>
__device__ void multiply_tile(TileGroup<Entries, Operands> const& self, Tile const& tile)
{
  using Scalar = typename Operands::scalar;
  int const entries = tile.entries, share = self.share(entries);
  self.fetch(static_cast<std::int64_t>(tile.first), entries);
  find_rows(self, tile, share);
  __syncthreads();

  Scalar sums[Operands::shape::per_lane];
  set_zero(sums);
  int const first = self.group * share, last = min(first + share, entries);
  RowOfTile now = first < last ? RowOfTile(self.memory.first_rows[self.group])
                               : RowOfTile(0, RowOfTile::no_end);
  auto const store = [&] { // of the tile, whatever the pattern
    std::int64_t const row = max(min(now.row(), tile.rows - 1), 0);
    self.operands.store_row(static_cast<std::int64_t>(tile.first_row) + row, self.at, sums);
  };
  int end = now.end();
  bool is_head = now.began_before(), is_open = true; // it has entries of this group
  for (int k = first; k < last; k += entries_in_flight)
    self.turn(k, [&](int i, Scalar const& factor, auto const& b) {
      add_row(sums, factor, b);
      if (k + i + 1 != end)
        return;
      if (is_head)
        self.leave(sums);
      else
        store();
      set_zero(sums);
      now = RowOfTile(self.memory.starts[end]);
      is_head = false;
      is_open = end < last;
      end = now.end();
    });
  bool const goes_on = is_open && end > last && end != RowOfTile::no_end;
  if (goes_on && is_head)
    self.leave(sums);
  __syncthreads();
  if (!goes_on || is_head)
    return;
  for (int n = self.group + 1; n * share < end; ++n)
    self.add_left(sums, n);
  store();
}

// A row longer than a tile, by all blocks of a cluster, `room` entries at a time.
template <class Entries, class Operands>
__device__ void multiply_long_row(TileGroup<Entries, Operands> const& self, std::int64_t row,
                                  int cluster, int room)
{
  using Scalar = typename Operands::scalar;
  int const part = cluster > 1 ? static_cast<int>(blockIdx.x) % cluster : 0;
  auto const begin = static_cast<std::int64_t>(self.a.offsets[row]);
  auto const end = static_cast<std::int64_t>(self.a.offsets[row + 1]);
  std::int64_t const each = impl::divided_up(end - begin, static_cast<std::int64_t>(cluster));
  std::int64_t const last = min(begin + (part + 1) * each, end);
  Scalar sums[Operands::shape::per_lane];
  set_zero(sums);
  for (std::int64_t from = begin + part * each; from < last; from += room)
  {
    int const count = static_cast<int>(min(last - from, static_cast<std::int64_t>(room)));
    __syncthreads();
    self.fetch(from, count);
    __syncthreads();
    int const share = self.share(count);
    int const end_of_share = min((self.group + 1) * share, count);
#pragma unroll 2
    for (int k = self.group * share; k < end_of_share; k += entries_in_flight)
      self.turn(k, [&](int i, Scalar const& factor, auto const& b) {
        if (k + i < end_of_share) // the first row of B may not be finite
          add_row(sums, factor, b);
      });
  }
  // Of groups that differ in their bits from the highest on.
  for (int half = 1 << self.log_groups >> 1; half > 0; half /= 2)
  {
    if (self.group >= half && self.group < 2 * half)
      self.leave(sums);
    __syncthreads();
    if (self.group < half)
      self.add_left(sums, self.group + half);
  }
#if __CUDA_ARCH__ >= 900
  if (cluster > 1)
  {
    auto const blocks = cooperative_groups::this_cluster();
    blocks.sync(); // all have begun, and the first has read what its groups left
    if (part > 0 && self.group == 0)
      self.store_shared(blocks.map_shared_rank(self.head(part), 0), sums);
    blocks.sync();
    if (part == 0 && self.group == 0)
      for (int n = 1; n < cluster; ++n)
        self.add_left(sums, n);
  }
#endif
  if (part == 0 && self.group == 0)
    self.operands.store_row(row, self.at, sums);
}

template <class Entries, class Operands, class Tiles>
__global__ void __launch_bounds__(SpmmTilesPolicy::threads_per_block,
                                  SpmmTilesPolicy::blocks<typename Operands::scalar>())
    spmm_csr_tiles_kernel(Entries a, Operands operands, Tiles tiles, int length, int room)
{
  using Scalar = typename Operands::scalar;
  let_next_start();
  int const log_lanes = __ffs(operands.lanes) - 1;
  TileGroup<Entries, Operands> const self{a,
                                          operands,
                                          operands.lane_columns(),
                                          SpmmTileMemory<Scalar>(dynamic_shared(), room),
                                          static_cast<int>(threadIdx.x) >> log_lanes,
                                          SpmmTilesPolicy::log_threads - log_lanes};
  std::int64_t block = blockIdx.x;
  std::int64_t const shared_blocks = tiles.shared_count * tiles.cluster;
  if (block < shared_blocks)
    return multiply_long_row(self,
                             static_cast<std::int64_t>(tiles.long_rows[block / tiles.cluster]),
                             tiles.cluster, room);
  block -= shared_blocks;
  std::int64_t const alone = tiles.long_count - tiles.shared_count;
  if (block < alone)
    return multiply_long_row(
        self, static_cast<std::int64_t>(tiles.long_rows[tiles.shared_count + block]), 1, room);
  if (std::int64_t const t = block - alone; t < tiles.count) // others fill the last cluster
    multiply_tile(self, row_tile(tiles, t, a.offsets, length));
}

// C <- alpha A B + beta C, for operands that have packets. room: entries of a tile at most, whole
// turns; b_tile: of a row of B at most, bytes. Asynchronous.
template <class Cuts, class Entries, class Scalar>
void spmm_by_tiles(Kokkos::Cuda const& exec, Cuts const& cuts, int room, Entries const& a,
                   RowMajorOperands<Scalar> const& all, int b_tile)
{
  if (a.rows == 0)
    return;
  using Operands = TiledOperands<Scalar, TileShape<widest_packet<Scalar>, 1>>;
  using Tiles = decltype(cuts.view(1, 0));
  Operands operands = tiled<typename Operands::shape>(all, b_tile);
  while (operands.lanes > 1 && operands.columns <= operands.lanes / 2 * Operands::shape::width)
    operands.lanes /= 2;
  constexpr char const* label = "heddle::spmm::csr_tiles";
  auto* const kernel = spmm_csr_tiles_kernel<Entries, Operands, Tiles>;
  std::int64_t const shared =
      SpmmTilesPolicy::is_narrow(all.b_row_bytes()) ? cuts.shared_count : cuts.more_shared_count;
  int const cluster =
      shared > 0 && has_clusters(exec, label, kernel) ? cuts.blocks_per_shared_row : 1;
  Tiles const tiles = cuts.view(cluster, shared);
  Grid grid{impl::divided_up(tiles.shared_count * cluster + tiles.long_count - tiles.shared_count +
                                 tiles.count,
                             cluster) *
                cluster,
            SpmmTilesPolicy::threads_per_block};
  grid.blocks_y = tiles_of(operands);
  grid.shared_bytes = SpmmTileMemory<Scalar>::bytes(room);
  grid.blocks_per_processor = SpmmTilesPolicy::blocks<Scalar>();
  grid.cluster = cluster;
  launch(exec, label, kernel, grid, a, operands, tiles, cuts.length, room);
}

} // namespace heddle::cuda_native
