// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What all native SpMM kernels share. The columns of B and C are cut into tiles; a group of
// neighbouring lanes of a warp holds a row of a tile, each lane the same few columns of it, so that
// a row of B is read in whole sectors and an entry of A serves all lanes of its group. B and C are
// row-major here (spmm/by_row.cuh brings other operands to that).

#include <heddle/accumulator.hpp>
#include <heddle/cuda_native/device/dense_packet.cuh>
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

// alpha, beta, and B and C by rows.
template <class Scalar>
struct RowMajorOperands
{
  Scalar alpha;
  Scalar const* b;
  std::int64_t b_stride; // entries from a row to the next
  Scalar beta;
  Scalar* c;
  std::int64_t c_stride;
  std::int64_t columns; // of B and C

  std::int64_t b_row_bytes() const { return columns * static_cast<std::int64_t>(sizeof(Scalar)); }
};

// A lane holds `packets` packets of `width` columns, a group's breadth apart.
template <int packet_width, int packets_per_lane>
struct TileShape
{
  static constexpr int width = packet_width, packets = packets_per_lane;
  static constexpr int per_lane = width * packets;
};

// The operands of one launch as lanes see them.
template <class Scalar, class Shape>
struct TiledOperands
{
  using scalar = Scalar;
  using shape = Shape;
  using packet = Packet<Scalar, Shape::width>;
  Scalar alpha, beta;
  Scalar const* __restrict__ b;
  Scalar* __restrict__ c;
  std::uint32_t b_row_bytes;
  std::int64_t c_stride;
  std::int64_t columns;
  int lanes; // of a group, a power of two

  // The columns of a lane in a tile. Lanes beyond the last column read the first ones.
  struct LaneColumns
  {
    std::int64_t first;
    std::int64_t left; // columns from the first on
    char const* b;
    std::uint32_t step[Shape::packets]; // bytes to the packets
    int stride;                         // columns from packet to packet

    __device__ bool has(int n) const { return n * stride < left; }
    // The n-th packet of the row of B.
    __device__ packet load(std::uint32_t row, std::uint32_t row_bytes, int n) const
    {
      return load_packet<packet>(b + static_cast<std::uint64_t>(row) * row_bytes + step[n]);
    }
  };
  __device__ LaneColumns lane_columns() const { return lane_columns(blockIdx.y); }
  __device__ LaneColumns lane_columns(std::int64_t tile) const
  {
    LaneColumns result;
    int const lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    result.stride = lanes * Shape::width;
    result.first = tile * lanes * Shape::per_lane + lane * Shape::width;
    result.left = columns - result.first;
    result.b = reinterpret_cast<char const*>(b + (result.left > 0 ? result.first : 0));
#pragma unroll
    for (int n = 0; n < Shape::packets; ++n)
      result.step[n] =
          result.has(n) ? static_cast<std::uint32_t>(n * result.stride * sizeof(Scalar)) : 0;
    return result;
  }

  // C(row, column ..) <- alpha sums + beta C(row, column ..), `count` columns.
  template <int count>
  __device__ void store(std::int64_t row, std::int64_t column, Scalar const* sums) const
  {
    store_to<count>(c + row * c_stride + column, sums);
  }
  // The same where the entries of C are known.
  template <int count>
  __device__ void store_to(Scalar* to, Scalar const* sums) const
  {
    using Out = Packet<Scalar, count>;
    Out out;
#pragma unroll
    for (int q = 0; q < count; ++q)
      out.at[q] = alpha * sums[q];
    if (beta != Scalar(0))
    {
      Out const old = Out::of(__ldcg(reinterpret_cast<typename Out::word const*>(to)));
#pragma unroll
      for (int q = 0; q < count; ++q)
        out.at[q] += beta * old.at[q];
    }
    store_packet(to, out);
  }
  // A lane's columns of a row.
  __device__ void store_row(std::int64_t row, LaneColumns const& at, Scalar const* sums) const
  {
#pragma unroll
    for (int n = 0; n < Shape::packets; ++n)
      if (at.has(n))
        store<Shape::width>(row, at.first + n * at.stride, sums + n * Shape::width);
  }
};

