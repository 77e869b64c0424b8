// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of BSR. A group of lanes takes a block row and a tile of columns, and holds the sums of all
// rows of the block in registers: each row of B that a block needs is loaded once for all of them
// (paper 000, section 7, remark 4: coarsening along M). The values of the next blocks are copied to
// shared memory meanwhile. Square blocks of common sizes have a kernel that knows the size; of
// others a group takes a piece of up to eight rows, and their columns one by one, each a column of
// values beside each other in shared memory. Zeros that fill a block are multiplied like other
// values; what hangs over the edge of the matrix is not.
// Bytes: B gathered once per block and piece, blocks and a column number each once per tile, C
// once. Limit: the first-level cache's and shared memory's 128 bytes per cycle; the longest block
// row, which one group walks alone.

#include <heddle/bsr_matrix.hpp>
#include <heddle/cuda_native/device/async_copy.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

template <class Value, class Ordinal, class Offset>
struct SpmmBlocks
{
  using value_type = Value;
  using ordinal_type = Ordinal;
  std::int64_t block_rows, rows, cols;
  int height, width;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;
  bool is_conjugate;

  // Blocks of a block row; none behind the last.
  struct Row
  {
    std::int64_t first;
    int length;
  };
  __device__ Row row(std::int64_t r) const
  {
    if (r >= block_rows)
      return {0, 0};
    auto const first = static_cast<std::int64_t>(offsets[r]);
    return {first, static_cast<int>(static_cast<std::int64_t>(offsets[r + 1]) - first)};
  }
};

// Thread blocks on a multiprocessor where a lane holds the sums of so many rows and has so many
// rows of B on their way.
template <class Operands, int size>
inline constexpr int square_blocks_per_processor = SpmmBsrPolicy::blocks_per_processor<
    size, (size + SpmmBsrPolicy::blocks_in_flight<size, Operands::shape::packets> *
                      SpmmBsrPolicy::columns_in_flight<size>)*words_of_lane<Operands>>;
template <class Operands, int rows>
inline constexpr int piece_blocks_per_processor =
    SpmmBsrPolicy::pieces_per_processor<(rows + entries_in_flight) * words_of_lane<Operands>>;

