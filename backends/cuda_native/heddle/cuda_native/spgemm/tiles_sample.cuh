// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How A and B would lie in dense tiles, by a sample of their strips of 32 rows: a thread block has
// a strip, each warp a row, and a bitmap in shared memory with four bits for each 8 columns, one
// for each 8 rows. Its bits are tiles of 8 x 8, its groups of four bits steps of A, and of four
// neighbouring groups the bits of the same 8 rows are a step of B. Other blocks count strips of the
// same matrix with nodes aligned to tiles, or see how alike neighbouring rows are
// (spgemm/row_likeness.cuh), if the kernels that tiles are compared with want to know that. All
// write what they counted to page-locked memory, so that nothing is cleared before nor copied after
// the one kernel that the host waits for.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/row_likeness.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/pattern.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// What a block, or a thread, counted in a strip: each number in 16 bits, so that they are added up
// together.
struct SampledStrip
{
  using Word = PinnedWords::Word;
  static constexpr int bits = 16;
  static constexpr Word most = (Word(1) << bits) - 1;
  static_assert(strip_size * spgemm_tiles_policy.sampled_entries_of_row <= most);
  Word word;

  __device__ static SampledStrip of(int entries, int tiles, int steps_of_a, int steps_of_b)
  {
    return {static_cast<Word>(entries) | static_cast<Word>(tiles) << bits |
            static_cast<Word>(steps_of_a) << 2 * bits | static_cast<Word>(steps_of_b) << 3 * bits};
  }
  void add_to(SampledTiles& sum) const
  {
    auto const field = [this](int n) { return static_cast<double>(word >> n * bits & most); };
    sum.entries += field(0);
    sum.tiles += field(1);
    sum.steps_of_a += field(2);
    sum.steps_of_b += field(3);
  }
};

// The bitmap of a strip. Columns further apart than it is wide share bits: entries of a strip are
// so few that hardly any two meet there.
class SampledBitmap
{
public:
  static constexpr int words = 2048, steps_of_word = 8;
  static constexpr int threads = strip_size * warp_size; // of a block

  __device__ static void clear(unsigned* bits)
  {
    for (int n = static_cast<int>(threadIdx.x); n < words; n += threads)
      bits[n] = 0;
  }
  // The tile of a place in one of the four groups of 8 rows; place < 0: none. Lanes leave it to
  // their neighbour where it is the same. All lanes of the warp take part.
  __device__ static void set(unsigned* bits, int place, int group)
  {
    int const step = place < 0 ? -1 : place / tile_size % (words * steps_of_word);
    int const before = __shfl_up_sync(0xffffffffU, step, 1);
    if (step < 0 || (before == step && threadIdx.x % warp_size != 0))
      return;
    unsigned const bit = 1U << (step % steps_of_word * tiles_of_step + group);
    unsigned* const word = bits + step / steps_of_word;
    if ((*static_cast<unsigned volatile*>(word) & bit) == 0)
      atomicOr(word, bit);
  }
  // Tiles and steps in a thread's words; entries were counted before.
  __device__ static SampledStrip count(unsigned const* bits, int entries)
  {
    constexpr unsigned lowest = 0x11111111U, of_steps_of_b = 0x000f000fU;
    int tiles = 0, steps_of_a = 0, steps_of_b = 0;
    for (int n = static_cast<int>(threadIdx.x); n < words; n += threads)
    {
      unsigned const all = bits[n], of_two_tiles = all | all >> 1;
      unsigned const of_two_steps = all | all >> tiles_of_step;
      tiles += __popc(all);
      steps_of_a += __popc((of_two_tiles | of_two_tiles >> 2) & lowest);
      steps_of_b += __popc((of_two_steps | of_two_steps >> 2 * tiles_of_step) & of_steps_of_b);
    }
    return SampledStrip::of(entries, tiles, steps_of_a, steps_of_b);
  }
};

