// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of BSR with 16-bit values on tensor cores, summed in f32.
//
// A warp takes up to 32 rows of a block row and 64 columns of B and C, and computes C^T = B^T A^T
// (device/tensor_mma.cuh): columns of B are the rows of the left factor, eight rows of a block are
// the columns of the right one. The blocks of a block row stand side by side, and sixteen of their
// columns are taken at once, wherever one block ends and the next begins, so that blocks of any
// width fill the depth of a product.
//
// Which row of B, or column of C, has which slot of a fragment is free as long as both factors
// agree. So a lane's four slots along the depth are four neighbouring columns of the blocks, one
// word of A where they lie in one block, and its slots of the four products that 64 columns take
// are eight neighbouring columns: one 16-byte word of each of four rows of B, eight lanes a line of
// 128 bytes. Nothing goes through shared memory; the halves of words are swapped in registers.
// Rows of B and values are loaded a step ahead, block columns two.
//
// Slots behind the last block or over the edge of the matrix are zero in both factors, so that an
// infinity or a NaN that is no factor does not spread. Zeros that fill a block are multiplied like
// other values. No atomics: results are bitwise repeatable.
//
// Bytes: B gathered once per block and 32 of its rows, blocks and columns once per tile of 64
// columns, C once. Limit: the first-level cache's bytes per cycle; the longest block row, which one
// warp walks alone; of blocks with less than eight rows the other rows of a product are idle.

#include <heddle/cuda_native/device/dense_packet.cuh>
#include <heddle/cuda_native/device/tensor_mma.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spmm/bsr_blocks.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>

namespace heddle::cuda_native
{

struct SpmmTensorPolicy
{
  static constexpr int threads_per_block = 128;
  static constexpr int warps = threads_per_block / warp_size;
  // A 16-byte word of B a lane and row, which products of 16 columns take by twos.
  static constexpr int columns_of_lane = 8, products = columns_of_lane / 2;
  static constexpr int columns = products * TensorShape::rows; // of a warp
  static constexpr int most_row_tiles = 4;                     // of eight rows each: 64 sums a lane
  static constexpr int slots = TensorShape::depth_of_lane;
};

// alpha, beta, B by rows, and C by any strides.
template <class Value, class Result>
struct TensorOperands
{
  using result = Result;
  Result alpha;
  Value const* __restrict__ b;
  std::int64_t b_stride;
  Result beta;
  Result* __restrict__ c;
  std::int64_t c_row_stride, c_column_stride;
  std::int64_t columns;
  bool b_has_words, c_has_words; // rows begin at multiples of 16 bytes, and are contiguous

  // C(row, first ..) <- alpha sums + beta C(row, first ..), `left` columns at most.
  __device__ void store(std::int64_t row, std::int64_t first, std::int64_t left,
                        float const (&sums)[SpmmTensorPolicy::columns_of_lane]) const
  {
    constexpr int count = SpmmTensorPolicy::columns_of_lane;
    constexpr int width = 16 / static_cast<int>(sizeof(Result));
    using Out = Packet<Result, width>;
    Result* const to = c + row * c_row_stride + first * c_column_stride;
    if (c_has_words && left >= count)
    {
#pragma unroll
      for (int n = 0; n < count; n += width)
      {
        Out out{};
        if (beta != Result(0))
          out = Out::of(__ldcg(reinterpret_cast<typename Out::word const*>(to + n)));
#pragma unroll
        for (int q = 0; q < width; ++q)
          impl::store(out.at[q], alpha, sums[n + q], beta);
        store_packet(to + n, out);
      }
      return;
    }
#pragma unroll
    for (int n = 0; n < count; ++n)
      if (n < left)
        impl::store(to[n * c_column_stride], alpha, sums[n], beta);
  }
};

// A lane's four neighbouring columns of the blocks: their rows of B, and where their values of the
// block's first row are.
template <int value_slots>
struct TensorSlots
{
  static constexpr int absent = -1;
  int rows_of_b[SpmmTensorPolicy::slots]; // absent: behind the last block or over the edge
  std::int64_t values[value_slots];
};

// A lane's way through the columns of the blocks of a block row, sixteen further with each step.
// is_quad: the width is a multiple of four, so that the lane's four columns are in one block.
template <bool is_quad, class Blocks>
class TensorWalk
{
public:
  static constexpr int value_slots = is_quad ? 1 : SpmmTensorPolicy::slots;
  using Slots = TensorSlots<value_slots>;

  __device__ TensorWalk(Blocks const& a, typename Blocks::Row const& row, int first)
      : m_a(a)
      , m_columns(a.columns + row.first)
      , m_length(row.length)
      , m_blocks_on(TensorShape::depth / a.width)
      , m_columns_on(TensorShape::depth % a.width)
  {
#pragma unroll
    for (int p = 0; p < value_slots; ++p)
    {
      m_block[p] = (first + p) / a.width;
      m_x[p] = (first + p) % a.width;
    }
  }

