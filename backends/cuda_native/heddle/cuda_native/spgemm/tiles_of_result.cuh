// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM by dense tiles. Which blocks of 32 x 32 C may have is the product of
// the patterns of strips: steps of a strip of A take those of B of the same group of rows. A warp
// then lists the steps that meet in a block, which the sums go by, and finds the block's entries as
// a product of bits, row i of it in lane i: an entry in row i and column k of a step of A adds row
// k of the mask of B's step. The counts of its bits, summed over the blocks of a strip, give the
// offsets of C's rows and where a block begins in each of them, and columns are written from the
// bits. So rows of C are neither counted nor sorted by entries, and are exact: a block that has no
// entry is multiplied and stored nowhere.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_factors.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// The factors of the symbolic product of strips. offsets_of_b: of the rows of B.
template <class Offset>
struct StripProduct
{
  TileStrips a;
  TileStep const* steps_of_a;
  StepMask const* masks_of_a;
  StepsByRow b;
  Offset const* offsets_of_b;
  std::int64_t rows_of_b;
};

// A bitmap of the blocks of a strip of C, in the shared memory of a thread block.
class StripBitmap
{
public:
  static constexpr int threads = 256;
  static constexpr int lanes_of_step = 8, bits_of_word = 32;
  static_assert(lanes_of_step == tile_size); // a lane counts the products of a column of a step

  static int words_for(std::int64_t column_strips)
  {
    return static_cast<int>(impl::divided_up(column_strips, bits_of_word));
  }
  static std::size_t bytes_for(std::int64_t column_strips)
  {
    return static_cast<std::size_t>(words_for(column_strips)) * (sizeof(unsigned) + sizeof(int));
  }
  // All threads take part in this and in what follows.
  __device__ explicit StripBitmap(int words)
      : m_bits(reinterpret_cast<unsigned*>(dynamic_shared()))
      , m_before(reinterpret_cast<int*>(m_bits + words))
      , m_words(words)
  {
    for (int n = static_cast<int>(threadIdx.x); n < words; n += threads)
      m_bits[n] = 0;
    __syncthreads();
  }
  // take(column strip) for each step of B that meets one of a strip of A, and
  // count(step of A, its group of columns, lane of the 8 that have it).
  template <class Offset, class Take, class Count>
  __device__ static void for_each_pair(StripProduct<Offset> const& product, std::int64_t strip,
                                       Take const& take, Count const& count)
  {
    int const lane = static_cast<int>(threadIdx.x) % lanes_of_step;
    int const end = product.a.offsets[strip + 1];
    for (int step = product.a.offsets[strip] + static_cast<int>(threadIdx.x) / lanes_of_step;
         step < end; step += threads / lanes_of_step)
    {
      int const group = product.a.groups[step];
      int const last = product.b.first_step(group + 1);
      for (int n = product.b.first_step(group) + lane; n < last; n += lanes_of_step)
        take(product.b.columns[n]);
      count(step, group, lane);
    }
    __syncthreads();
  }
  // Sets the blocks of a strip.
  template <class Offset, class Count>
  __device__ void set(StripProduct<Offset> const& product, std::int64_t strip, Count const& count)
  {
    for_each_pair(
        product, strip,
        [&](int column) {
          unsigned const bit = 1U << (column % bits_of_word);
          unsigned* const word = m_bits + column / bits_of_word;
          if ((*static_cast<unsigned volatile*>(word) & bit) == 0)
            atomicOr(word, bit);
        },
        count);
  }
  // Numbers the bits. Returns how many there are.
  __device__ int number(Team<threads>::Memory& memory)
  {
    int sum = 0;
    for (int first = 0; first < m_words; first += threads)
    {
      int const n = first + static_cast<int>(threadIdx.x);
      int const count = n < m_words ? __popc(m_bits[n]) : 0;
      int total = 0;
      int const less = Team<threads>::exclusive_sum(count, total, memory);
      if (n < m_words)
        m_before[n] = sum + less;
      sum += total;
      __syncthreads();
    }
    return sum;
  }
  __device__ int number_of(int column) const
  {
    int const word = column / bits_of_word;
    return m_before[word] + __popc(m_bits[word] & ((1U << (column % bits_of_word)) - 1));
  }
  // take(number, column strip) for each bit.
  template <class Take>
  __device__ void for_each(Take const& take) const
  {
    for (int word = static_cast<int>(threadIdx.x); word < m_words; word += threads)
    {
      int number = m_before[word];
      for (unsigned left = m_bits[word]; left != 0; left &= left - 1)
        take(number++, word * bits_of_word + __ffs(static_cast<int>(left)) - 1);
    }
  }

private:
  unsigned* m_bits;
  int* m_before; // bits in the words before
  int m_words;
};

