// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric phase of SpGEMM in panels: a team of threads has the sums of a row of C in shared
// memory, or those of the rows of a node (spgemm/nodes.cuh) or of a row of blocks of BSR, which
// have one pattern. It takes the rows of B one after the other, threads side by side, and adds to
// the sums at the slots that the plan found (spgemm/panel_slots.cuh): 16 bits for each product of a
// row, or of a node of size^3 products. Nothing is looked up, and nothing is atomic, since a row of
// B has each column once: sums are in the order of A's entries, and repeatable. Values are those of
// the caller's arrays.

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
  std::int64_t begin = 0; // of entries, or of blocks
  int width = 0;          // columns of each row
};

// How nodes of `rows` rows are stored as CSR: where rows of a node, columns and values are.
template <int rows>
struct NodesInCsr
{
  static constexpr int size = rows;
  // Whether sums are added up in C itself, and whether some have no entry in C.
  static constexpr bool is_in_place = false, has_gaps = false;

  // The rows of a node of a factor; nothing if they have not one length, a multiple of size.
  template <class Matrix>
  __device__ static PanelFactorRow row_of(Matrix const& m, std::int64_t node)
  {
    std::int64_t const row = node * size;
    PanelFactorRow result{static_cast<std::int64_t>(m.begin_of(row)), m.length_of(row)};
    if constexpr (size > 1)
      if (result.width % size != 0 ||
          static_cast<std::int64_t>(m.offsets[row + size]) - result.begin !=
              static_cast<std::int64_t>(size) * result.width)
        result.width = 0;
    return result;
  }
  // The same of C, whose rows are as the plan made them.
  template <class C>
  __device__ static PanelFactorRow row_of_result(C const& c, std::int64_t node)
  {
    std::int64_t const row = node * size;
    auto const begin = static_cast<std::int64_t>(c.offsets[row]);
    return {begin, static_cast<int>(static_cast<std::int64_t>(c.offsets[row + 1]) - begin)};
  }
  // Of block n of a row: its first column, and the node that it takes of the other factor.
  template <class Ordinal>
  __device__ static Ordinal column_of(Ordinal const* columns, std::int64_t begin, std::int64_t n)
  {
    return columns[begin + n * size];
  }
  template <class Ordinal>
  __device__ static std::int64_t node_of(Ordinal column)
  {
    return static_cast<std::int64_t>(column) / size;
  }
  // Where the value of block n in row r and column x of it is.
  __device__ static std::int64_t place(PanelFactorRow const& row, int n, int r, int x)
  {
    return row.begin + static_cast<std::int64_t>(r) * row.width + n * size + x;
  }
  // The same among the sums of a panel, whose rows have `width` columns.
  __device__ static int place_in_panel(int width, int n, int r, int x)
  {
    return r * width + n * size + x;
  }
  // And of value k of a row's, as they are stored.
  __device__ static int value_in_panel(int, int k) { return k; }
};

// How blocks of `rows` x `rows` are stored as BSR.
template <int rows, bool adds_in_place>
struct BlocksInBsr
{
  static constexpr int size = rows;
  static constexpr bool is_in_place = adds_in_place, has_gaps = false;

  template <class Matrix>
  __device__ static PanelFactorRow row_of(Matrix const& m, std::int64_t row)
  {
    auto const begin = static_cast<std::int64_t>(m.offsets[row]);
    return {begin, size * static_cast<int>(static_cast<std::int64_t>(m.offsets[row + 1]) - begin)};
  }
  template <class C>
  __device__ static PanelFactorRow row_of_result(C const& c, std::int64_t row)
  {
    return row_of(c, row);
  }
  template <class Ordinal>
  __device__ static Ordinal column_of(Ordinal const* columns, std::int64_t begin, std::int64_t n)
  {
    return columns[begin + n];
  }
  template <class Ordinal>
  __device__ static std::int64_t node_of(Ordinal column)
  {
    return static_cast<std::int64_t>(column);
  }
  __device__ static std::int64_t place(PanelFactorRow const& row, int n, int r, int x)
  {
    return (row.begin + n) * (size * size) + r * size + x;
  }
  __device__ static int place_in_panel(int width, int n, int r, int x)
  {
    return is_in_place ? (n * size + r) * size + x : r * width + n * size + x;
  }
  __device__ static int value_in_panel(int width, int k)
  {
    return place_in_panel(width, k / (size * size), k / size % size, k % size);
  }
};

