// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps that a group of rows has (spgemm/numeric_tiles.cuh), found by a thread block in shared
// memory: of A, 32 rows in steps of 8 columns; of B, 8 rows in steps of 32 columns. Either way a
// step has up to four tiles. A window of the row group's columns has four bits for each step, one
// for each tile, which the entries set; counting bits then numbers steps and tiles in the order of
// their columns. Rows need not be sorted. Where columns lie further apart than a window is wide the
// entries are read again for the next one, which begins at the next column there is.

#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// A step of a matrix whose strips are of rows, or of columns; an entry of it is in row r of the
// group of rows and in column c of the step.
template <bool are_columns_outer>
struct StepShape
{
  static constexpr int rows = are_columns_outer ? tile_size : strip_size;
  static constexpr int columns = are_columns_outer ? strip_size : tile_size;
  static constexpr int threads = 32 * rows; // of the block that has a group of rows
  // Entries of a row that a step, and a word of its mask, has at most.
  static constexpr int entries_of_word = columns;

  __device__ static int tile_of(int r, int c) { return (are_columns_outer ? c : r) / tile_size; }
  __device__ static int place_of(int r, int c)
  {
    return are_columns_outer ? place_in_tile(c % tile_size, r) : place_in_tile(r % tile_size, c);
  }
  __device__ static int word_of(int r)
  {
    return are_columns_outer ? r : r / static_cast<int>(sizeof(std::uint32_t));
  }
  __device__ static unsigned bit_of(int r, int c)
  {
    return 1U << (are_columns_outer ? c
                                    : r % static_cast<int>(sizeof(std::uint32_t)) * tile_size + c);
  }
};

// A number of steps and of tiles in one word.
struct StepsAndTiles
{
  static constexpr int shift = 16;
  int both;

  __device__ static StepsAndTiles of_word(unsigned tiles)
  {
    constexpr unsigned lowest = 0x11111111U;
    unsigned const pairs = tiles | tiles >> 1;
    return {__popc((pairs | pairs >> 2) & lowest) << shift | __popc(tiles)};
  }
  __device__ int steps() const { return both >> shift; }
  __device__ int tiles() const { return both & ((1 << shift) - 1); }
};

template <bool are_columns_outer, class Matrix>
class StepsOfRows
{
public:
  using Shape = StepShape<are_columns_outer>;
  using Threads = Team<Shape::threads>;
  static constexpr int most_words = 1024, steps_of_word = 8;
  static constexpr int no_word = 0x7fffffff;
  static_assert(most_words * steps_of_word * tiles_of_step < 1 << StepsAndTiles::shift);

  struct Memory
  {
    std::int64_t offsets[Shape::rows + 1]; // of the rows in the matrix
    unsigned tiles[most_words];            // of the steps of the window, four bits each
    StepsAndTiles before[most_words];      // in the words before
    int behind, ahead; // the least words of steps before the window's first and behind its last
    typename Threads::Memory sums;
  };
  // columns: places of the matrix' columns. All threads of the block take part in this and in what
  // follows.
  __device__ StepsOfRows(Matrix const& m, NodeAlignment const& alignment, std::int64_t columns,
                         std::int64_t group, Memory& memory)
      : m_matrix(m)
      , m_alignment(alignment)
      , m_memory(memory)
      , m_words(static_cast<int>(
            min(impl::divided_up(columns, std::int64_t(Shape::columns) * steps_of_word),
                std::int64_t(most_words))))
  {
    int const first = static_cast<int>(group) * Shape::rows;
    for (int r = static_cast<int>(threadIdx.x); r <= Shape::rows; r += Shape::threads)
      memory.offsets[r] = static_cast<std::int64_t>(
          m.offsets[min(std::int64_t(alignment.index_at(first + r)), m.rows)]);
    __syncthreads();
  }
  // The first word that has steps if rows are sorted.
  __device__ int first_word()
  {
    if (threadIdx.x < warp_size)
    {
      auto const r = static_cast<int>(threadIdx.x);
      bool const has = r < Shape::rows && m_memory.offsets[r] < m_memory.offsets[r + 1];
      int const word = smallest_of_warp(has ? word_of(column_of(m_memory.offsets[r])) : no_word);
      if (threadIdx.x == 0)
        m_memory.ahead = word;
    }
    __syncthreads();
    return m_memory.ahead;
  }
  // take(k, r, column, is_there) for each entry k, row r of the group; the block's threads have
  // neighbours, and is_there is false for those that are left over at the end. Columns are loaded
  // several at a time: the entries of few rows are few loads for each thread, one after the other.
  template <class Take>
  __device__ void for_each_entry(Take const& take) const
  {
    constexpr int batch = 4;
    std::int64_t const end = m_memory.offsets[Shape::rows];
    int r = 0;
    for (std::int64_t from = m_memory.offsets[0]; from < end; from += batch * Shape::threads)
    {
      int columns[batch];
#pragma unroll
      for (int n = 0; n < batch; ++n)
      {
        std::int64_t const k = from + n * Shape::threads + threadIdx.x;
        columns[n] = k < end ? column_of(k) : 0;
      }
#pragma unroll
      for (int n = 0; n < batch; ++n)
      {
        std::int64_t const k = from + n * Shape::threads + threadIdx.x;
        bool const is_there = k < end;
        while (is_there && m_memory.offsets[r + 1] <= k)
          ++r;
        take(k, r, columns[n], is_there);
      }
    }
  }
  // Fills the window that begins with this word.
  __device__ void look_at(int first)
  {
    __syncthreads(); // what the memory had before has been read
    for (int n = static_cast<int>(threadIdx.x); n < m_words; n += Shape::threads)
      m_memory.tiles[n] = 0;
    if (threadIdx.x == 0)
      m_memory.behind = m_memory.ahead = no_word;
    __syncthreads();
    int behind = no_word, ahead = no_word;
    for_each_entry([&](std::int64_t, int r, int column, bool is_there) {
      if (!is_there)
        return;
      int const word = word_of(column), n = word - first;
      if (n < 0)
        behind = min(behind, word);
      else if (n >= m_words)
        ahead = min(ahead, word);
      else
      {
        unsigned const bit =
            1U << (place_in_word(column) + Shape::tile_of(r, column % Shape::columns));
        if ((*static_cast<unsigned volatile*>(m_memory.tiles + n) & bit) == 0)
          atomicOr(m_memory.tiles + n, bit);
      }
    });
    behind = smallest_of_warp(behind);
    ahead = smallest_of_warp(ahead);
    if (threadIdx.x % warp_size == 0 && behind != no_word)
      atomicMin(&m_memory.behind, behind);
    if (threadIdx.x % warp_size == 0 && ahead != no_word)
      atomicMin(&m_memory.ahead, ahead);
    __syncthreads();
  }
  // The first words of the steps before the window, and behind it; no_word: none.
  __device__ int behind() const { return m_memory.behind; }
  __device__ int ahead() const { return m_memory.ahead; }

