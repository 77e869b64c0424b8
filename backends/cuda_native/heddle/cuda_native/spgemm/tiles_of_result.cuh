// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM by dense tiles. Which blocks of 32 x 32 C may have is the product of
// the patterns of strips: steps of a strip of A take those of B of the same group of rows. A warp
// then finds the entries of a block as a product of bits, row i of it in lane i: an entry in row i
// and column k of a step of A adds row k of the mask of B's step. The counts of its bits, summed
// over the blocks of a strip, give the offsets of C's rows and where a block begins in each of
// them, and columns are written from the bits. So rows of C are neither counted nor sorted by
// entries, and are exact: a block that has no entry is multiplied and stored nowhere.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_factors.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Blocks of C that may have entries.
template <template <class> class Memory>
struct ResultTiles
{
  Memory<TileBlock> blocks;
  Memory<TileBlockRow> rows;

  std::size_t bytes() const
  {
    return blocks.size() * sizeof(TileBlock) + rows.size() * sizeof(TileBlockRow);
  }
};

// What is counted on the device, in words that the host reads.
struct TileCounters
{
  // Entries of A and B that are different, blocks of C, steps of A and B that meet in them,
  // products of their tiles, products of entries, and entries of C.
  unsigned long long entries_of_a, entries_of_b, blocks, common_steps, tile_products, products, nnz;
};

// The factors of the symbolic product of strips. offsets_of_b: of the rows of B.
template <class Offset>
struct StripProduct
{
  TileStrips a;
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
  // Sets the blocks of a strip. count(step, its group of columns, lane of the 8 that have it).
  template <class Offset, class Count>
  __device__ void set(StripProduct<Offset> const& product, std::int64_t strip, Count const& count)
  {
    int const lane = static_cast<int>(threadIdx.x) % lanes_of_step;
    int const end = product.a.offsets[strip + 1];
    for (int step = product.a.offsets[strip] + static_cast<int>(threadIdx.x) / lanes_of_step;
         step < end; step += threads / lanes_of_step)
    {
      int const group = product.a.groups[step];
      int const last = product.b.first_step(group + 1);
      for (int n = product.b.first_step(group) + lane; n < last; n += lanes_of_step)
      {
        int const column = product.b.columns[n];
        unsigned const bit = 1U << (column % bits_of_word);
        unsigned* const word = m_bits + column / bits_of_word;
        if ((*static_cast<unsigned volatile*>(word) & bit) == 0)
          atomicOr(word, bit);
      }
      count(step, group, lane);
    }
    __syncthreads();
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

// counts[s]: blocks of strip s of C, a thread block each; and the counters but those of B's
// entries and of C's.
template <class Offset>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_count_blocks_kernel(StripProduct<Offset> product, int words, int* counts,
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
        __popc(product.a.steps[step].tiles) *
        static_cast<long long>(product.b.first_tile(group + 1) - product.b.first_tile(group));
  });
  int const blocks = bitmap.number(memory);
  auto const add = [&](long long of_thread, unsigned long long& to) {
    long long const sum = sum_of_block<threads>(of_thread, of_warps);
    if (threadIdx.x == 0)
      atomicAdd(&to, static_cast<unsigned long long>(sum));
    __syncthreads();
  };
  add(entries, counters->entries_of_a);
  add(common_steps, counters->common_steps);
  add(tile_products, counters->tile_products);
  add(products, counters->products);
  if (threadIdx.x != 0)
    return;
  counts[blockIdx.x] = blocks;
  atomicAdd(&counters->blocks, static_cast<unsigned long long>(blocks));
}

// The blocks of strip s of C, from offsets[s] on.
template <class Offset>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_list_blocks_kernel(StripProduct<Offset> product, int words, std::int64_t const* offsets,
                              TileBlock* blocks)
{
  __shared__ Team<StripBitmap::threads>::Memory memory;
  StripBitmap bitmap(words);
  bitmap.set(product, blockIdx.x, [](int, int, int) {});
  bitmap.number(memory);
  TileBlock* const of_strip = blocks + offsets[blockIdx.x];
  bitmap.for_each([&](int number, int column_strip) {
    of_strip[number] = {static_cast<int>(blockIdx.x), column_strip};
  });
}

// Blocks of C, and the steps that are multiplied for them.
struct BlocksOfSteps
{
  TileStrips a, b;
  StepMask const *masks_of_a, *masks_of_b;
  TileBlock const* blocks;
  std::int64_t count, rows, columns; // blocks, and the sizes of C
  int parts;                         // warps that share the steps of a block
};