// The blocks of a strip of C among all, and its pairs of steps.
struct BlocksOfStrip
{
  unsigned long long first, first_pair;
  int count;
};

// Counts the blocks of a strip of C, a thread block each, and what else there is to count before
// blocks are listed. Strips take room for their blocks in any order: that is nobody's order of
// sums.
template <class Offset>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_count_blocks_kernel(StripProduct<Offset> product, int words, BlocksOfStrip* strips,
                               TileCounters* counters)
{
  constexpr int threads = StripBitmap::threads;
  __shared__ Team<threads>::Memory memory;
  __shared__ long long of_warps[threads / warp_size];
  long long entries = 0, common_steps = 0, tile_products = 0, products = 0;
  StripBitmap bitmap(words);
  bitmap.set(product, blockIdx.x, [&](int step, int group, int lane) {
    StepMask const mask = product.masks_of_a[step];
    int of_column = 0;
#pragma unroll
    for (int n = 0; n < StepMask::count; ++n)
      of_column += __popc(mask.words[n] & (0x01010101U << lane));
    entries += of_column;
    std::int64_t const row = std::int64_t(group) * tile_size + lane;
    if (row < product.rows_of_b)
      products += of_column *
                  static_cast<long long>(product.offsets_of_b[row + 1] - product.offsets_of_b[row]);
    if (lane != 0)
      return;
    common_steps += product.b.first_step(group + 1) - product.b.first_step(group);
    tile_products +=
        __popc(product.steps_of_a[step].tiles()) *
        static_cast<long long>(product.b.first_tile(group + 1) - product.b.first_tile(group));
  });
  int const blocks = bitmap.number(memory);
  // Returns what there was before, to thread 0.
  auto const add = [&](long long of_thread, unsigned long long& to) {
    long long const sum = sum_of_block<threads>(of_thread, of_warps);
    unsigned long long before = 0;
    if (threadIdx.x == 0)
      before = atomicAdd(&to, static_cast<unsigned long long>(sum));
    __syncthreads();
    return before;
  };
  add(entries, counters->entries_of_a);
  add(tile_products, counters->tile_products);
  add(products, counters->products);
  unsigned long long const first_pair = add(common_steps, counters->common_steps);
  if (threadIdx.x == 0)
    strips[blockIdx.x] = {atomicAdd(&counters->blocks, static_cast<unsigned long long>(blocks)),
                          first_pair, blocks};
}