  // Numbers steps and tiles of the window, and returns how many there are.
  __device__ StepsAndTiles number()
  {
    int const of_thread = static_cast<int>(impl::divided_up(m_words, Shape::threads));
    int const first = min(static_cast<int>(threadIdx.x) * of_thread, m_words);
    int const last = min(first + of_thread, m_words);
    int sum = 0, total = 0;
    for (int n = first; n < last; ++n)
      sum += StepsAndTiles::of_word(m_memory.tiles[n]).both;
    int before = Threads::exclusive_sum(sum, total, m_memory.sums);
    for (int n = first; n < last; ++n)
    {
      m_memory.before[n] = {before};
      before += StepsAndTiles::of_word(m_memory.tiles[n]).both;
    }
    __syncthreads();
    return {total};
  }
  // take(step, number of its first tile, its tiles, its column group) for each step of the numbered
  // window.
  template <class Take>
  __device__ void for_each_step(int first, Take const& take) const
  {
    for (int n = static_cast<int>(threadIdx.x); n < m_words; n += Shape::threads)
    {
      unsigned const all = m_memory.tiles[n];
      int step = m_memory.before[n].steps(), tile = m_memory.before[n].tiles();
      for (int of = 0; all != 0 && of < steps_of_word; ++of)
        if (unsigned const tiles = all >> (of * tiles_of_step) & four_tiles; tiles != 0)
        {
          take(step++, tile, tiles, (first + n) * steps_of_word + of);
          tile += __popc(tiles);
        }
    }
  }
  // Whether the numbered window has this column, and the numbers of its step and tile in row r.
  __device__ bool find(int first, int r, int column, int& step, int& tile) const
  {
    int const n = word_of(column) - first;
    if (n < 0 || n >= m_words)
      return false;
    unsigned const all = m_memory.tiles[n];
    int const at = place_in_word(column);
    auto const before = StepsAndTiles::of_word(all & ((1U << at) - 1));
    unsigned const of_step = all >> at & four_tiles;
    unsigned const lower = (1U << Shape::tile_of(r, column % Shape::columns)) - 1;
    step = m_memory.before[n].steps() + before.steps();
    tile = m_memory.before[n].tiles() + before.tiles() + __popc(of_step & lower);
    return true;
  }

private:
  static constexpr unsigned four_tiles = (1U << tiles_of_step) - 1;
  Matrix const& m_matrix;
  NodeAlignment const m_alignment;
  Memory& m_memory;
  int m_words; // of a window

  // Its place.
  __device__ int column_of(std::int64_t k) const
  {
    return m_alignment.place_of(static_cast<int>(m_matrix.columns[k]));
  }
  __device__ static int word_of(int column) { return column / (Shape::columns * steps_of_word); }
  __device__ static int place_in_word(int column)
  {
    return column / Shape::columns % steps_of_word * tiles_of_step;
  }
};

} // namespace heddle::cuda_native