// Entries that threads load before they use the first; slots of shared memory are read so many at
// once.
inline constexpr int entries_in_flight = 4;

// The packets of neighbouring rows of a list, those from `have` on as zeros; is_whole: there are at
// least so many.
template <bool is_whole, class Operands, class LaneColumns, int count>
__device__ void load_rows_of_b(Operands const& operands, LaneColumns const& at, int const* rows,
                               int have,
                               typename Operands::packet (&to)[count][Operands::shape::packets])
{
  using Scalar = typename Operands::scalar;
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int n = 0; n < Operands::shape::packets; ++n)
      if (is_whole || i < have)
        to[i][n] = at.load(static_cast<std::uint32_t>(rows[i]), operands.b_row_bytes, n);
      else
      {
#pragma unroll
        for (int q = 0; q < Operands::shape::width; ++q)
          to[i][n].at[q] = Scalar(0);
      }
}

template <class Scalar, int count>
__device__ void set_zero(Scalar (&sums)[count])
{
#pragma unroll
  for (int i = 0; i < count; ++i)
    sums[i] = Scalar(0);
}

// sums += factor * row.
template <class Scalar, int width, int packets>
__device__ void add_row(Scalar* sums, Scalar const& factor,
                        Packet<Scalar, width> const (&row)[packets])
{
#pragma unroll
  for (int n = 0; n < packets; ++n)
#pragma unroll
    for (int q = 0; q < width; ++q)
      sums[n * width + q] += factor * row[n].at[q];
}

// An entry of A as a factor; is_conjugate concerns complex ones alone.
template <class Scalar, class Value>
__device__ Scalar factor_of(Value const& value, bool is_conjugate)
{
  if constexpr (impl::is_complex_v<Value>)
    if (is_conjugate)
      return Scalar(value.real(), -value.imag());
  return Scalar(value);
}

// 4-byte words, each a register, that a lane holds of a row of B or C.
template <class Operands>
inline constexpr int words_of_lane = static_cast<int>(Operands::shape::per_lane *
                                                      sizeof(typename Operands::scalar) / 4);

// StoredEntries or GatheredEntries (rows/csr_view.cuh), and whether values are conjugated. Whether
// they are gathered is part of the type: a kernel that asked would wait for a load that is needed
// later.
template <class Entries>
struct SpmmEntries : Entries
{
  using Entries::is_gathered;
  using typename Entries::offset_type;
  using typename Entries::ordinal_type;
  using typename Entries::value_type;
  bool is_conjugate;

  // The entries from the k-th on, counted from there in 32 bits.
  struct From
  {
    ordinal_type const* columns;
    std::conditional_t<is_gathered, offset_type, value_type> const* values;
    SpmmEntries const& all;

    __device__ int column(int n) const { return static_cast<int>(load_once(columns + n)); }
    template <class Scalar>
    __device__ Scalar value(int n) const
    {
      value_type value;
      if constexpr (is_gathered)
        value = all.values[load_once(values + n)];
      else
        value = load_once(values + n);
      return factor_of<Scalar>(value, all.is_conjugate);
    }
    // The same where all lanes of a group read the entry, and its neighbours soon.
    __device__ int column_of_group(int n) const { return static_cast<int>(__ldg(columns + n)); }
    template <class Scalar>
    __device__ Scalar value_of_group(int n) const
    {
      if constexpr (is_gathered)
        return factor_of<Scalar>(load_cached(all.values + __ldg(values + n)), all.is_conjugate);
      else
        return factor_of<Scalar>(load_cached(values + n), all.is_conjugate);
    }
    // Where the value is.
    __device__ value_type const* value_address(int n) const
    {
      if constexpr (is_gathered)
        return all.values + load_once(values + n);
      else
        return values + n;
    }
  };
  __device__ From from(std::int64_t k) const
  {
    if constexpr (is_gathered)
      return {this->columns + k, this->positions + k, *this};
    else
      return {this->columns + k, this->values + k, *this};
  }
};
template <class Matrix>
using SpmmStoredEntries =
    SpmmEntries<StoredEntries<typename Matrix::value_type, typename Matrix::ordinal_type,
                              typename Matrix::offset_type>>;