  __device__ Slots next()
  {
    constexpr int together = SpmmTensorPolicy::slots / value_slots;
    Slots slots;
#pragma unroll
    for (int p = 0; p < value_slots; ++p)
    {
      bool const is_there = m_block[p] < m_length;
      std::int64_t row = m_a.cols;
      if (is_there)
        row = static_cast<std::int64_t>(__ldg(m_columns + m_block[p])) * m_a.width + m_x[p];
#pragma unroll
      for (int i = 0; i < together; ++i)
        slots.rows_of_b[p * together + i] =
            row + i < m_a.cols ? static_cast<int>(row + i) : Slots::absent;
      slots.values[p] = static_cast<std::int64_t>(m_block[p]) * m_a.height * m_a.width + m_x[p];
      m_block[p] += m_blocks_on;
      m_x[p] += m_columns_on;
      if (m_x[p] >= m_a.width)
      {
        m_x[p] -= m_a.width;
        ++m_block[p];
      }
    }
    return slots;
  }

private:
  Blocks const& m_a;
  typename Blocks::ordinal_type const* m_columns;
  int m_length, m_blocks_on, m_columns_on;
  int m_block[value_slots], m_x[value_slots];
};

// A lane's share of one step: four rows of B with eight columns each, two in a word, and four
// values of each of its rows of A.
template <int row_tiles>
struct TensorStep
{
  std::uint32_t b[SpmmTensorPolicy::slots][SpmmTensorPolicy::products];
  std::uint32_t a[row_tiles][SpmmTensorPolicy::slots / 2];
};

// Eight columns of a row of B.
template <class Value>
__device__ void load_word(std::uint32_t (&to)[SpmmTensorPolicy::products], Value const* from)
{
  int4 const bits = __ldg(reinterpret_cast<int4 const*>(from));
  std::memcpy(to, &bits, sizeof bits);
}
// The same one by one: where no words fit, or fewer are left. The others stay zero.
template <class Value>
__device__ void load_columns(std::uint32_t (&to)[SpmmTensorPolicy::products], Value const* from,
                             std::int64_t left)
{
  constexpr int count = SpmmTensorPolicy::columns_of_lane;
  unsigned short bits[count];
#pragma unroll
  for (int n = 0; n < count; ++n)
    bits[n] = n < left ? __ldg(reinterpret_cast<unsigned short const*>(from) + n)
                       : static_cast<unsigned short>(0);
  std::memcpy(to, bits, sizeof bits);
}

// What a warp has to do, as one of its lanes sees it.
template <int row_tiles, bool is_quad, class Blocks, class Operands>
class TensorTask
{
public:
  using Value = typename Blocks::value_type;
  using Walk = TensorWalk<is_quad, Blocks>;
  using Slots = typename Walk::Slots;
  using Step = TensorStep<row_tiles>;

  // `values` of the block row, from the first row on that the warp takes; `height` rows.
  __device__ TensorTask(Blocks const& a, Operands const& operands, Value const* values, int height)
      : m_a(a)
      , m_operands(operands)
      , m_values(values)
      , m_height(height)
      , m_lane(static_cast<int>(threadIdx.x) % warp_size)
      , m_first(static_cast<std::int64_t>(blockIdx.y) * SpmmTensorPolicy::columns +
                group() * SpmmTensorPolicy::columns_of_lane)
      , m_left(operands.columns - m_first)
      , m_has_words(operands.b_has_words &&
                    (m_left >= SpmmTensorPolicy::columns_of_lane || m_left <= 0))
  {}
  // The lane's numbers in a fragment: g and t.
  __device__ int group() const { return m_lane / TensorShape::lanes_of_depth; }
  __device__ int thread() const { return m_lane % TensorShape::lanes_of_depth; }

  __device__ Step load(Slots const& slots) const
  {
    Step step{};
    auto const for_each_row = [&](auto const& load_row) {
#pragma unroll
      for (int i = 0; i < SpmmTensorPolicy::slots; ++i)
        if (m_left > 0 && slots.rows_of_b[i] != Slots::absent)
          load_row(step.b[i], m_operands.b + slots.rows_of_b[i] * m_operands.b_stride + m_first);
    };
    if (m_has_words)
      for_each_row([](auto& to, Value const* from) { load_word(to, from); });
    else
      for_each_row([&](auto& to, Value const* from) { load_columns(to, from, m_left); });
#pragma unroll
    for (int n = 0; n < row_tiles; ++n)
      if (int const y = n * TensorShape::columns + group(); y < m_height)
        load_values(step.a[n], slots, m_values + static_cast<std::int64_t>(y) * m_a.width);
    return step;
  }

