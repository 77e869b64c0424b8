// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR, row by row (after Sputnik, Gale et al. 2020, and RoDe, Pang et al. 2024, in what
// they do about long and short rows; spmm/row_lanes.cuh has who does a row). Where rows differ in
// length the plan holds them in a list, those of most entries first, so that neighbours in a warp
// are done together and nobody waits for a long row at the end: those of all tiles go first where
// the last tile's would be waited for. Its shortest rows, if they are not too many, are read as
// csr_short does. The sums of segments of the longest are added up by a second kernel, always in
// the same order.
// With a wide B and many rows, most of them short, only the long ones go by the list; the others
// follow in the order of the matrix as csr_short has them, two packets a lane, so that neighbouring
// rows are worked on at the same time and what they share of B is read once. A list in the order of
// lengths puts rows side by side that are far from each other, and tiles of entries
// (spmm/csr_tiles_kernel.cuh) have three times as many instructions. Limit: the memory's
// throughput.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows_in_order_policy.hpp>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_lanes.cuh>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/row_tasks.hpp>
#include <heddle/cuda_native/spmm/segment_sums.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

// Whether short rows of a list go as csr_short's: with one packet a lane.
template <class Operands>
inline constexpr bool takes_short_rows = Operands::shape::packets == 1;

// Where a block of a grid works.
struct BlockOfTile
{
  std::int64_t block, tile;
};
// In a grid of tiles side by side in y, where the first blocks of all tiles go before all others;
// it has less than 2^32 blocks.
__device__ inline BlockOfTile block_with_first(unsigned first)
{
  unsigned const tiles = gridDim.y, n = blockIdx.y * gridDim.x + blockIdx.x;
  if (n < first * tiles)
    return {n / tiles, n % tiles};
  unsigned const others = gridDim.x - first, m = n - first * tiles;
  return {first + m % others, m / others};
}

template <bool is_mixed, bool has_rounds, class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  SpmmPolicy::rows_blocks<typename Operands::scalar>(has_rounds))
    spmm_csr_rows_kernel(Entries a, Operands operands,
                         RowTasks<typename Entries::ordinal_type> tasks,
                         typename Operands::scalar* __restrict__ parts)
{
  using Scalar = typename Operands::scalar;
  constexpr int warps = SpmmPolicy::warps;
  __shared__ EntrySlots<Scalar> slots;
  let_next_start();
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  BlockOfTile const of_grid = is_mixed && tasks.first_blocks > 0
                                  ? block_with_first(tasks.first_blocks)
                                  : BlockOfTile{blockIdx.x, blockIdx.y};
  RowLane<Entries, Operands> const self{a,
                                        operands,
                                        operands.lane_columns(of_grid.tile),
                                        slots.columns[warp],
                                        reinterpret_cast<Scalar*>(slots.values[warp]),
                                        static_cast<int>(threadIdx.x) % warp_size};
  std::int64_t block = of_grid.block;
  if constexpr (is_mixed)
  {
    if (block < tasks.segments)
      return multiply_segment(self, tasks, block, parts);
    block -= tasks.segments;
    auto const row_at = [&](std::int64_t slot) -> std::int64_t {
      return tasks.list == nullptr ? slot : static_cast<std::int64_t>(tasks.list[slot]);
    };
    if (block < tasks.block_rows)
      return multiply_row_by_block(self, row_at(tasks.long_rows + block));
    block -= tasks.block_rows;
    std::int64_t const warp_blocks = impl::divided_up(tasks.warp_rows, warps);
    if (block < warp_blocks)
    {
      std::int64_t const task = block * warps + warp;
      if (task < tasks.warp_rows)
        multiply_row_by_warp(self, row_at(tasks.long_rows + tasks.block_rows + task));
      return;
    }
    block -= warp_blocks;
  }
  if constexpr (is_mixed && takes_short_rows<Operands>)
  {
    if (block >= tasks.group_blocks)
    {
      Operands own = operands;
      own.lanes = short_lanes(operands);
      return multiply_short_rows_of_block<false>(
          a, own, of_grid.tile, 1,
          tasks.list + tasks.long_rows + tasks.block_rows + tasks.warp_rows + tasks.group_rows,
          tasks.short_rows, block - tasks.group_blocks, tasks.short_rounds);
    }
  }
  int const log_lanes = __ffs(operands.lanes) - 1;
  int const groups = SpmmPolicy::threads_per_block >> log_lanes;
  std::int64_t const group = static_cast<int>(threadIdx.x) >> log_lanes;
  if constexpr (has_rounds)
  {
    std::int64_t const first = is_mixed ? tasks.long_rows + tasks.block_rows + tasks.warp_rows : 0;
    std::int64_t const task = first + block * groups * tasks.rounds + group;
    std::int64_t const end_of_tasks = first + tasks.group_rows;
    if (!is_mixed && tasks.is_short)
      multiply_rows<is_mixed>(
          RowLane<Entries, Operands, 1>{a, operands, self.at, self.columns, self.values, self.lane},
          tasks, task, groups, end_of_tasks);
    else
      multiply_rows<is_mixed>(self, tasks, task, groups, end_of_tasks);
  }
  else
  {
    std::int64_t const row = block * groups + group;
    multiply_row(self, row, row < tasks.group_rows);
  }
}

