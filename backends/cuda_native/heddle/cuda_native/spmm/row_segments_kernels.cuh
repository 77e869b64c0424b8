// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernels of spmm/row_segments.cuh, after paper 000: Listings 1 and 3 (heavy), 2 (light), 4
// (heavy, transposed) and 5 (light, transposed). The lanes of a warp are columns of B and C, 32 a
// slice; a lane has `slices` of them.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

template <class Scalar>
using RowMajor = impl::MatrixOperand<Scalar, Kokkos::LayoutRight>;

// Block n has the segments block_starts[n] .. block_starts[n + 1] - 1, all of panel
// block_panels[n].
template <class Value, class Ordinal, class Offset>
struct HeavySegments
{
  std::int64_t panel_width, cols;
  Ordinal const* __restrict__ block_panels;
  Offset const* __restrict__ block_starts;
  Ordinal const* __restrict__ rows;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;
};

template <class Value, class Ordinal, class Offset>
struct LightRows
{
  using ordinal_type = Ordinal;
  std::int64_t rows;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;
};

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x) % warp_size; }
__device__ inline int warp_of_thread() { return static_cast<int>(threadIdx.x) / warp_size; }

// visit(column, value) for the entries first .. last - 1, which are the same for all lanes: 32 are
// loaded at once, a lane each, and then go round. All lanes of the warp take part.
template <class Index, bool is_conjugate, class Ordinal, class Value, class Visit>
__device__ void visit_entries(Ordinal const* __restrict__ columns, Value const* __restrict__ values,
                              std::int64_t first, std::int64_t last, Visit const& visit)
{
  int const lane = lane_of_thread();
  for (std::int64_t from = first; from < last; from += warp_size)
  {
    int const count = static_cast<int>(last - from < warp_size ? last - from : warp_size);
    Index column{};
    Value value{};
    if (lane < count)
    {
      column = static_cast<Index>(columns[from + lane]);
      value = impl::conjugated<is_conjugate>(values[from + lane]);
    }
#pragma unroll 4
    for (int n = 0; n < count; ++n)
      visit(value_of_lane(column, n), value_of_lane(value, n));
  }
}

// The panel of a heavy block and its tile of columns of B and C, one of `tiles`.
template <int slices, class Segments>
struct HeavyTile
{
  static constexpr int columns = slices * warp_size;
  std::int64_t block, first_row, first_column; // rows of a panel are columns of A
  int rows;

  __device__ HeavyTile(Segments const& a, std::int64_t tiles)
      : block(static_cast<std::int64_t>(blockIdx.x) / tiles)
      , first_row(static_cast<std::int64_t>(a.block_panels[block]) * a.panel_width)
      , first_column(static_cast<std::int64_t>(blockIdx.x) % tiles * columns)
      , rows(static_cast<int>(a.cols - first_row < a.panel_width ? a.cols - first_row
                                                                 : a.panel_width))
  {}
  // Where in a row of the panel the lane has its slice s, and where in B and C.
  __device__ static int in_panel(int s) { return s * warp_size + lane_of_thread(); }
  __device__ std::int64_t in_matrix(int s) const { return first_column + in_panel(s); }
};

// C <- C + alpha A B for heavy segments.
template <class Policy, int slices, bool is_conjugate, class Segments, class Scalar>
__global__ void __launch_bounds__(Policy::value.heavy_threads,
                                  Policy::value.heavy_blocks_per_processor)
    spmm_heavy_kernel(Segments a, std::int64_t tiles, Scalar alpha, RowMajor<Scalar const> b,
                      RowMajor<Scalar> c)
{
  using Tile = HeavyTile<slices, Segments>;
  constexpr int warps = Policy::value.heavy_threads / warp_size;
  extern __shared__ int4 shared[];
  auto* const panel = reinterpret_cast<Scalar*>(shared);
  Tile const tile(a, tiles);
#pragma unroll 4
  for (int i = warp_of_thread(); i < tile.rows; i += warps)
#pragma unroll
    for (int s = 0; s < slices; ++s)
      panel[i * Tile::columns + Tile::in_panel(s)] =
          tile.in_matrix(s) < b.cols ? b(tile.first_row + i, tile.in_matrix(s)) : Scalar{};
  __syncthreads();

  auto const last = static_cast<std::int64_t>(a.block_starts[tile.block + 1]);
  for (auto segment = static_cast<std::int64_t>(a.block_starts[tile.block]) + warp_of_thread();
       segment < last; segment += warps)
  {
    Scalar sums[slices]{};
    visit_entries<int, is_conjugate>(
        a.columns, a.values, static_cast<std::int64_t>(a.offsets[segment]),
        static_cast<std::int64_t>(a.offsets[segment + 1]), [&](int column, Scalar const& value) {
#pragma unroll
          for (int s = 0; s < slices; ++s)
            sums[s] += value * panel[column * Tile::columns + Tile::in_panel(s)];
        });
    auto const row = static_cast<std::int64_t>(a.rows[segment]);
#pragma unroll
    for (int s = 0; s < slices; ++s)
      if (tile.in_matrix(s) < c.cols)
        impl::atomic_accumulate(c(row, tile.in_matrix(s)), alpha * sums[s]);
  }
}