// The operands cut into tiles of that shape, of at most so many bytes per row, but of so many lanes
// that a lane's slots in shared memory are whole words and a grid has enough blocks for the tiles.
template <class Shape, class Scalar>
TiledOperands<Scalar, Shape> tiled(RowMajorOperands<Scalar> const& all,
                                   int tile_bytes = std::numeric_limits<int>::max())
{
  auto const lanes_for = [&all](std::int64_t tiles) {
    std::int64_t const columns = impl::divided_up(all.columns, tiles);
    return static_cast<std::int64_t>(std::bit_ceil(
        static_cast<std::uint64_t>(impl::divided_up(columns, std::int64_t(Shape::per_lane)))));
  };
  std::int64_t const least =
      std::max(lanes_for(most_grid_blocks_y), std::int64_t(entries_in_flight));
  int const most =
      std::min(warp_size, tile_bytes / (Shape::per_lane * static_cast<int>(sizeof(Scalar))));
  auto const lanes = static_cast<int>(
      std::clamp(lanes_for(1), least, std::max(least, static_cast<std::int64_t>(most))));
  return {all.alpha,
          all.beta,
          all.b,
          all.c,
          static_cast<std::uint32_t>(all.b_stride * sizeof(Scalar)),
          all.c_stride,
          all.columns,
          lanes};
}

// The same operands for lanes of that many packets.
template <int packets, class Scalar, class Shape>
KOKKOS_FUNCTION TiledOperands<Scalar, TileShape<Shape::width, packets>>
with_packets(TiledOperands<Scalar, Shape> const& of)
{
  return {of.alpha, of.beta, of.b, of.c, of.b_row_bytes, of.c_stride, of.columns, of.lanes};
}

// Columns of the widest packets, and whether the operands' alignment allows those.
template <class Scalar>
inline constexpr int widest_packet = 16 / static_cast<int>(sizeof(Scalar));
template <class Scalar>
bool has_packets(RowMajorOperands<Scalar> const& all)
{
  constexpr int width = widest_packet<Scalar>;
  return all.columns % width == 0 && all.b_stride % width == 0 && all.c_stride % width == 0 &&
         is_word_aligned(all.b) && is_word_aligned(all.c);
}

// Calls run(operands) with the widest packets that the operands' alignment allows, else entry by
// entry, in tiles of at most so many bytes per row.
template <class Scalar, class Run>
void with_tiles(RowMajorOperands<Scalar> const& all, int tile_bytes, Run const& run)
{
  constexpr int width = widest_packet<Scalar>, entries_per_lane = 4;
  if constexpr (width > 1)
    if (!has_packets(all))
      return run(tiled<TileShape<1, entries_per_lane>>(all, tile_bytes));
  run(tiled<TileShape<width, 1>>(all, tile_bytes));
}

// Tiles that a launch needs for the columns of B and C.
template <class Operands>
int tiles_of(Operands const& operands)
{
  std::int64_t const per_tile =
      static_cast<std::int64_t>(operands.lanes) * Operands::shape::per_lane;
  return static_cast<int>(impl::divided_up(operands.columns, per_tile));
}

// Kernels count rows of B in 32 bits and know the bytes of one in 32; a tile has 16 columns and
// more.
template <class Scalar>
bool is_within_tiles(std::int64_t rows_of_b, RowMajorOperands<Scalar> const& operands)
{
  constexpr std::int64_t least_columns = 16;
  return rows_of_b <= std::numeric_limits<int>::max() &&
         operands.b_stride <= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max() /
                                                        sizeof(Scalar)) &&
         operands.columns <= most_grid_blocks_y * least_columns;
}

} // namespace heddle::cuda_native