// The blocks of each strip of C with the number of their pairs.
template <class Offset>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_list_blocks_kernel(StripProduct<Offset> product, int words, BlocksOfStrip const* strips,
                              TileBlock* blocks)
{
  constexpr int threads = StripBitmap::threads;
  __shared__ Team<threads>::Memory memory;
  StripBitmap bitmap(words);
  auto const nothing = [](int, int, int) {};
  bitmap.set(product, blockIdx.x, nothing);
  bitmap.number(memory);
  BlocksOfStrip const of = strips[blockIdx.x];
  TileBlock* const of_strip = blocks + of.first;
  bitmap.for_each([&](int number, int column_strip) {
    of_strip[number] = {static_cast<int>(blockIdx.x), column_strip, 0, 0};
  });
  __syncthreads();
  bitmap.for_each_pair(
      product, blockIdx.x,
      [&](int column) { atomicAdd(&of_strip[bitmap.number_of(column)].pairs, 1U); }, nothing);
  auto before = static_cast<std::uint32_t>(of.first_pair);
  for (int first = 0; first < of.count; first += threads)
  {
    int const n = first + static_cast<int>(threadIdx.x);
    int const pairs = n < of.count ? static_cast<int>(__ldcg(&of_strip[n].pairs)) : 0;
    int total = 0;
    int const less = Team<threads>::exclusive_sum(pairs, total, memory);
    if (n < of.count)
      of_strip[n].first_pair = before + static_cast<std::uint32_t>(less);
    before += static_cast<std::uint32_t>(total);
  }
}

// Blocks of C, and the strips that are multiplied for them. Steps of B's strips have the numbers
// that they have by row.
struct BlocksOfSteps
{
  TileStrips a, b;
  TileStep const *steps_of_a, *steps_of_b;
  StepMask const *masks_of_a, *masks_of_b;
  int const* numbers_of_b;
  TileBlock const* blocks;
  std::int64_t count, rows, columns; // blocks, and the sizes of C
};

// The steps of a block of C that two strips have in common: those of the shorter one are looked up
// in the other, as many at a time as a warp has lanes.
class CommonSteps
{
  TileStrips m_shorter, m_longer;
  int m_begin, m_end, m_other, m_others;
  bool m_is_a_shorter;

public:
  __device__ CommonSteps(TileStrips const& a, TileStrips const& b, TileBlock const& block)
  {
    int const a_begin = a.offsets[block.row_strip], a_end = a.offsets[block.row_strip + 1];
    int const b_begin = b.offsets[block.column_strip], b_end = b.offsets[block.column_strip + 1];
    m_is_a_shorter = a_end - a_begin <= b_end - b_begin;
    m_shorter = m_is_a_shorter ? a : b;
    m_longer = m_is_a_shorter ? b : a;
    m_begin = m_is_a_shorter ? a_begin : b_begin;
    m_end = m_is_a_shorter ? a_end : b_end;
    m_other = m_is_a_shorter ? b_begin : a_begin;
    m_others = (m_is_a_shorter ? b_end : a_end) - m_other;
  }
  // take(whether the lane has a pair, steps of A and B) by all lanes of a warp, for a part of them.
  template <class Take>
  __device__ void for_each(int part, int parts, Take const& take) const
  {
    int const lane = static_cast<int>(threadIdx.x) % warp_size;
    std::int64_t const count = m_end - m_begin;
    auto const last = static_cast<int>(m_begin + count * (part + 1) / parts);
    for (auto from = static_cast<int>(m_begin + count * part / parts); from < last;
         from += warp_size)
    {
      int const mine = from + lane;
      bool is_common = false;
      int found = 0;
      if (mine < last && m_others > 0)
      {
        int const group = m_shorter.groups[mine];
        int const* const groups = m_longer.groups + m_other;
        int const n = impl::last_not_above([&](int k) { return groups[k]; }, m_others, group);
        is_common = groups[n] == group;
        found = m_other + n;
      }
      take(is_common, m_is_a_shorter ? mine : found, m_is_a_shorter ? found : mine);
    }
  }
};