// Blocks: `long_blocks` for each of the `tiles` tiles of a packet per lane, those of a row side by
// side; then `short_blocks` for each tile of two packets per lane.
template <class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  SpmmPolicy::in_order_blocks<typename Operands::scalar>())
    spmm_csr_rows_in_order_kernel(Entries a, Operands operands,
                                  RowTasks<typename Entries::ordinal_type> tasks,
                                  typename Operands::scalar* __restrict__ parts,
                                  unsigned long_blocks, unsigned tiles, unsigned short_blocks,
                                  int long_from)
{
  using Scalar = typename Operands::scalar;
  __shared__ EntrySlots<Scalar> slots;
  let_next_start();
  unsigned const first_blocks = long_blocks * tiles;
  if (blockIdx.x >= first_blocks)
  {
    unsigned const n = blockIdx.x - first_blocks;
    return multiply_short_rows_of_block<true, true>(a, operands, n / short_blocks, 1, nullptr,
                                                    a.rows, n % short_blocks, tasks.short_rounds,
                                                    long_from);
  }
  auto const single = with_packets<1>(operands);
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  RowLane<Entries, std::remove_const_t<decltype(single)>> const self{
      a,
      single,
      single.lane_columns(blockIdx.x % tiles),
      slots.columns[warp],
      reinterpret_cast<Scalar*>(slots.values[warp]),
      static_cast<int>(threadIdx.x) % warp_size};
  std::int64_t const block = blockIdx.x / tiles;
  if (block < tasks.segments)
    multiply_segment(self, tasks, block, parts);
  else
    multiply_row_by_block(
        self, static_cast<std::int64_t>(tasks.list[tasks.long_rows + block - tasks.segments]));
}

// C <- alpha A B + beta C by a list in the order of lengths, for operands that have packets.
// Asynchronous.
template <class Ordinal, class MemorySpace, class Entries, class Scalar>
void multiply_rows_in_order(Kokkos::Cuda const& exec, RowList<Ordinal, MemorySpace> const& list,
                            Entries const& a, RowMajorOperands<Scalar> const& all,
                            RowsInOrderShape const& shape)
{
  auto const single = tiled<TileShape<widest_packet<Scalar>, 1>>(all, shape.tile_bytes);
  auto const pairs = with_packets<2>(single);
  RowTasks<Ordinal> tasks = list.tasks_in_order(shape.long_from);
  tasks.short_rounds = shape.rounds;
  impl::Scratch<Scalar, Kokkos::Cuda> const parts(
      exec, static_cast<std::size_t>(tasks.segments * all.columns));
  std::int64_t const long_blocks = tasks.segments + tasks.block_rows, tiles = tiles_of(single),
                     short_blocks = blocks_of_short_rows(a.rows, single.lanes, shape.rounds);
  Grid grid{};
  grid.blocks = long_blocks * tiles + short_blocks * tiles_of(pairs);
  grid.threads_per_block = SpmmPolicy::threads_per_block;
  grid.blocks_per_processor = SpmmPolicy::in_order_blocks<Scalar>();
  grid.shared_bytes = static_cast<std::size_t>(SpmmPolicy::threads_per_block) *
                      widest_packet<Scalar> * sizeof(Scalar);
  launch(exec, "heddle::spmm::csr_rows::in_order",
         spmm_csr_rows_in_order_kernel<Entries, std::remove_const_t<decltype(pairs)>>, grid, a,
         pairs, tasks, parts.data(), static_cast<unsigned>(long_blocks),
         static_cast<unsigned>(tiles), static_cast<unsigned>(short_blocks),
         static_cast<int>(shape.long_from));
  if (tasks.segments > 0)
    add_up_segments(exec, single, tasks, parts.data());
}