// C <- C + alpha A^T B for heavy segments.
template <class Policy, int slices, bool is_conjugate, class Segments, class Scalar>
__global__ void __launch_bounds__(Policy::value.heavy_threads,
                                  Policy::value.heavy_blocks_per_processor)
    spmm_heavy_transposed_kernel(Segments a, std::int64_t tiles, Scalar alpha,
                                 RowMajor<Scalar const> b, RowMajor<Scalar> c)
{
  using Tile = HeavyTile<slices, Segments>;
  constexpr int warps = Policy::value.heavy_threads / warp_size;
  extern __shared__ int4 shared[];
  auto* const panel = reinterpret_cast<Scalar*>(shared);
  Tile const tile(a, tiles);
  for (int n = static_cast<int>(threadIdx.x); n < tile.rows * Tile::columns;
       n += Policy::value.heavy_threads)
    panel[n] = Scalar{};
  __syncthreads();

  auto const last = static_cast<std::int64_t>(a.block_starts[tile.block + 1]);
  for (auto segment = static_cast<std::int64_t>(a.block_starts[tile.block]) + warp_of_thread();
       segment < last; segment += warps)
  {
    auto const row = static_cast<std::int64_t>(a.rows[segment]);
    Scalar factors[slices];
#pragma unroll
    for (int s = 0; s < slices; ++s)
      factors[s] = tile.in_matrix(s) < b.cols ? alpha * b(row, tile.in_matrix(s)) : Scalar{};
    visit_entries<int, is_conjugate>(
        a.columns, a.values, static_cast<std::int64_t>(a.offsets[segment]),
        static_cast<std::int64_t>(a.offsets[segment + 1]), [&](int column, Scalar const& value) {
#pragma unroll
          for (int s = 0; s < slices; ++s)
            impl::atomic_accumulate(panel[column * Tile::columns + Tile::in_panel(s)],
                                    value * factors[s]);
        });
  }
  __syncthreads();

  for (int i = warp_of_thread(); i < tile.rows; i += warps)
#pragma unroll
    for (int s = 0; s < slices; ++s)
      if (tile.in_matrix(s) < c.cols)
        if (Scalar const sum = panel[i * Tile::columns + Tile::in_panel(s)]; sum != Scalar{})
          impl::atomic_accumulate(c(tile.first_row + i, tile.in_matrix(s)), sum);
}

// C <- alpha A B + beta C for light rows.
template <class Policy, int slices, bool is_conjugate, class Rows, class Scalar>
__global__ void __launch_bounds__(Policy::value.light_threads)
    spmm_light_kernel(Rows a, std::int64_t tiles, Scalar alpha, RowMajor<Scalar const> b,
                      Scalar beta, RowMajor<Scalar> c)
{
  constexpr int warps = Policy::value.light_threads / warp_size;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * warps + warp_of_thread();
  if (row >= a.rows) // all of the warp
    return;
  auto const first = static_cast<std::int64_t>(a.offsets[row]);
  auto const last = static_cast<std::int64_t>(a.offsets[row + 1]);
  for (std::int64_t tile = blockIdx.y; tile < tiles; tile += gridDim.y)
  {
    std::int64_t const column = tile * slices * warp_size + lane_of_thread();
    Scalar sums[slices]{};
    visit_entries<typename Rows::ordinal_type, is_conjugate>(
        a.columns, a.values, first, last,
        [&](typename Rows::ordinal_type entry, Scalar const& value) {
#pragma unroll
          for (int s = 0; s < slices; ++s)
            if (column + s * warp_size < b.cols)
              sums[s] += value * b(static_cast<std::int64_t>(entry), column + s * warp_size);
        });
#pragma unroll
    for (int s = 0; s < slices; ++s)
      if (column + s * warp_size < c.cols)
        impl::store(c(row, column + s * warp_size), alpha, sums[s], beta);
  }
}

// C <- C + alpha A^T B for light rows.
template <class Policy, int slices, bool is_conjugate, class Rows, class Scalar>
__global__ void __launch_bounds__(Policy::value.light_threads)
    spmm_light_transposed_kernel(Rows a, std::int64_t tiles, Scalar alpha, RowMajor<Scalar const> b,
                                 RowMajor<Scalar> c)
{
  constexpr int warps = Policy::value.light_threads / warp_size;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * warps + warp_of_thread();
  if (row >= a.rows) // all of the warp
    return;
  auto const first = static_cast<std::int64_t>(a.offsets[row]);
  auto const last = static_cast<std::int64_t>(a.offsets[row + 1]);
  if (first == last)
    return;
  for (std::int64_t tile = blockIdx.y; tile < tiles; tile += gridDim.y)
  {
    std::int64_t const column = tile * slices * warp_size + lane_of_thread();
    Scalar factors[slices];
#pragma unroll
    for (int s = 0; s < slices; ++s)
      factors[s] =
          column + s * warp_size < b.cols ? alpha * b(row, column + s * warp_size) : Scalar{};
    visit_entries<typename Rows::ordinal_type, is_conjugate>(
        a.columns, a.values, first, last,
        [&](typename Rows::ordinal_type entry, Scalar const& value) {
#pragma unroll
          for (int s = 0; s < slices; ++s)
            if (column + s * warp_size < c.cols)
              impl::atomic_accumulate(c(static_cast<std::int64_t>(entry), column + s * warp_size),
                                      value * factors[s]);
        });
  }
}

} // namespace heddle::cuda_native