// The pairs of a block of C, and the entries of its rows: of_rows[n * 32 + i].columns. `team` warps
// have a block, each a part of the shorter strip: where there are several they count first, to
// know where their pairs begin.
template <int team>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_multiply_masks_kernel(BlocksOfSteps product, StepPair* pairs, TileBlockRow* of_rows)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr int warps = independent_threads.threads_per_block / warp_size;
  static_assert(team == 1 || team == warps);
  __shared__ StepMask masks_of_a[warps][warp_size], masks_of_b[warps][warp_size];
  __shared__ int counts[warps];
  __shared__ unsigned columns_of_rows[warp_size];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const part = warp % team;
  std::int64_t const n = (static_cast<std::int64_t>(blockIdx.x) * warps + warp) / team;
  if (n >= product.count)
    return; // of a team all warps or none
  TileBlock const block = product.blocks[n];
  CommonSteps const common(product.a, product.b, block);
  StepPair* to = pairs + block.first_pair;
  if constexpr (team > 1)
  {
    int count = 0;
    common.for_each(part, team, [&](bool is_common, int, int) {
      count += __popc(__ballot_sync(all_lanes, is_common));
    });
    if (lane == 0)
      counts[warp] = count;
    if (warp == 0)
      columns_of_rows[lane] = 0;
    __syncthreads();
    for (int other = 0; other < warp; ++other)
      to += counts[other];
  }
  std::int64_t const row = std::int64_t(block.row_strip) * strip_size + lane;
  std::int64_t const columns = product.columns - std::int64_t(block.column_strip) * strip_size;
  unsigned const full = row >= product.rows     ? 0
                        : columns >= strip_size ? all_lanes
                                                : (1U << columns) - 1;
  unsigned mask = 0;
  common.for_each(part, team, [&](bool is_common, int of_a, int of_b) {
    unsigned const all = __ballot_sync(all_lanes, is_common);
    int const place = __popc(all & ((1U << lane) - 1)), count = __popc(all);
    bool const is_full = __all_sync(all_lanes, mask == full) != 0;
    __syncwarp(); // the masks before have been read
    if (is_common)
    {
      int const number = product.numbers_of_b[of_b];
      to[place] = {product.steps_of_a[of_a], product.steps_of_b[number]};
      if (!is_full)
      {
        masks_of_a[warp][place] = product.masks_of_a[of_a];
        masks_of_b[warp][place] = product.masks_of_b[number];
      }
    }
    __syncwarp();
    to += count;
    if (is_full)
      return;
    for (int k = 0; k < count; ++k)
    {
      unsigned const mine = reinterpret_cast<unsigned char const*>(masks_of_a[warp][k].words)[lane];
      StepMask const of_step = masks_of_b[warp][k];
#pragma unroll
      for (int inner = 0; inner < tile_size; ++inner)
        mask |= (mine >> inner & 1) != 0 ? of_step.words[inner] : 0;
    }
  });
  if constexpr (team > 1)
  {
    if (mask != 0)
      atomicOr(&columns_of_rows[lane], mask);
    __syncthreads();
    if (warp > 0)
      return;
    mask = columns_of_rows[lane];
  }
  of_rows[n * strip_size + lane].columns = mask;
}

// Where the blocks of strip s begin in each row of C, and how many entries rows have. nnz: those of
// all rows.
__global__ inline void __launch_bounds__(StripBitmap::threads)
    spgemm_count_rows_kernel(BlocksOfStrip const* strips, std::int64_t rows, TileBlockRow* of_rows,
                             int* counts, unsigned long long* nnz)
{
  constexpr int warps = StripBitmap::threads / warp_size;
  __shared__ int of_warps[warps][strip_size];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  auto const begin = static_cast<std::int64_t>(strips[blockIdx.x].first);
  std::int64_t const count = strips[blockIdx.x].count;
  std::int64_t const first = begin + count * warp / warps;
  std::int64_t const last = begin + count * (warp + 1) / warps;
  int sum = 0;
  for (std::int64_t n = first; n < last; ++n)
    sum += __popc(of_rows[n * strip_size + lane].columns);
  of_warps[warp][lane] = sum;
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < warps; ++w)
  {
    before += w < warp ? of_warps[w][lane] : 0;
    all += of_warps[w][lane];
  }
  for (std::int64_t n = first; n < last; ++n)
  {
    TileBlockRow& of_row = of_rows[n * strip_size + lane];
    of_row.first = static_cast<std::uint32_t>(before);
    before += __popc(of_row.columns);
  }
  if (warp != 0)
    return;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * strip_size + lane;
  if (row < rows)
    counts[row] = all;
  auto const of_strip = sum_of_lanes(static_cast<unsigned long long>(all), warp_size);
  if (lane == 0)
    atomicAdd(nnz, of_strip);
}