// Row i of C, or the rows of node i, by a team of `threads` threads: all of a warp take part, those
// of a team without a row (is_there) by groups of lanes alone. Rows of A and B that have not the
// lengths of the plan's pattern are left out, and reported; so are columns that C lacks in one row
// of rows_per_check. panel: for the sums, in shared memory, or C's own values.
template <class Nodes, int threads, class A, class B, class C>
__device__ void sum_in_panel(A const& a, B const& b, C const& c, std::int64_t i, bool is_there,
                             PanelSlots const& slots, typename C::value_type* panel)
{
  using Sum = typename C::value_type;
  constexpr int size = Nodes::size;
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
  PanelFactorRow const of_a = is_there ? Nodes::row_of(a, i) : PanelFactorRow{};
  int const entries = of_a.width / size;
  PanelFactorRow const of_c = is_there ? Nodes::row_of_result(c, i) : PanelFactorRow{};
  std::uint16_t const* __restrict__ slot = slots.of + slots.offsets[i];
  int left = is_there ? static_cast<int>(slots.offsets[i + 1] - slots.offsets[i]) : 0;
  bool is_as_planned = true;
  bool const is_checked = is_there && i % spgemm_panel_policy.rows_per_check == 0;

  for (int k = rank; k < size * of_c.width; k += threads)
    panel[k] = Sum(0);
  wait();
  int const most_entries = lanes < warp_size ? largest_of_warp(entries) : entries;
  for (int first = 0; first < most_entries; first += lanes)
  {
    PanelFactorRow mine;
    if (first + lane < entries)
      mine =
          Nodes::row_of(b, Nodes::node_of(Nodes::column_of(a.columns, of_a.begin, first + lane)));
    for (int k = 0; k < min(lanes, most_entries - first); ++k)
    {
      PanelFactorRow of_b{__shfl_sync(all_lanes, mine.begin, k, lanes),
                          __shfl_sync(all_lanes, mine.width, k, lanes)};
      if (of_b.width / size > left)
      {
        is_as_planned = false;
        of_b.width = 0;
      }
      Sum factors[rows_of_thread][size];
      if (first + k < entries)
      {
#pragma unroll
        for (int r = 0; r < rows_of_thread; ++r)
#pragma unroll
          for (int s = 0; s < size; ++s)
            factors[r][s] = Sum(a.values[Nodes::place(of_a, first + k, first_row + r, s)]);
      }
      if (is_checked)
        for (int m = rank; m < of_b.width / size; m += threads)
          is_as_planned = is_as_planned && Nodes::column_of(c.columns, of_c.begin, slot[m]) ==
                                               Nodes::column_of(b.columns, of_b.begin, m);
      int const widest = lanes < warp_size ? largest_of_warp(of_b.width) : of_b.width;
      for (int from = first_column; from < widest; from += side_by_side * unroll)
      {
        Sum value[unroll][size];
        int at[unroll];
#pragma unroll
        for (int u = 0; u < unroll; ++u)
        {
          int const column = from + u * side_by_side;
          if (column < of_b.width)
          {
            int const n = column / size, x = column % size;
            at[u] = Nodes::place_in_panel(of_c.width, slot[n], first_row, x);
#pragma unroll
            for (int s = 0; s < size; ++s)
              value[u][s] = Sum(b.values[Nodes::place(of_b, n, s, x)]);
          }
        }
#pragma unroll
        for (int u = 0; u < unroll; ++u)
          if (from + u * side_by_side < of_b.width)
          {
#pragma unroll
            for (int r = 0; r < rows_of_thread; ++r)
            {
              Sum& sum = panel[at[u] + Nodes::place_in_panel(of_c.width, 0, r, 0)];
              Sum to = sum;
#pragma unroll
              for (int s = 0; s < size; ++s)
                to += factors[r][s] * value[u][s];
              sum = to;
            }
          }
      }
      slot += of_b.width / size;
      left -= of_b.width / size;
      wait();
    }
  }
  if (left != 0 || !is_as_planned)
    c.report();
  if constexpr (Nodes::has_gaps)
    Nodes::template write_sums<threads>(c, i, of_c, panel, rank);
  else if constexpr (!Nodes::is_in_place)
    for (int k = rank; k < size * of_c.width; k += threads)
      c.values[Nodes::place(of_c, 0, 0, 0) + k] = panel[Nodes::value_in_panel(of_c.width, k)];
}

// Row n of a list, by the team of the block that has it.
template <class Nodes, int threads, class A, class B, class C>
__device__ void sum_listed_panel(A const& a, B const& b, C const& c,
                                 PanelRows<typename A::ordinal_type> const& rows,
                                 std::int64_t block, PanelSlots const& slots)
{
  using Sum = typename C::value_type;
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = block * (blockDim.x / threads) + team;
  bool const is_there = n < rows.count;
  if (threads >= warp_size && !is_there)
    return; // whole warps
  std::int64_t const i = is_there ? static_cast<std::int64_t>(rows.list[n]) : 0;
  Sum* panel = nullptr;
  if constexpr (Nodes::is_in_place)
    panel = c.values + Nodes::place(Nodes::row_of_result(c, i), 0, 0, 0);
  else
    panel = reinterpret_cast<Sum*>(dynamic_shared() + team * rows.bytes);
  sum_in_panel<Nodes, threads>(a, b, c, i, is_there, slots, panel);
}

template <class Nodes, int threads, class A, class B, class C>
__global__ void __launch_bounds__(threads > warp_size ? spgemm_panel_policy.single_block
                                                      : spgemm_panel_policy.shared_block)
    spgemm_node_panels_kernel(A a, B b, C c, PanelRows<typename A::ordinal_type> rows,
                              PanelSlots slots)
{
  sum_listed_panel<Nodes, threads>(a, b, c, rows, blockIdx.x, slots);
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
    sum_listed_panel<NodesInCsr<1>, threads>(a, b, c, {list + of_team.first, of_team.count, bytes},
                                             block, slots);
  });
}

} // namespace heddle::cuda_native
