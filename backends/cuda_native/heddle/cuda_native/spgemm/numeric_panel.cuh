// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric phase of SpGEMM in panels: a team of threads has the sums of a row of C in shared
// memory, or those of the rows of a node (spgemm/nodes.cuh), which have one pattern. It takes the
// rows of B one after the other, threads side by side, and adds to the sums at the slots that the
// plan found (spgemm/panel_slots.cuh): 16 bits for each product of a row, or of a node of size^3
// products. Nothing is looked up, and nothing is atomic, since a row of B has each column once:
// sums are in the order of A's entries, and repeatable. Values are those of the caller's CSR
// arrays.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/panel_policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Slots of products: those of row (node) i of C are of[offsets[i]] .. of[offsets[i + 1] - 1], in
// the order of A's entries and of their rows of B.
struct PanelSlots
{
  std::int64_t const* offsets;
  std::uint16_t const* of;
};

// Rows of a team: which, and the bytes of shared memory of each team.
template <class Ordinal>
struct PanelRows
{
  Ordinal const* list;
  std::int64_t count;
  int bytes;
};

// A row of B, or the rows of a node.
struct PanelFactorRow
{
  std::int64_t begin = 0;
  int width = 0; // columns of each row

  // Row `row` and the size - 1 behind it; nothing if they are not a node.
  template <int size, class B>
  __device__ static PanelFactorRow of(B const& b, std::int64_t row)
  {
    PanelFactorRow result{static_cast<std::int64_t>(b.begin_of(row)), b.length_of(row)};
    if constexpr (size > 1)
      if (result.width % size != 0 ||
          static_cast<std::int64_t>(b.offsets[row + size]) - result.begin !=
              static_cast<std::int64_t>(size) * result.width)
        result.width = 0;
    return result;
  }
};

// Row i of C, or the rows of node i, by a team of so many threads: all of a warp take part, those
// of a team without a row (is_there) by groups of lanes alone. Rows of A and B that have not the
// lengths of the plan's pattern are left out, and reported; so are columns that C lacks in one row
// of rows_per_check.
template <int size, int threads, class A, class B, class C>
__device__ void sum_in_panel(A const& a, B const& b, C const& c, std::int64_t i, bool is_there,
                             PanelSlots const& slots, typename C::value_type* panel)
{
  using Sum = typename C::value_type;
  using Policy = SpgemmPanelPolicyFor<size>;
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr int lanes = threads < warp_size ? threads : warp_size;
  constexpr int side_by_side = threads / Policy::row_groups;
  constexpr int rows_of_thread = size / Policy::row_groups;
  constexpr int unroll = Policy::template columns_of_lane<Sum>;
  int const rank = static_cast<int>(threadIdx.x) % threads, lane = rank % lanes;
  int const first_column = rank % side_by_side;
  int const first_row = rank / side_by_side * rows_of_thread;
  auto const wait = [] {
    if constexpr (threads > warp_size)
      __syncthreads();
    else
      __syncwarp();
  };
  std::int64_t const row = i * size;
  PanelFactorRow const of_a = is_there ? PanelFactorRow::of<size>(a, row) : PanelFactorRow{};
  int const entries = of_a.width / size;
  auto const c_begin = static_cast<std::int64_t>(c.offsets[row]);
  int const c_width =
      is_there ? static_cast<int>(static_cast<std::int64_t>(c.offsets[row + 1]) - c_begin) : 0;
  std::uint16_t const* __restrict__ slot = slots.of + slots.offsets[i];
  int left = is_there ? static_cast<int>(slots.offsets[i + 1] - slots.offsets[i]) : 0;
  bool is_as_planned = true;
  bool const is_checked = is_there && i % spgemm_panel_policy.rows_per_check == 0;

  for (int k = rank; k < size * c_width; k += threads)
    panel[k] = Sum(0);
  wait();
  int const most_entries = lanes < warp_size ? largest_of_warp(entries) : entries;
  for (int first = 0; first < most_entries; first += lanes)
  {
    PanelFactorRow mine;
    if (first + lane < entries)
    {
      auto const column = static_cast<std::int64_t>(
          a.columns[of_a.begin + static_cast<std::int64_t>(first + lane) * size]);
      mine = PanelFactorRow::of<size>(b, column - column % size);
    }
    for (int k = 0; k < min(lanes, most_entries - first); ++k)
    {
      std::int64_t const b_begin = __shfl_sync(all_lanes, mine.begin, k, lanes);
      int width = __shfl_sync(all_lanes, mine.width, k, lanes);
      if (width / size > left)
      {
        is_as_planned = false;
        width = 0;
      }
      Sum factors[rows_of_thread][size];
      if (first + k < entries)
      {
#pragma unroll
        for (int r = 0; r < rows_of_thread; ++r)
#pragma unroll
          for (int s = 0; s < size; ++s)
            factors[r][s] =
                Sum(a.values[of_a.begin + static_cast<std::int64_t>(first_row + r) * of_a.width +
                             (first + k) * size + s]);
      }
      if (is_checked)
        for (int m = rank; m < width / size; m += threads)
          is_as_planned =
              is_as_planned && c.columns[c_begin + static_cast<std::int64_t>(slot[m]) * size] ==
                                   b.columns[b_begin + static_cast<std::int64_t>(m) * size];
      int const widest = lanes < warp_size ? largest_of_warp(width) : width;
      for (int from = first_column; from < widest; from += side_by_side * unroll)
      {
        Sum value[unroll][size];
        int at[unroll];
#pragma unroll
        for (int u = 0; u < unroll; ++u)
        {
          int const column = from + u * side_by_side;
          if (column < width)
          {
            at[u] = static_cast<int>(slot[column / size]) * size + column % size;
#pragma unroll
            for (int s = 0; s < size; ++s)
              value[u][s] = Sum(b.values[b_begin + static_cast<std::int64_t>(s) * width + column]);
          }
        }
#pragma unroll
        for (int u = 0; u < unroll; ++u)
          if (from + u * side_by_side < width)
          {
#pragma unroll
            for (int r = 0; r < rows_of_thread; ++r)
            {
              Sum& sum = panel[(first_row + r) * c_width + at[u]];
              Sum to = sum;
#pragma unroll
              for (int s = 0; s < size; ++s)
                to += factors[r][s] * value[u][s];
              sum = to;
            }
          }
      }
      slot += width / size;
      left -= width / size;
      wait();
    }
  }
  if (left != 0 || !is_as_planned)
    c.report();
  for (int k = rank; k < size * c_width; k += threads)
    c.values[c_begin + k] = panel[k];
}