// take(columns of a few entries) for the first entries of the row at a place that a warp has, and
// of these for the ones whose columns come before a limit: long rows of a strip end at one column.
// Rows are taken to be sorted; what others have is guessed. limit: in shared memory. All threads of
// the block take part; a column of -1 is none.
template <class Matrix, class Take>
__device__ void for_each_sampled_batch(Matrix const& m, NodeAlignment const& alignment, int place,
                                       int* limit, Take const& take)
{
  constexpr int batch = 4, most = spgemm_tiles_policy.sampled_entries_of_row;
  constexpr int none = -1;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  auto const offset_at = [&](int at) {
    return static_cast<std::int64_t>(m.offsets[min(std::int64_t(alignment.index_at(at)), m.rows)]);
  };
  if (threadIdx.x == 0)
    *limit = 0x7fffffff;
  __syncthreads();
  std::int64_t const begin = offset_at(place), length = offset_at(place + 1) - begin;
  if (length > most && lane == 0)
    atomicMin(limit, static_cast<int>(m.columns[begin + most]));
  __syncthreads();
  int const end = *limit, count = static_cast<int>(min(length, std::int64_t(most)));
  for (int first = 0; first < count; first += batch * warp_size)
  {
    int columns[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n)
    {
      int const k = first + n * warp_size + lane;
      columns[n] = k < count ? static_cast<int>(m.columns[begin + k]) : none;
      columns[n] = columns[n] < end ? columns[n] : none;
    }
    take(columns);
  }
}

// Number n of `samples` strips: one from each of as many equal ranges, by a hash, like
// impl::sampled, but in 32 bits, since each warp asks.
__device__ inline unsigned sampled_strip(unsigned n, unsigned samples, unsigned strips)
{
  if (strips <= samples)
    return n;
  unsigned const length = strips / samples, longer = strips % samples;
  auto const hash = static_cast<unsigned>(impl::mix(n + 1));
  return n * length + min(n, longer) + hash % (length + (n < longer ? 1 : 0));
}

// What is counted in the strip of a thread block, which is number blockIdx.x of the sampled ones.
// For thread 0. take(column) for each of the sampled entries.
template <class Matrix, class Take>
__device__ SampledStrip sample_strip(Matrix const& m, NodeAlignment const& alignment,
                                     Take const& take)
{
  constexpr int threads = SampledBitmap::threads;
  __shared__ unsigned bits[SampledBitmap::words];
  __shared__ SampledStrip::Word of_warps[threads / warp_size];
  __shared__ int limit;
  auto const places = static_cast<unsigned>(alignment.place_of(static_cast<int>(m.rows)));
  unsigned const strips = (places + strip_size - 1) / strip_size;
  unsigned const samples = min(strips, gridDim.x);
  if (blockIdx.x >= samples)
    return {};
  auto const strip = static_cast<int>(sampled_strip(blockIdx.x, samples, strips));
  int const row = static_cast<int>(threadIdx.x) / warp_size;
  int entries = 0;
  SampledBitmap::clear(bits);
  for_each_sampled_batch(
      m, alignment, strip * strip_size + row, &limit, [&]<int batch>(int const(&columns)[batch]) {
  // Loads of all before what waits for them.
#pragma unroll
        for (int n = 0; n < batch; ++n)
          if (columns[n] >= 0)
            take(columns[n]);
#pragma unroll
        for (int n = 0; n < batch; ++n)
        {
          bool const is_there = columns[n] >= 0;
          entries += is_there ? 1 : 0;
          SampledBitmap::set(bits, is_there ? alignment.place_of(columns[n]) : columns[n],
                             row / tile_size);
        }
      });
  __syncthreads();
  return {sum_of_block<threads>(SampledBitmap::count(bits, entries).word, of_warps)};
}

