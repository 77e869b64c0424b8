// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which blocks of 32 x 32 C may have in SpGEMM by dense tiles: the product of the patterns of
// strips, steps of a strip of A taking those of B of the same group of rows. A thread block has a
// bitmap of the blocks of a strip of C, and lists them and the pairs of steps that meet in each.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/impl/divided_up.hpp>

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
  NodeAlignment alignment;
  Offset const* offsets_of_b;
};

// A bitmap of the blocks of a strip of C, in the shared memory of a thread block.
class StripBitmap
{
public:
  static constexpr int threads = 256;
  static constexpr int lanes_of_step = 8, bits_of_word = 32;
  static constexpr int steps_at_once = threads / lanes_of_step;
  static_assert(lanes_of_step == tile_size);    // a lane counts the products of a column of a step
  static_assert(steps_at_once == bits_of_word); // and a word has a bit for each of these steps

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
  // take(step of B) for each that meets a step of A, by the 8 lanes that have that one.
  template <class Offset, class Take>
  __device__ static void for_each_pair(StripProduct<Offset> const& product, int step,
                                       Take const& take)
  {
    int const group = product.a.groups[step];
    int const last = product.b.first_step(group + 1);
    for (int n = product.b.first_step(group) + static_cast<int>(threadIdx.x) % lanes_of_step;
         n < last; n += lanes_of_step)
      take(n);
  }
  // take(step of A) for each of a strip, by 8 lanes.
  template <class Offset, class Take>
  __device__ static void for_each_step(StripProduct<Offset> const& product, std::int64_t strip,
                                       Take const& take)
  {
    int const end = product.a.offsets[strip + 1];
    for (int step = product.a.offsets[strip] + static_cast<int>(threadIdx.x) / lanes_of_step;
         step < end; step += steps_at_once)
      take(step);
    __syncthreads();
  }
  // Sets the blocks of a strip. count(step of A) by the 8 lanes that have it.
  template <class Offset, class Count>
  __device__ void set(StripProduct<Offset> const& product, std::int64_t strip, Count const& count)
  {
    for_each_step(product, strip, [&](int step) {
      for_each_pair(product, step, [&](int n) {
        int const column = product.b.columns[n];
        unsigned const bit = 1U << (column % bits_of_word);
        unsigned* const word = m_bits + column / bits_of_word;
        if ((*static_cast<unsigned volatile*>(word) & bit) == 0)
          atomicOr(word, bit);
      });
      count(step);
    });
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
  long long common_steps = 0, tile_products = 0, products = 0;
  StripBitmap bitmap(words);
  bitmap.set(product, blockIdx.x, [&](int step) {
    int const lane = static_cast<int>(threadIdx.x) % StripBitmap::lanes_of_step;
    int const group = product.a.groups[step];
    StepMask const mask = product.masks_of_a[step];
    int of_column = 0;
#pragma unroll
    for (int n = 0; n < StepMask::count; ++n)
      of_column += __popc(mask.words[n] & (0x01010101U << lane));
    if (of_column > 0)
    {
      int const row = product.alignment.index_at(group * tile_size + lane);
      products += of_column *
                  static_cast<long long>(product.offsets_of_b[row + 1] - product.offsets_of_b[row]);
    }
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
  add(tile_products, counters->tile_products);
  add(products, counters->products);
  unsigned long long const first_pair = add(common_steps, counters->common_steps);
  if (threadIdx.x == 0)
    strips[blockIdx.x] = {atomicAdd(&counters->blocks, static_cast<unsigned long long>(blocks)),
                          first_pair, blocks};
}

// The blocks of each strip of C, and their pairs of steps in the order of A's. As many steps of A
// as a word has bits are taken at once: each sets its bit for the blocks that it meets, and the
// bits below say how many pairs of a block come before its own. bits: zeros before, one word per
// block.
template <class Offset>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_list_blocks_kernel(StripProduct<Offset> product, int words, BlocksOfStrip const* strips,
                              TileBlock* blocks, NumberedPair* pairs, unsigned* bits)
{
  constexpr int threads = StripBitmap::threads;
  __shared__ Team<threads>::Memory memory;
  StripBitmap bitmap(words);
  bitmap.set(product, blockIdx.x, [](int) {});
  bitmap.number(memory);
  BlocksOfStrip const of = strips[blockIdx.x];
  TileBlock* const of_strip = blocks + of.first;
  unsigned* const bits_of_strip = bits + of.first;
  bitmap.for_each([&](int number, int column_strip) {
    of_strip[number] = {static_cast<int>(blockIdx.x), column_strip, 0, 0};
  });
  __syncthreads();
  StripBitmap::for_each_step(product, blockIdx.x, [&](int step) {
    StripBitmap::for_each_pair(product, step, [&](int n) {
      atomicAdd(&of_strip[bitmap.number_of(product.b.columns[n])].pairs, 1U);
    });
  });
  auto before = static_cast<std::uint32_t>(of.first_pair);
  for (int first = 0; first < of.count; first += threads)
  {
    int const n = first + static_cast<int>(threadIdx.x);
    int const count = n < of.count ? static_cast<int>(__ldcg(&of_strip[n].pairs)) : 0;
    int total = 0;
    int const less = Team<threads>::exclusive_sum(count, total, memory);
    if (n < of.count)
      of_strip[n].first_pair = before + static_cast<std::uint32_t>(less);
    before += static_cast<std::uint32_t>(total);
  }
  __syncthreads();
  // While pairs are written first_pair is where the next one goes.
  int const lane = static_cast<int>(threadIdx.x) % StripBitmap::lanes_of_step;
  int const at = static_cast<int>(threadIdx.x) / StripBitmap::lanes_of_step;
  unsigned const lower = (1U << at) - 1;
  int const end = product.a.offsets[blockIdx.x + 1];
  for (int step = product.a.offsets[blockIdx.x] + at; step - at < end;
       step += StripBitmap::steps_at_once)
  {
    int first = 0, last = 0; // the steps of B that this one meets
    if (step < end)
    {
      int const group = product.a.groups[step];
      first = product.b.first_step(group) + lane;
      last = product.b.first_step(group + 1);
    }
    auto const for_each_pair = [&](auto const& take) {
      for (int n = first; n < last; n += StripBitmap::lanes_of_step)
        take(n, bitmap.number_of(product.b.columns[n]));
      __syncthreads();
    };
    for_each_pair([&](int, int number) { atomicOr(bits_of_strip + number, 1U << at); });
    for_each_pair([&](int n, int number) {
      unsigned const others = __ldcg(bits_of_strip + number) & lower;
      pairs[__ldcg(&of_strip[number].first_pair) + __popc(others)] = {step, n};
    });
    // The last step of a block ends the turn for all of them.
    for_each_pair([&](int, int number) {
      unsigned const all = __ldcg(bits_of_strip + number);
      if ((all & ~lower) == 1U << at)
      {
        of_strip[number].first_pair = __ldcg(&of_strip[number].first_pair) + __popc(all);
        bits_of_strip[number] = 0;
      }
    });
  }
  for (int n = static_cast<int>(threadIdx.x); n < of.count; n += threads)
    of_strip[n].first_pair = __ldcg(&of_strip[n].first_pair) - __ldcg(&of_strip[n].pairs);
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
  // The blocks of strips, and their pairs by number. Asynchronous.
  void list(Kokkos::Cuda const& exec, BlocksOfStrip const* of_strips, TileBlock* blocks,
            StepPair* pairs, unsigned* bits) const
  {
    launch(exec, "heddle::spgemm::list_blocks", spgemm_list_blocks_kernel<Offset>, grid(), product,
           StripBitmap::words_for(column_strips), of_strips, blocks,
           reinterpret_cast<NumberedPair*>(pairs), bits);
  }

private:
  Grid grid() const
  {
    Grid grid{strips, StripBitmap::threads};
    grid.shared_bytes = StripBitmap::bytes_for(column_strips);
    return grid;
  }
};

} // namespace heddle::cuda_native