// What kernels behind an SpMM of CSR have (spmm/csr.cuh) whose calls, or those by rows, have tiles
// of B as wide as the policy says for the rows as they stand.
struct TilesForAllRows
{
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return SpmmCsrPolicyFor::tile_bytes(statistics.overlap(exec, a), statistics.mean(),
                                        device_shape(exec));
  }
};

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrRows : TilesForAllRows
{
  static constexpr char const* name = "cuda_native::csr_rows";
  template <class Ordinal, class, class MemorySpace>
  using Tuning = RowList<Ordinal, MemorySpace>;

  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const&, Entries const&, Statistics const&)
  {
    return {true, "it takes rows of any length"};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    auto list = row_list(exec, a, statistics, tile_bytes(exec, a, statistics),
                         SpmmCsrPolicyFor::is_scattered(statistics.overlap(exec, a)));
    if (list.is_sorted && SpmmRowsInOrderPolicy::may_pay(statistics, statistics.overlap(exec, a)))
      cut_beside_order(exec, a, SpmmRowsInOrderPolicy::segment, list);
    return list;
  }
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if (!call.is_named && has_packets(all) &&
        SpmmCsrPolicyFor::are_shared(tuning.alike, all.b_row_bytes()))
      return multiply_short_rows(exec, a, tuning.alike, all, call.tile_bytes, 1);
    if (!call.is_named && has_packets(all) && tuning.in_order.may_pay &&
        SpmmRowsInOrderPolicy::pays(a.rows, all.b_row_bytes()))
      return multiply_rows_in_order(exec, tuning, a, all,
                                    SpmmRowsInOrderPolicy::shape(a.rows, all.b_row_bytes()));
    RowsOfCall const& by = tuning.call(all.b_row_bytes());
    with_tiles(all, by.tile_bytes, [&](auto const& operands) {
      constexpr bool takes_short = takes_short_rows<std::decay_t<decltype(operands)>>;
      run_tasks(exec, tuning.template tasks<Scalar>(operands.lanes, by, takes_short), a, operands);
    });
  }
  template <class Entries, class Operands>
  static void run_tasks(Kokkos::Cuda const& exec, RowTasks<typename Entries::ordinal_type> tasks,
                        Entries const& a, Operands const& operands)
  {
    using Scalar = typename Operands::scalar;
    constexpr int warps = SpmmPolicy::warps;
    impl::Scratch<Scalar, Kokkos::Cuda> const parts(
        exec, static_cast<std::size_t>(tasks.segments * operands.columns));
    auto launch_one = [&](auto kernel, bool has_rounds) {
      int const lanes = short_lanes(operands);
      tasks.short_rounds = SpmmShortPolicy::rounds(tasks.short_rows, lanes, tiles_of(operands), 1);
      std::int64_t const long_blocks =
          tasks.segments + tasks.block_rows + blocks_for(tasks.warp_rows, warps);
      tasks.group_blocks =
          blocks_for(tasks.group_rows, warps * warp_size / operands.lanes * tasks.rounds);
      Grid grid{};
      grid.blocks = long_blocks + tasks.group_blocks +
                    blocks_of_short_rows(tasks.short_rows, lanes, tasks.short_rounds);
      grid.threads_per_block = SpmmPolicy::threads_per_block;
      grid.blocks_y = tiles_of(operands);
      if (tasks.is_long_first && grid.blocks * grid.blocks_y <= std::numeric_limits<int>::max())
        tasks.first_blocks = static_cast<int>(long_blocks);
      grid.blocks_per_processor = SpmmPolicy::rows_blocks<Scalar>(has_rounds);
      if (tasks.segments + tasks.block_rows > 0)
        grid.shared_bytes = warps * warp_size * Operands::shape::per_lane * sizeof(Scalar);
      launch(exec, "heddle::spmm::csr_rows", kernel, grid, a, operands, tasks, parts.data());
    };
    constexpr bool is_by_entry = Operands::shape::packets > 1; // one kernel will do
    if (is_by_entry || tasks.list != nullptr || tasks.block_rows + tasks.warp_rows > 0)
      launch_one(spmm_csr_rows_kernel<true, true, Entries, Operands>, true);
    else if constexpr (!is_by_entry)
    {
      if (tasks.rounds > 1)
        launch_one(spmm_csr_rows_kernel<false, true, Entries, Operands>, true);
      else
        launch_one(spmm_csr_rows_kernel<false, false, Entries, Operands>, false);
    }
    if (tasks.segments > 0)
      add_up_segments(exec, operands, tasks, parts.data());
  }
};

} // namespace heddle::cuda_native
