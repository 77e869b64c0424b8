// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A way of csr_rows (spmm/csr_rows.cuh) through rows of which most are short and some are long, for
// a wide B: the long ones go first, in segments or a block each, as a list has them; all others go
// in the order of the matrix as csr_short has them, several tiles of a row one after the other, so
// that neighbouring rows are worked on at the same time and what they share of B is read once. A
// list in the order of lengths puts rows side by side that are far from each other, and tiles of
// entries (spmm/csr_tiles_kernel.cuh) spend more instructions on an entry than its row of B takes
// from memory. One launch, and one for the sums of segments. Bytes: A once for what a group takes
// of a row of B; B gathered, whole rows of it at a time; C once. Limit: the memory's throughput.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_rows_in_order_policy.hpp>
#include <heddle/cuda_native/spmm/csr_rows_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/segment_sums.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

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
  launch(exec, "heddle::spmm::csr_rows",
         spmm_csr_rows_in_order_kernel<Entries, std::remove_const_t<decltype(pairs)>>, grid, a,
         pairs, tasks, parts.data(), static_cast<unsigned>(long_blocks),
         static_cast<unsigned>(tiles), static_cast<unsigned>(short_blocks),
         static_cast<int>(shape.long_from));
  if (tasks.segments > 0)
    add_up_segments(exec, single, tasks, parts.data());
}

} // namespace heddle::cuda_native