// Row n of a list, by the team of the block that has it.
template <int size, int threads, class A, class B, class C>
__device__ void sum_listed_panel(A const& a, B const& b, C const& c,
                                 PanelRows<typename A::ordinal_type> const& rows,
                                 std::int64_t block, PanelSlots const& slots)
{
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = block * (blockDim.x / threads) + team;
  bool const is_there = n < rows.count;
  if (threads >= warp_size && !is_there)
    return; // whole warps
  sum_in_panel<size, threads>(
      a, b, c, is_there ? static_cast<std::int64_t>(rows.list[n]) : 0, is_there, slots,
      reinterpret_cast<typename C::value_type*>(dynamic_shared() + team * rows.bytes));
}

template <int size, int threads, class A, class B, class C>
__global__ void __launch_bounds__(threads > warp_size ? spgemm_panel_policy.single_block
                                                      : spgemm_panel_policy.shared_block)
    spgemm_node_panels_kernel(A a, B b, C c, PanelRows<typename A::ordinal_type> rows,
                              PanelSlots slots)
{
  sum_listed_panel<size, threads>(a, b, c, rows, blockIdx.x, slots);
}

// Sums of these nodes in panels. Asynchronous.
template <int size, int threads, class A, class B, class C>
void sum_nodes_in_panels(SideStreams& side, A const& a, B const& b, C const& c,
                         PanelRows<typename A::ordinal_type> const& rows, PanelSlots const& slots)
{
  constexpr int block =
      threads > warp_size ? spgemm_panel_policy.single_block : spgemm_panel_policy.shared_block;
  static_assert(threads <= warp_size || threads == block);
  constexpr int teams = block / threads;
  Grid grid{blocks_for(rows.count, teams), block};
  grid.shared_bytes = static_cast<std::size_t>(teams) * static_cast<std::size_t>(rows.bytes);
  grid.blocks_per_processor =
      panel_blocks_of_multiprocessor(device_shape(side.exec()), grid.shared_bytes, block);
  launch(side, "heddle::spgemm::panels", spgemm_node_panels_kernel<size, threads, A, B, C>, grid, a,
         b, c, rows, slots);
}

// Rows of all teams by one launch: their panels take as much memory in each block.
using PanelBlocks = BinBlocks<panel_teams>;

template <class A, class B, class C>
__global__ void __launch_bounds__(spgemm_panel_policy.shared_block, 16)
    spgemm_row_panels_kernel(A a, B b, C c, typename A::ordinal_type const* list, PanelBlocks teams,
                             int bytes_of_block, PanelSlots slots)
{
  teams.visit([&]<int n>(BinIndex<n>, RowRange const& of_team, std::int64_t block) {
    constexpr int threads = panel_threads(n);
    int const bytes = bytes_of_block / (spgemm_panel_policy.shared_block / threads);
    sum_listed_panel<1, threads>(a, b, c, {list + of_team.first, of_team.count, bytes}, block,
                                 slots);
  });
}

} // namespace heddle::cuda_native