// sums += `count` neighbouring blocks in shared memory times their rows of B, `strip` columns of
// the blocks at once. is_inside: no block hangs over the edge. A value serves at least as many sums
// as words, so that reading several at once would gain less than the registers cost.
template <int size, int count, int strip, bool is_inside, class Blocks, class Operands>
__device__ void
add_blocks(Blocks const& a, Operands const& operands, typename Operands::LaneColumns const& at,
           typename Blocks::value_type const* values, typename Blocks::ordinal_type const* columns,
           typename Operands::scalar (&sums)[size][Operands::shape::per_lane])
{
  using Scalar = typename Operands::scalar;
  constexpr int packets = Operands::shape::packets;
  auto const rows_of_b = static_cast<std::uint32_t>(a.cols);
  std::uint32_t first[count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    first[i] = static_cast<std::uint32_t>(columns[i]) * size;
#pragma unroll
  for (int x = 0; x < size; x += strip)
  {
    typename Operands::packet b[count * strip][packets];
#pragma unroll
    for (int j = 0; j < count * strip; ++j)
      if (std::uint32_t const row = first[j / strip] + x + j % strip; is_inside || row < rows_of_b)
      {
#pragma unroll
        for (int n = 0; n < packets; ++n)
          b[j][n] = at.load(row, operands.b_row_bytes, n);
      }
#pragma unroll
    for (int j = 0; j < count * strip; ++j)
      if (is_inside || first[j / strip] + x + j % strip < rows_of_b)
      {
        auto const* const column = values + j / strip * size * size + x + j % strip;
#pragma unroll
        for (int y = 0; y < size; ++y)
          add_row(sums[y], factor_of<Scalar>(column[y * size], a.is_conjugate), b[j]);
      }
  }
}

// Blocks of size x size, `staged` of which a group has in shared memory at once, and as many on
// their way there.
template <int size, class Blocks, class Operands>
__global__ void __launch_bounds__(SpmmBsrPolicy::threads_per_block,
                                  square_blocks_per_processor<Operands, size>)
    spmm_bsr_square_blocks_kernel(Blocks a, Operands operands, int staged)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  using Value = typename Blocks::value_type;
  using Ordinal = typename Blocks::ordinal_type;
  constexpr int values_of_block = size * size;
  constexpr int at_once = SpmmBsrPolicy::blocks_in_flight<size, Shape::packets>;
  constexpr int strip = SpmmBsrPolicy::columns_in_flight<size>;
  extern __shared__ int4 shared[];
  int const lanes = operands.lanes;
  int const lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const groups = SpmmBsrPolicy::threads_per_block / lanes;
  auto* const all_values = reinterpret_cast<Value*>(shared);
  Value* const group_values = all_values + group * 2 * staged * values_of_block;
  Ordinal* const group_columns =
      reinterpret_cast<Ordinal*>(all_values + groups * 2 * staged * values_of_block) +
      group * 2 * staged;

  std::int64_t const r = static_cast<std::int64_t>(blockIdx.x) * groups + group;
  auto const row = a.row(r);
  Value const* const values = a.values + row.first * values_of_block;
  Ordinal const* const columns = a.columns + row.first;
  std::int64_t const whole_columns = a.cols / size; // block columns that do not hang over
  auto const at = operands.lane_columns();
  Scalar sums[size][Shape::per_lane];
#pragma unroll
  for (int y = 0; y < size; ++y)
    set_zero(sums[y]);

  auto const start_batch = [&](int from, int half) {
    int const count = min(staged, row.length - from);
    Value const* const source = values + static_cast<std::int64_t>(from) * values_of_block;
    for (int i = lane; i < count; i += lanes)
      start_copy(group_columns + half * staged + i, columns + from + i);
    for (int i = lane; i < count * values_of_block; i += lanes)
      start_copy(group_values + half * staged * values_of_block + i, source + i);
    end_of_copies();
  };
  start_batch(0, 0);
  int half = 0;
  for (int done = 0; __any_sync(0xffffffffU, done < row.length); done += staged)
  {
    wait_for_copies();
    __syncwarp(); // the batch is there, and the other half no longer read
    start_batch(done + staged, half ^ 1);
    int const count = min(staged, row.length - done);
    Value const* const batch_values = group_values + half * staged * values_of_block;
    Ordinal const* const batch_columns = group_columns + half * staged;
    half ^= 1;
    auto const add = [&](auto blocks, int j) {
      constexpr int number = decltype(blocks)::value;
      bool is_inside = true;
#pragma unroll
      for (int i = 0; i < number; ++i)
        is_inside = is_inside && batch_columns[j + i] < whole_columns;
      if (is_inside)
        add_blocks<size, number, strip, true>(a, operands, at, batch_values + j * values_of_block,
                                              batch_columns + j, sums);
      else
        add_blocks<size, number, strip, false>(a, operands, at, batch_values + j * values_of_block,
                                               batch_columns + j, sums);
    };
    int j = 0;
    for (; j + at_once <= count; j += at_once)
      add(std::integral_constant<int, at_once>{}, j);
    if constexpr (at_once > 1)
      for (; j < count; ++j)
        add(std::integral_constant<int, 1>{}, j);
  }
#pragma unroll
  for (int y = 0; y < size; ++y)
    if (std::int64_t const i = r * size + y; i < a.rows)
      operands.store_row(i, at, sums[y]);
}

// Blocks of any shape: `rows` rows of a block row a group, in `pieces` pieces. A lane copies one
// column of values at a time, so that a group has as many of them as lanes.
template <int rows, class Blocks, class Operands>
__global__ void __launch_bounds__(SpmmBsrPolicy::threads_per_block,
                                  piece_blocks_per_processor<Operands, rows>)
    spmm_bsr_pieces_kernel(Blocks a, Operands operands, int pieces)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  using Value = typename Blocks::value_type;
  constexpr int threads = SpmmBsrPolicy::threads_per_block;
  constexpr int absent = -1;
  __shared__ __align__(16) int shared_rows[2][threads]; // of B
  __shared__ __align__(16) unsigned char shared_values[2][threads * rows * sizeof(Value)];
  int const lanes = operands.lanes;
  int const lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  int const first_slot = static_cast<int>(threadIdx.x) & ~(lanes - 1);
  auto const values_in = [&](int half) {
    return reinterpret_cast<Value*>(shared_values[half]) + first_slot * rows;
  };

  std::int64_t const task = static_cast<std::int64_t>(blockIdx.x) * (threads / lanes) +
                            static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const r = task / pieces;
  std::int64_t const piece = task % pieces;
  int const first_y = static_cast<int>(piece * a.height / pieces);
  int const here = static_cast<int>((piece + 1) * a.height / pieces) - first_y;
  auto const row = a.row(r);
  std::int64_t const length = static_cast<std::int64_t>(row.length) * a.width;
  auto const at = operands.lane_columns();
  Scalar sums[rows][Shape::per_lane];
