// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel of csr_short (spmm/csr_short.cuh): a group of lanes takes a row, and each of its lanes
// reads the columns and values itself, which all lanes of the group read at once. Without shared
// memory, batches and rows to come there is little to hold and to do beside the rows of B: 40
// registers, with which 48 warps of a multiprocessor wait for memory side by side (so does the
// kernel of cuSPARSE 12.9 for short rows). Bytes: A once per tile, from the caches for all lanes
// but the first; B gathered; C once. Limit: the memory's throughput, or the second cache's where
// rows share few columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// What block `block` of a tile does: a group goes through `rounds` rows, as many apart as a block
// has groups, of a list, or, where that is null, of the first `rows` of the matrix.
// is_exact: the last turn of a row has as many entries as are left; else four, of which it loads
// those that are there.
template <bool is_exact, class Entries, class Operands>
__device__ void multiply_short_rows_of_block(Entries const& a, Operands const& operands,
                                             typename Operands::LaneColumns const& at,
                                             typename Entries::ordinal_type const* list,
                                             std::int64_t rows, std::int64_t block, int rounds)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  using Index = EntryIndexOf<typename Entries::offset_type>;
  int const lanes = operands.lanes, groups = SpmmPolicy::threads_per_block / lanes;
  std::int64_t task = block * groups * rounds + static_cast<int>(threadIdx.x) / lanes;
  for (int n = 0; n < rounds && task < rows; ++n, task += groups)
  {
    std::int64_t const row = list == nullptr ? task : static_cast<std::int64_t>(__ldg(list + task));
    auto entry = static_cast<Index>(load_cached(a.offsets + row));
    auto const end = static_cast<Index>(load_cached(a.offsets + row + 1));
    Scalar sums[Shape::per_lane];
    set_zero(sums);
    // `count` entries side by side, of which `have` are there.
    auto turn = [&](auto count, auto is_whole, int have) {
      constexpr int slots = decltype(count)::value;
      constexpr bool whole = decltype(is_whole)::value;
      auto const from = a.from(entry);
      int columns[slots];
      Scalar factors[slots];
      typename Operands::packet b[slots][Shape::packets];
#pragma unroll
      for (int i = 0; i < slots; ++i)
        columns[i] = whole || i < have ? from.column_of_group(i) : 0;
      load_rows_of_b<whole>(operands, at, columns, have, b);
#pragma unroll
      for (int i = 0; i < slots; ++i)
        factors[i] = whole || i < have ? from.template value_of_group<Scalar>(i) : Scalar(0);
#pragma unroll
      for (int i = 0; i < slots; ++i)
        add_row(sums, factors[i], b[i]);
    };
    auto const whole_turn = [&](auto count) {
      turn(count, std::true_type{}, decltype(count)::value);
    };
    std::integral_constant<int, entries_in_flight> const all;
    for (; end - entry >= entries_in_flight; entry += entries_in_flight)
      whole_turn(all);
    if constexpr (!is_exact)
    {
      if (entry < end)
        turn(all, std::false_type{}, static_cast<int>(end - entry));
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
    operands.store_row(row, at, sums);
  }
}

template <bool is_exact, class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  SpmmPolicy::short_blocks<typename Operands::scalar>())
    spmm_csr_short_kernel(Entries a, Operands operands, int rounds)
{
  multiply_short_rows_of_block<is_exact>(a, operands, operands.lane_columns(), nullptr, a.rows,
                                         blockIdx.x, rounds);
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

// C <- alpha A B + beta C, for operands that have packets, with rows of `mean` entries.
// Asynchronous.
template <class Entries, class Scalar>
void multiply_short_rows(Kokkos::Cuda const& exec, Entries const& a, double mean,
                         RowMajorOperands<Scalar> const& all, int tile_bytes)
{
  constexpr int width = widest_packet<Scalar>;
  using Operands = TiledOperands<Scalar, TileShape<width, 1>>;
  Operands operands = tiled<TileShape<width, 1>>(all, tile_bytes);
  operands.lanes = short_lanes(operands);
  int const rounds = SpmmCsrPolicyFor::short_rounds(a.rows, operands.lanes);
  Grid grid{};
  grid.blocks = blocks_of_short_rows(a.rows, operands.lanes, rounds);
  grid.threads_per_block = SpmmPolicy::threads_per_block;
  grid.blocks_y = tiles_of(operands);
  auto* const kernel = SpmmCsrPolicyFor::short_is_exact(mean, operands.lanes)
                           ? spmm_csr_short_kernel<true, Entries, Operands>
                           : spmm_csr_short_kernel<false, Entries, Operands>;
  launch(exec, "heddle::spmm::csr_short", kernel, grid, a, operands, rounds);
}
// Lanes of a group.
template <class Scalar>
int lanes_of_short_rows(RowMajorOperands<Scalar> const& all, int tile_bytes)
{
  return tiled<TileShape<widest_packet<Scalar>, 1>>(all, tile_bytes).lanes;
}

} // namespace heddle::cuda_native