// The entries of each row of each block: of_rows[n * 32 + i].columns, zeros before where there are
// several parts. A warp has a part of a block, and ends when all of it is full.
__global__ inline void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_multiply_masks_kernel(BlocksOfSteps product, TileBlockRow* of_rows)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const warp =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (warp >= product.count * product.parts)
    return;
  std::int64_t const n = warp % product.count;
  TileBlock const block = product.blocks[n];
  std::int64_t const row = std::int64_t(block.row_strip) * strip_size + lane;
  std::int64_t const columns = product.columns - std::int64_t(block.column_strip) * strip_size;
  unsigned const full = row >= product.rows     ? 0
                        : columns >= strip_size ? all_lanes
                                                : (1U << columns) - 1;
  struct Found
  {
    int of_a, of_b;
  };
  unsigned mask = 0;
  take_common_steps(
      product.a, product.b, block, {static_cast<int>(warp / product.count), product.parts}, lane,
      [](int of_a, int of_b) {
        return Found{of_a, of_b};
      },
      [&](Found const& found, int source) {
        int const of_a = __shfl_sync(all_lanes, found.of_a, source);
        int const of_b = __shfl_sync(all_lanes, found.of_b, source);
        unsigned const mine =
            reinterpret_cast<unsigned char const*>(product.masks_of_a[of_a].words)[lane];
        StepMask const of_step = product.masks_of_b[of_b];
#pragma unroll
        for (int k = 0; k < tile_size; ++k)
          mask |= (mine >> k & 1) != 0 ? of_step.words[k] : 0;
        return __all_sync(all_lanes, mask == full) == 0;
      });
  TileBlockRow& to = of_rows[n * strip_size + lane];
  if (product.parts == 1)
    to.columns = mask;
  else if (mask != 0)
    atomicOr(&to.columns, mask);
}

// Where the blocks of strip s begin in each row of C, and how many entries rows have. nnz: those of
// all rows.
__global__ inline void __launch_bounds__(StripBitmap::threads)
    spgemm_count_rows_kernel(std::int64_t const* offsets, std::int64_t rows, TileBlockRow* of_rows,
                             int* counts, unsigned long long* nnz)
{
  constexpr int warps = StripBitmap::threads / warp_size;
  __shared__ int of_warps[warps][strip_size];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const begin = offsets[blockIdx.x], count = offsets[blockIdx.x + 1] - begin;
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
  void count(Kokkos::Cuda const& exec, int* counts, TileCounters* counters) const
  {
    launch(exec, "heddle::spgemm::count_blocks", spgemm_count_blocks_kernel<Offset>, grid(),
           product, StripBitmap::words_for(column_strips), counts, counters);
  }
  void list(Kokkos::Cuda const& exec, std::int64_t const* offsets, TileBlock* blocks) const
  {
    launch(exec, "heddle::spgemm::list_blocks", spgemm_list_blocks_kernel<Offset>, grid(), product,
           StripBitmap::words_for(column_strips), offsets, blocks);
  }

private:
  Grid grid() const
  {
    Grid grid{strips, StripBitmap::threads};
    grid.shared_bytes = StripBitmap::bytes_for(column_strips);
    return grid;
  }
};

// The number of blocks of each strip of C, and where it begins among all blocks.
class BlocksOfStrips
{
  TileScratch<int> m_counts;
  TileScratch<std::int64_t> m_offsets;

public:
  // Asynchronous.
  template <class Strips>
  BlocksOfStrips(Kokkos::Cuda const& exec, Strips const& strips, TileCounters* counters)
      : m_counts(exec, static_cast<std::size_t>(strips.strips))
      , m_offsets(exec, m_counts.size() + 1)
  {
    strips.count(exec, m_counts.data(), counters);
    offsets_from_counts(exec, m_counts.view(), m_offsets.view());
  }
  std::int64_t const* offsets() const { return m_offsets.data(); }
};

// The counters of a call, zeros at first.
class TileCountersOfCall
{
  using Word = PinnedWords::Word;
  Kokkos::Cuda m_exec;
  TileScratch<Word> m_words;

public:
  explicit TileCountersOfCall(Kokkos::Cuda const& exec)
      : m_exec(exec)
      , m_words(exec, sizeof(TileCounters) / sizeof(Word))
  {
    Kokkos::deep_copy(exec, m_words.view(), Word(0));
  }
  TileCounters* data() const { return reinterpret_cast<TileCounters*>(m_words.data()); }
  // Waits for exec.
  TileCounters on_host() const
  {
    PinnedWords const host(m_exec, m_words.view(), "heddle::spgemm::tiles");
    return *reinterpret_cast<TileCounters const*>(host.data());
  }
};

// The entries of blocks and the counts of C's rows. offsets: blocks of strips. Asynchronous.
inline void multiply_masks(Kokkos::Cuda const& exec, BlocksOfSteps const& product,
                           std::int64_t const* offsets, TileScratch<TileBlockRow> const& of_rows,
                           int* counts, unsigned long long* nnz)
{
  if (product.parts > 1)
    Kokkos::deep_copy(exec, of_rows.view(), TileBlockRow{});
  launch(exec, "heddle::spgemm::multiply_masks", spgemm_multiply_masks_kernel,
         one_thread_each(product.count * product.parts * warp_size), product, of_rows.data());
  launch(exec, "heddle::spgemm::count_rows", spgemm_count_rows_kernel,
         Grid{impl::divided_up(product.rows, strip_size), StripBitmap::threads}, offsets,
         product.rows, of_rows.data(), counts, nnz);
}

} // namespace heddle::cuda_native