#pragma unroll
  for (int y = 0; y < rows; ++y)
    set_zero(sums[y]);

  // The column that the lane copies next: its block and index in the block.
  std::int64_t block = row.first + lane / a.width;
  int x = lane % a.width;
  std::int64_t const last_block = row.first + row.length;
  bool is_there = false;
  int copied_x = 0;
  typename Blocks::ordinal_type block_column{};
  auto const start_batch = [&](int half) {
    is_there = block < last_block;
    copied_x = x;
    if (is_there)
    {
      block_column = load_once(a.columns + block);
      Value const* const source = a.values + (block * a.height + first_y) * a.width + x;
      Value* const target = values_in(half) + lane * rows;
#pragma unroll
      for (int y = 0; y < rows; ++y)
        if (y < here)
          start_copy(target + y, source + static_cast<std::int64_t>(y) * a.width);
    }
    end_of_copies();
    block += lanes / a.width;
    x += lanes % a.width;
    if (x >= a.width)
    {
      x -= a.width;
      ++block;
    }
  };
  start_batch(0);
  int half = 0;
  for (std::int64_t done = 0; __any_sync(0xffffffffU, done < length); done += lanes)
  {
    std::int64_t const own_row = static_cast<std::int64_t>(block_column) * a.width + copied_x;
    shared_rows[half][threadIdx.x] =
        is_there && own_row < a.cols ? static_cast<int>(own_row) : absent;
    wait_for_copies();
    __syncwarp(); // the batch is there, and the other half no longer read
    start_batch(half ^ 1);
    int const count = length - done < lanes ? static_cast<int>(length - done) : lanes;
    int const* const batch_rows = shared_rows[half] + first_slot;
    Value const* const batch_values = values_in(half);
    half ^= 1;
    auto const turn = [&](auto is_whole, int const* rows_of_b, int j) {
      typename Operands::packet b[entries_in_flight][Shape::packets];
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        if (decltype(is_whole)::value || rows_of_b[i] != absent)
        {
#pragma unroll
          for (int n = 0; n < Shape::packets; ++n)
            b[i][n] = at.load(static_cast<std::uint32_t>(rows_of_b[i]), operands.b_row_bytes, n);
        }
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        if (decltype(is_whole)::value || rows_of_b[i] != absent)
        {
          Value factors[rows];
          read_shared<rows>(factors, batch_values + (j + i) * rows);
#pragma unroll
          for (int y = 0; y < rows; ++y)
            add_row(sums[y], factor_of<Scalar>(factors[y], a.is_conjugate), b[i]);
        }
    };
    for (int j = 0; j < count; j += entries_in_flight)
    {
      int rows_of_b[entries_in_flight];
      read_shared<entries_in_flight>(rows_of_b, batch_rows + j);
      bool is_whole = true;
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        is_whole = is_whole && rows_of_b[i] != absent;
      if (is_whole)
        turn(std::true_type{}, rows_of_b, j);
      else
        turn(std::false_type{}, rows_of_b, j);
    }
  }
#pragma unroll
  for (int y = 0; y < rows; ++y)
    if (std::int64_t const i = r * a.height + first_y + y; y < here && i < a.rows)
      operands.store_row(i, at, sums[y]);
}