  __device__ void multiply(Step const& step)
  {
    __syncwarp(); // loads of absent slots parted the lanes
#pragma unroll
    for (int m = 0; m < SpmmTensorPolicy::products; ++m)
    {
      std::uint32_t const left[4] = {
          lower_halves(step.b[0][m], step.b[1][m]), upper_halves(step.b[0][m], step.b[1][m]),
          lower_halves(step.b[2][m], step.b[3][m]), upper_halves(step.b[2][m], step.b[3][m])};
#pragma unroll
      for (int n = 0; n < row_tiles; ++n)
        multiply_add<Value>(m_sums[n][m], left, step.a[n]);
    }
  }

  // To the rows of C from first_row on.
  __device__ void store(std::int64_t first_row) const
  {
#pragma unroll
    for (int n = 0; n < row_tiles; ++n)
#pragma unroll
      for (int s = 0; s < 2; ++s)
      {
        int const y = n * TensorShape::columns + 2 * thread() + s;
        if (y >= m_height || m_left <= 0)
          continue;
        float sums[SpmmTensorPolicy::columns_of_lane];
#pragma unroll
        for (int m = 0; m < SpmmTensorPolicy::products; ++m)
        {
          sums[2 * m] = m_sums[n][m][s];
          sums[2 * m + 1] = m_sums[n][m][2 + s];
        }
        m_operands.store(first_row + y, m_first, m_left, sums);
      }
  }

private:
  // The values of the slots in a row of the blocks, zero where a slot is absent.
  __device__ static void load_values(std::uint32_t (&to)[SpmmTensorPolicy::slots / 2],
                                     Slots const& slots, Value const* row)
  {
    if constexpr (is_quad)
    {
      if (slots.rows_of_b[0] == Slots::absent)
        return;
      int2 const bits = __ldg(reinterpret_cast<int2 const*>(row + slots.values[0]));
      to[0] = static_cast<std::uint32_t>(bits.x) & there(slots, 0);
      to[1] = static_cast<std::uint32_t>(bits.y) & there(slots, 2);
    }
    else
    {
      auto const* const bits = reinterpret_cast<unsigned short const*>(row);
      unsigned short loaded[SpmmTensorPolicy::slots];
#pragma unroll
      for (int i = 0; i < SpmmTensorPolicy::slots; ++i)
        loaded[i] = slots.rows_of_b[i] != Slots::absent ? __ldg(bits + slots.values[i])
                                                        : static_cast<unsigned short>(0);
      std::memcpy(to, loaded, sizeof loaded);
    }
  }
  // Ones where the slots i and i + 1 are present.
  __device__ static std::uint32_t there(Slots const& slots, int i)
  {
    return (slots.rows_of_b[i] != Slots::absent ? 0x0000ffffU : 0U) |
           (slots.rows_of_b[i + 1] != Slots::absent ? 0xffff0000U : 0U);
  }

  Blocks const& m_a;
  Operands const& m_operands;
  Value const* m_values;
  int m_height, m_lane;
  std::int64_t m_first, m_left; // columns of C: the lane's first, and how many from there on
  bool m_has_words;
  float m_sums[row_tiles][SpmmTensorPolicy::products][4] = {};
};

// A warp a piece of row_tiles x 8 rows of a block row (`pieces` of them) and a tile of columns.
template <int row_tiles, bool is_quad, class Blocks, class Operands>
__global__ void __launch_bounds__(SpmmTensorPolicy::threads_per_block)
    spmm_bsr_tensor_kernel(Blocks a, Operands operands, int pieces)
{
  constexpr int rows_of_piece = row_tiles * TensorShape::columns;
  std::int64_t const number =
      static_cast<std::int64_t>(blockIdx.x) * SpmmTensorPolicy::warps + threadIdx.x / warp_size;
  std::int64_t const r = number / pieces;
  if (r >= a.block_rows)
    return;
  int const first_y = static_cast<int>(number % pieces) * rows_of_piece;
  std::int64_t const first_row = r * a.height + first_y;
  auto const here = static_cast<int>(
      min(static_cast<std::int64_t>(min(rows_of_piece, a.height - first_y)), a.rows - first_row));
  auto const row = a.row(r);
  TensorTask<row_tiles, is_quad, Blocks, Operands> task(
      a, operands, a.values + (row.first * a.height + first_y) * a.width, here);
  TensorWalk<is_quad, Blocks> walk(a, row, task.thread() * SpmmTensorPolicy::slots);
  std::int64_t const length = static_cast<std::int64_t>(row.length) * a.width;
  auto current = task.load(walk.next());
  auto slots = walk.next();
  for (std::int64_t done = 0; done < length; done += TensorShape::depth)
  {
    auto const following = task.load(slots);
    slots = walk.next();
    task.multiply(current);
    current = following;
  }
  task.store(first_row);
}

} // namespace heddle::cuda_native