// Row y of the grid has strips of A with the y-th alignment (0: none), later rows those of B, and
// row window_row windows of A. strips: a word for each block, then for each block of the first row
// the products of its entries.
template <class A, class B>
__global__ void __launch_bounds__(SampledBitmap::threads)
    spgemm_sample_tiles_kernel(A a, B b, NodeSizesInTiles sizes, unsigned window_row,
                               SampledStrip* strips)
{
  static_assert(SampledBitmap::threads == SampledWindow::rows * warp_size);
  __shared__ SampledStrip::Word of_warps[SampledBitmap::threads / warp_size];
  if (blockIdx.y == window_row)
  {
    SampledWindow const window = sample_window(a);
    if (threadIdx.x == 0)
      strips[gridDim.x * blockIdx.y + blockIdx.x] = {window.word()};
    return;
  }
  auto const alignments = static_cast<unsigned>(sizes.count) + 1;
  unsigned const n = blockIdx.y % alignments;
  NodeAlignment const alignment{n == 0 ? 0 : sizes.sizes[n - 1]};
  SampledStrip::Word products = 0;
  auto const add_products = [&](int column) {
    if (n == 0)
      products += static_cast<SampledStrip::Word>(b.offsets[column + 1] - b.offsets[column]);
  };
  SampledStrip const strip = blockIdx.y < alignments ? sample_strip(a, alignment, add_products)
                                                     : sample_strip(b, alignment, [](int) {});
  if (threadIdx.x == 0)
    strips[gridDim.x * blockIdx.y + blockIdx.x] = strip;
  if (blockIdx.y > 0)
    return;
  products = sum_of_block<SampledBitmap::threads>(products, of_warps);
  if (threadIdx.x == 0)
    strips[gridDim.x * gridDim.y + blockIdx.x] = {products};
}

// Samples of A and B with each alignment. Waits for exec.
class TilesSample
{
  using Word = PinnedWords::Word;
  std::int64_t m_strips; // of each
  int m_alignments, m_matrices;
  bool m_has_windows;
  PinnedWords m_words;

  // Of a matrix of `rows` rows, with the alignment that makes the most strips.
  static std::int64_t strips_of(std::int64_t rows, NodeSizesInTiles const& sizes)
  {
    std::int64_t places = rows;
    for (int n = 0; n < sizes.count; ++n)
      places = std::max(places, NodeAlignment{sizes.sizes[n]}.places(rows));
    return std::min<std::int64_t>(spgemm_tiles_policy.sampled_strips,
                                  impl::divided_up(places, strip_size));
  }
  int rows_of_strips() const { return m_matrices * m_alignments; }
  int rows_in_all() const { return rows_of_strips() + (m_has_windows ? 1 : 0); }
  SampledStrip const* strips(int row) const
  {
    return reinterpret_cast<SampledStrip const*>(m_words.data()) + row * m_strips;
  }

public:
  template <class A, class B>
  TilesSample(Kokkos::Cuda const& exec, A const& a, B const& b, bool is_one_matrix,
              NodeSizesInTiles const& sizes, bool has_windows)
      : m_strips(std::max(strips_of(a.rows, sizes), strips_of(b.rows, sizes)))
      , m_alignments(sizes.count + 1)
      , m_matrices(is_one_matrix ? 1 : 2)
      , m_has_windows(has_windows)
      , m_words(static_cast<std::size_t>(m_strips * (rows_in_all() + 1)))
  {
    static_assert(sizeof(SampledStrip) == sizeof(Word));
    static_assert(spgemm_tiles_policy.sampled_strips * (2 * (NodeSizesInTiles::most + 1) + 2) <=
                  PinnedWords::most);
    Grid grid{m_strips, SampledBitmap::threads};
    grid.blocks_y = rows_in_all();
    launch(exec, "heddle::spgemm::sample_tiles", spgemm_sample_tiles_kernel<A, B>, grid, a, b,
           sizes, static_cast<unsigned>(rows_of_strips()),
           reinterpret_cast<SampledStrip*>(m_words.view().data()));
    exec.fence("heddle::spgemm::sample_tiles");
  }
  // Of A (0) or B (1) with the n-th alignment, 0 none.
  SampledTiles of(int factor, int n) const
  {
    auto const* const found = strips((m_matrices == 1 ? 0 : factor) * m_alignments + n);
    SampledTiles sum;
    for (std::int64_t s = 0; s < m_strips; ++s)
      found[s].add_to(sum);
    return sum;
  }
  // Products of the sampled entries of A without alignment, which are of(0, 0).entries.
  double products() const
  {
    auto const* const found = strips(rows_in_all());
    double sum = 0.0;
    for (std::int64_t s = 0; s < m_strips; ++s)
      sum += static_cast<double>(found[s].word);
    return sum;
  }
  // take(window) for the windows of A, if there are any.
  template <class Take>
  void for_each_window(Take const& take) const
  {
    auto const* const found = strips(rows_of_strips());
    for (std::int64_t n = 0; m_has_windows && n < m_strips; ++n)
      take(SampledWindow::of(found[n].word));
  }
};

} // namespace heddle::cuda_native