// The columns of C from its blocks, a warp each.
template <class Offset, class Ordinal>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_write_columns_kernel(TileBlock const* blocks, TileBlockRow const* of_rows,
                                std::int64_t count, std::int64_t rows, Offset const* offsets,
                                Ordinal* columns)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const n =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (n >= count)
    return;
  TileBlock const block = blocks[n];
  TileBlockRow const mine = of_rows[n * strip_size + lane];
  std::int64_t const row = std::int64_t(block.row_strip) * strip_size + lane;
  std::int64_t const begin =
      row < rows ? static_cast<std::int64_t>(offsets[row]) + mine.first : std::int64_t(0);
  auto const column = static_cast<Ordinal>(block.column_strip * std::int64_t(strip_size) + lane);
#pragma unroll 4
  for (int r = 0; r < strip_size; ++r)
  {
    unsigned const of_row = __shfl_sync(all_lanes, mine.columns, r);
    std::int64_t const to = __shfl_sync(all_lanes, begin, r);
    if ((of_row >> lane & 1) != 0)
      columns[to + __popc(of_row & ((1U << lane) - 1))] = column;
  }
}

// Whether a thread block has room for the bitmap of a strip.
inline bool has_room_for_strips(DeviceShape const& device, std::int64_t c_cols)
{
  constexpr std::size_t others = 1024; // what kernels have in static arrays
  return StripBitmap::bytes_for(impl::divided_up(c_cols, strip_size)) + others <=
         device.shared_bytes_of_block;
}

// The product of the strips of A and B, one thread block for each strip of C.
template <class Offset>
struct StripsOfResult
{
  StripProduct<Offset> product;
  std::int64_t strips, column_strips;

  // Blocks of each strip, and counters. Asynchronous.
  void count(Kokkos::Cuda const& exec, BlocksOfStrip* of_strips, TileCounters* counters) const
  {
    launch(exec, "heddle::spgemm::count_blocks", spgemm_count_blocks_kernel<Offset>, grid(),
           product, StripBitmap::words_for(column_strips), of_strips, counters);
  }
  void list(Kokkos::Cuda const& exec, BlocksOfStrip const* of_strips, TileBlock* blocks) const
  {
    launch(exec, "heddle::spgemm::list_blocks", spgemm_list_blocks_kernel<Offset>, grid(), product,
           StripBitmap::words_for(column_strips), of_strips, blocks);
  }

private:
  Grid grid() const
  {
    Grid grid{strips, StripBitmap::threads};
    grid.shared_bytes = StripBitmap::bytes_for(column_strips);
    return grid;
  }
};

// The pairs of blocks, their entries and the counts of C's rows. Asynchronous.
inline void multiply_masks(Kokkos::Cuda const& exec, BlocksOfSteps const& product,
                           BlocksOfStrip const* of_strips, StepPair* pairs, TileBlockRow* of_rows,
                           int* counts, unsigned long long* nnz)
{
  constexpr int warps = independent_threads.threads_per_block / warp_size;
  if (product.count * warps <= device_shape(exec).warps())
    launch(exec, "heddle::spgemm::multiply_masks", spgemm_multiply_masks_kernel<warps>,
           Grid{product.count, independent_threads.threads_per_block}, product, pairs, of_rows);
  else
    launch(exec, "heddle::spgemm::multiply_masks", spgemm_multiply_masks_kernel<1>,
           one_thread_each(product.count * warp_size), product, pairs, of_rows);
  launch(exec, "heddle::spgemm::count_rows", spgemm_count_rows_kernel,
         Grid{impl::divided_up(product.rows, strip_size), StripBitmap::threads}, of_strips,
         product.rows, of_rows, counts, nnz);
}

} // namespace heddle::cuda_native