// C <- alpha A B + beta C with blocks of size x size. Asynchronous.
template <int size, class Blocks, class Operands>
void multiply_square_blocks(Kokkos::Cuda const& exec, Blocks const& a, Operands const& operands)
{
  constexpr int packets = Operands::shape::packets;
  int const groups = SpmmBsrPolicy::threads_per_block / operands.lanes;
  int const staged = SpmmBsrPolicy::staged_blocks<size, packets>(operands.lanes);
  Grid grid{};
  grid.blocks = blocks_for(a.block_rows, groups);
  grid.threads_per_block = SpmmBsrPolicy::threads_per_block;
  grid.shared_bytes =
      static_cast<std::size_t>(groups) * 2 * staged *
      (size * size * sizeof(typename Blocks::value_type) + sizeof(typename Blocks::ordinal_type));
  grid.blocks_y = tiles_of(operands);
  grid.blocks_per_processor = square_blocks_per_processor<Operands, size>;
  launch(exec, "heddle::spmm::bsr_blocks", spmm_bsr_square_blocks_kernel<size, Blocks, Operands>,
         grid, a, operands, staged);
}

// ... with blocks of any shape. Asynchronous.
template <class Blocks, class Operands>
void multiply_block_pieces(Kokkos::Cuda const& exec, Blocks const& a, Operands const& operands)
{
  int const pieces = SpmmBsrPolicy::pieces(a.height);
  with_one_of<1, 2, 4, 8>(SpmmBsrPolicy::rows_of_piece(a.height), [&]<class Rows>(Rows) {
    Grid grid{};
    grid.blocks =
        blocks_for(a.block_rows * pieces, SpmmBsrPolicy::threads_per_block / operands.lanes);
    grid.threads_per_block = SpmmBsrPolicy::threads_per_block;
    grid.blocks_y = tiles_of(operands);
    grid.blocks_per_processor = piece_blocks_per_processor<Operands, Rows::value>;
    launch(exec, "heddle::spmm::bsr_blocks", spmm_bsr_pieces_kernel<Rows::value, Blocks, Operands>,
           grid, a, operands, pieces);
  });
}

// The kernels for BSR as SpmmByRow asks for them.
template <class Exec, class Matrix>
struct BsrBlocksSpmm
{
  static constexpr char const* name = "cuda_native::bsr_blocks";
  static constexpr bool is_supported = is_bsr_matrix_v<Matrix>;
  struct Tuning
  {
    BlockShape shape = {};

    static std::size_t bytes() { return 0; }
    std::string describe() const
    {
      auto const [height, width] = shape;
      int const pieces =
          SpmmBsrPolicy::is_compiled(height, width) ? 1 : SpmmBsrPolicy::pieces(height);
      return "a group of lanes a row of " + std::to_string(height) + " x " + std::to_string(width) +
             " blocks" + (pieces > 1 ? ", in " + std::to_string(pieces) + " pieces" : "");
    }
  };

  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmmOptions const&)
  {
    return {true, "it takes blocks of any shape"};
  }
  static Tuning tune(Exec const&, Matrix const& a, impl::RowStatistics const&, SpmmOptions const&)
  {
    return {a.shape()};
  }

  // Operands that packets do not fit are taken entry by entry, in pieces.
  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const&, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    using MatrixBlocks = SpmmBlocks<typename Matrix::value_type, typename Matrix::ordinal_type,
                                    typename Matrix::offset_type>;
    MatrixBlocks const blocks{a.num_block_rows(), a.num_rows(),      a.num_cols(),
                              a.shape().height,   a.shape().width,   a.row_offsets().data(),
                              a.columns().data(), a.values().data(), is_conjugate};
    if (!SpmmBsrPolicy::is_compiled(blocks.height, blocks.width) || !has_packets(all))
      return with_tiles(all, SpmmPolicy::widest_tile,
                        [&](auto const& tiles) { multiply_block_pieces(exec, blocks, tiles); });
    constexpr int width = widest_packet<Scalar>;
    with_one_of<2, 3, 4, 5, 6, 8>(blocks.height, [&]<class Size>(Size) {
      if constexpr (Size::value <= SpmmBsrPolicy::largest_of_two_packets)
        if (SpmmBsrPolicy::takes_two_packets(Size::value, all.columns / width))
          return multiply_square_blocks<Size::value>(exec, blocks, tiled<TileShape<width, 2>>(all));
      multiply_square_blocks<Size::value>(exec, blocks, tiled<TileShape<width, 1>>(all));
    });
  }
};

} // namespace heddle::cuda_native
