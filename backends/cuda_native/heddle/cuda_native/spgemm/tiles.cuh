// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What SpGEMM by dense tiles (spgemm/numeric_tiles.cuh) knows of A, B and C, and how it is found:
// entries of A and B are sorted by their tile and step, and the blocks of C's pattern are read off
// bitmaps of strips of C.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace heddle::cuda_native
{

// Memory of a call; of a plan it is KeptMemory (spgemm/kept_tiles.cuh).
template <class T>
using TileScratch = impl::Scratch<T, Kokkos::Cuda>;

// Tiles of a matrix in strips, with the place of each entry among the values of all tiles.
template <template <class> class Memory>
struct MatrixTiles
{
  Memory<int> offsets, groups;
  Memory<TileStep> steps;
  Memory<std::uint32_t> places;
  std::int64_t tiles = 0;

  TileStrips strips() const { return {offsets.data(), groups.data(), steps.data()}; }
  std::size_t values() const { return static_cast<std::size_t>(tiles) * values_of_tile; }
  std::size_t bytes() const
  {
    return offsets.size() * sizeof(int) + groups.size() * sizeof(int) +
           steps.size() * sizeof(TileStep) + places.size() * sizeof(std::uint32_t);
  }
};

// Blocks of C that have entries.
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

// How entries are sorted: strips, in them inner groups, tiles, and places in the tile.
struct TileKeys
{
  static constexpr std::uint64_t places = values_of_tile, tiles = places * tiles_of_step;
  std::uint64_t groups; // 8 inner indices each

  std::uint64_t bound(std::int64_t strips) const
  {
    return static_cast<std::uint64_t>(strips) * groups * tiles;
  }
  __device__ std::uint64_t of(std::int64_t outer, std::int64_t inner) const
  {
    auto const strip = static_cast<std::uint64_t>(outer / strip_size);
    auto const group = static_cast<std::uint64_t>(inner / tile_size);
    auto const tile = static_cast<std::uint64_t>(outer % strip_size / tile_size);
    return (strip * groups + group) * tiles + tile * places +
           static_cast<std::uint64_t>(place_in_tile(static_cast<int>(outer % tile_size),
                                                    static_cast<int>(inner % tile_size)));
  }
  __device__ static std::uint64_t step_of(std::uint64_t key) { return key / tiles; }
  __device__ static std::uint64_t tile_of(std::uint64_t key) { return key / places; }
};

// keys[k] of entry k of m: its row is outer and its column inner, or the other way round.
template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_tile_keys_kernel(Matrix m, std::int64_t nnz, TileKeys keys, std::uint64_t* of,
                            int* entries)
{
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= nnz)
    return;
  std::int64_t const row = impl::last_not_above(
      [&](std::int64_t i) { return static_cast<std::int64_t>(m.offsets[i]); }, m.rows, k);
  auto const column = static_cast<std::int64_t>(m.columns[k]);
  of[k] = are_columns_outer ? keys.of(column, row) : keys.of(row, column);
  entries[k] = static_cast<int>(k);
}

// Of sorted keys: 1 where a tile begins, and 2^32 more where a step does.
struct TileHeads
{
  std::uint64_t const* keys;
  std::size_t count;

  static constexpr std::int64_t of_step = std::int64_t(1) << 32;
  std::size_t extent(int) const { return count; }
  __device__ std::int64_t operator()(std::int64_t n) const
  {
    bool const is_first = n == 0;
    bool const begins_step =
        is_first || TileKeys::step_of(keys[n]) != TileKeys::step_of(keys[n - 1]);
    bool const begins_tile =
        is_first || TileKeys::tile_of(keys[n]) != TileKeys::tile_of(keys[n - 1]);
    return (begins_tile ? 1 : 0) + (begins_step ? of_step : 0);
  }
};

struct TileTargets
{
  int *offsets, *groups;
  TileStep* steps; // zeros before
  std::uint32_t* places;
  int* has_repeated; // not 0: an entry stands twice
};

// heads: of the entries before, tiles and steps that begin, as TileHeads counts them.
__global__ inline void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_place_in_tiles_kernel(std::uint64_t const* keys, int const* entries,
                                 std::int64_t const* heads, std::int64_t count, TileKeys of,
                                 std::int64_t strips, TileTargets to)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count)
    return;
  std::uint64_t const key = keys[n];
  std::int64_t const before = heads[n], with = heads[n + 1];
  auto const tile = static_cast<std::uint32_t>(with - 1);
  auto const step = with / TileHeads::of_step - 1;
  to.places[entries[n]] =
      tile * values_of_tile + static_cast<std::uint32_t>(key % TileKeys::places);
  if (n > 0 && keys[n - 1] == key)
    *to.has_repeated = 1;
  if (static_cast<std::uint32_t>(before) != static_cast<std::uint32_t>(with))
    atomicOr(&to.steps[step].tiles, 1U << (key / TileKeys::places % tiles_of_step));
  auto const strip_of = [&](std::int64_t entry) {
    return static_cast<std::int64_t>(TileKeys::step_of(keys[entry]) / of.groups);
  };
  std::int64_t const strip = strip_of(n);
  if (before / TileHeads::of_step <= step)
  {
    to.steps[step].first = tile;
    to.groups[step] = static_cast<int>(TileKeys::step_of(key) % of.groups);
    for (std::int64_t s = n == 0 ? 0 : strip_of(n - 1) + 1; s <= strip; ++s)
      to.offsets[s] = static_cast<int>(step);
  }
  if (n == count - 1)
    for (std::int64_t s = strip + 1; s <= strips; ++s)
      to.offsets[s] = static_cast<int>(step + 1);
}

// What is not numbered in 32 bits has no tiles.
template <class Matrix>
bool have_short_tiles(Matrix const& m)
{
  return std::in_range<int>(m.num_rows()) && std::in_range<int>(m.num_cols()) &&
         std::in_range<int>(m.nnz());
}

// Bytes that finding the tiles of a matrix takes, beside what it finds.
inline std::size_t bytes_to_find_tiles(std::size_t nnz)
{
  return nnz * (2 * (sizeof(std::uint64_t) + sizeof(int)) + sizeof(std::int64_t));
}

// The tiles of m, whose strips are of rows, or of columns; nothing where an entry stands twice or
// tiles are too many. Waits for exec.
template <bool are_columns_outer, class Matrix>
std::optional<MatrixTiles<TileScratch>> find_tiles(Kokkos::Cuda const& exec, Matrix const& m,
                                                   std::int64_t cols, std::int64_t nnz)
{
  std::int64_t const outer = are_columns_outer ? cols : m.rows;
  std::int64_t const inner = are_columns_outer ? m.rows : cols;
  std::int64_t const strips = impl::divided_up(outer, strip_size);
  TileKeys const keys{static_cast<std::uint64_t>(impl::divided_up(inner, tile_size))};
  auto const count = static_cast<std::size_t>(nnz);
  TileScratch<std::uint64_t> const sorted_keys(exec, 2 * count);
  TileScratch<int> const entries(exec, 2 * count);
  launch(exec, "heddle::spgemm::tile_keys", spgemm_tile_keys_kernel<are_columns_outer, Matrix>,
         one_thread_each(nnz), m, nnz, keys, sorted_keys.data(), entries.data());
  auto const sorted =
      impl::SortPairs<std::uint64_t, int>::run(exec, {sorted_keys.data(), entries.data()},
                                               {sorted_keys.data() + count, entries.data() + count},
                                               static_cast<std::int64_t>(keys.bound(strips)), nnz);
  TileScratch<std::int64_t> const heads(exec, count + 1);
  offsets_from_counts(exec, TileHeads{sorted.keys, count}, heads.view());
  std::int64_t const all = last_of(exec, heads.view()); // waits
  auto const tiles = static_cast<std::int64_t>(static_cast<std::uint32_t>(all));
  auto const steps = static_cast<std::size_t>(all / TileHeads::of_step);
  if (tiles > std::numeric_limits<std::uint32_t>::max() / values_of_tile)
    return {};
  MatrixTiles<TileScratch> result{{exec, static_cast<std::size_t>(strips) + 1},
                                  {exec, steps},
                                  {exec, steps},
                                  {exec, count},
                                  tiles};
  TileScratch<int> const has_repeated(exec, 1);
  Kokkos::deep_copy(exec, has_repeated.view(), 0);
  Kokkos::deep_copy(exec, result.steps.view(), TileStep{});
  launch(exec, "heddle::spgemm::place_in_tiles", spgemm_place_in_tiles_kernel, one_thread_each(nnz),
         sorted.keys, sorted.indices, heads.data(), nnz, keys, strips,
         TileTargets{result.offsets.data(), result.groups.data(), result.steps.data(),
                     result.places.data(), has_repeated.data()});
  if (last_of(exec, has_repeated.view()) != 0) // waits
    return {};
  return result;
}

// Bitmaps of the blocks of a strip of C, in the shared memory of a thread block.
struct StripBitmap
{
  static constexpr int threads = 256;
  static constexpr int bits_of_word = 32;
  unsigned* bits;
  int* before; // bits in the words before
  int words;

  static int words_for(std::int64_t column_strips)
  {
    return static_cast<int>(impl::divided_up(column_strips, bits_of_word));
  }
  static std::size_t bytes_for(std::int64_t column_strips)
  {
    return static_cast<std::size_t>(words_for(column_strips)) * (sizeof(unsigned) + sizeof(int));
  }
  // The blocks of the rows first .. last - 1 of C. All threads take part.
  template <class C>
  __device__ StripBitmap(C const& c, std::int64_t first, std::int64_t last, int count)
      : bits(reinterpret_cast<unsigned*>(dynamic_shared()))
      , before(reinterpret_cast<int*>(bits + count))
      , words(count)
  {
    for (int n = static_cast<int>(threadIdx.x); n < words; n += threads)
      bits[n] = 0;
    __syncthreads();
    auto const end = static_cast<std::int64_t>(c.offsets[last]);
    for (std::int64_t k = static_cast<std::int64_t>(c.offsets[first]) + threadIdx.x; k < end;
         k += threads)
    {
      auto const strip = static_cast<std::int64_t>(c.columns[k]) / strip_size;
      unsigned const bit = 1U << (strip % bits_of_word);
      unsigned* const word = bits + strip / bits_of_word;
      if ((*static_cast<unsigned volatile*>(word) & bit) == 0)
        atomicOr(word, bit);
    }
    __syncthreads();
  }
  // Fills before. Returns the number of all bits.
  __device__ int number(Team<threads>::Memory& memory)
  {
    int sum = 0;
    for (int first = 0; first < words; first += threads)
    {
      int const n = first + static_cast<int>(threadIdx.x);
      int const count = n < words ? __popc(bits[n]) : 0;
      int total = 0;
      int const less = Team<threads>::exclusive_sum(count, total, memory);
      if (n < words)
        before[n] = sum + less;
      sum += total;
      __syncthreads();
    }
    return sum;
  }
  __device__ int number_of(std::int64_t strip) const
  {
    auto const word = strip / bits_of_word;
    return before[word] + __popc(bits[word] & ((1U << (strip % bits_of_word)) - 1));
  }
};

// counts[s]: blocks of strip s of C, a thread block each.
template <class C>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_count_tile_blocks_kernel(C c, std::int64_t c_rows, int words, int* counts)
{
  __shared__ Team<StripBitmap::threads>::Memory memory;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * strip_size;
  StripBitmap bitmap(c, first, min(first + strip_size, c_rows), words);
  int const count = bitmap.number(memory);
  if (threadIdx.x == 0)
    counts[blockIdx.x] = count;
}

// Blocks of strip s of C and their rows, which are zeros before.
template <class C>
__global__ void __launch_bounds__(StripBitmap::threads)
    spgemm_list_tile_blocks_kernel(C c, std::int64_t c_rows, int words, std::int64_t const* offsets,
                                   TileBlock* blocks, TileBlockRow* rows)
{
  __shared__ Team<StripBitmap::threads>::Memory memory;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * strip_size;
  std::int64_t const last = min(first + strip_size, c_rows);
  StripBitmap bitmap(c, first, last, words);
  bitmap.number(memory);
  std::int64_t const first_block = offsets[blockIdx.x];
  for (int word = static_cast<int>(threadIdx.x); word < words; word += StripBitmap::threads)
  {
    std::int64_t to = first_block + bitmap.before[word];
    for (unsigned left = bitmap.bits[word]; left != 0; left &= left - 1)
      blocks[to++] = {static_cast<int>(blockIdx.x),
                      word * StripBitmap::bits_of_word + __ffs(static_cast<int>(left)) - 1};
  }
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  for (std::int64_t row = first + threadIdx.x / warp_size; row < last;
       row += StripBitmap::threads / warp_size)
  {
    auto const begin = static_cast<std::int64_t>(c.offsets[row]);
    auto const end = static_cast<std::int64_t>(c.offsets[row + 1]);
    for (std::int64_t k = begin + lane; k < end; k += warp_size)
    {
      auto const column = static_cast<std::int64_t>(c.columns[k]);
      std::int64_t const strip = column / strip_size;
      TileBlockRow& of = rows[(first_block + bitmap.number_of(strip)) * strip_size + (row - first)];
      atomicOr(&of.columns, 1U << (column % strip_size));
      if (k == begin || static_cast<std::int64_t>(c.columns[k - 1]) / strip_size != strip)
        of.first = static_cast<std::uint32_t>(k - begin);
    }
  }
}

// Whether a thread block has room for the bitmap of a strip.
inline bool has_room_for_strips(DeviceShape const& device, std::int64_t c_cols)
{
  constexpr std::size_t others = 1024; // what kernels have in static arrays
  return StripBitmap::bytes_for(impl::divided_up(c_cols, strip_size)) + others <=
         device.shared_bytes_of_block;
}

// The blocks of C, whose offsets and columns are there, if they take no more than `room` bytes.
// Waits for exec.
template <class C>
std::optional<ResultTiles<TileScratch>> find_result_tiles(Kokkos::Cuda const& exec, C const& c,
                                                          std::int64_t c_rows, std::int64_t c_cols,
                                                          std::size_t room)
{
  std::int64_t const strips = impl::divided_up(c_rows, strip_size);
  std::int64_t const column_strips = impl::divided_up(c_cols, strip_size);
  int const words = StripBitmap::words_for(column_strips);
  TileScratch<int> const counts(exec, static_cast<std::size_t>(strips));
  TileScratch<std::int64_t> const offsets(exec, static_cast<std::size_t>(strips) + 1);
  Grid grid{strips, StripBitmap::threads};
  grid.shared_bytes = StripBitmap::bytes_for(column_strips);
  launch(exec, "heddle::spgemm::count_tile_blocks", spgemm_count_tile_blocks_kernel<C>, grid, c,
         c_rows, words, counts.data());
  offsets_from_counts(exec, counts.view(), offsets.view());
  auto const blocks = static_cast<std::size_t>(last_of(exec, offsets.view())); // waits
  if (blocks * (sizeof(TileBlock) + strip_size * sizeof(TileBlockRow)) > room)
    return {};
  ResultTiles<TileScratch> result{{exec, blocks}, {exec, blocks * strip_size}};
  Kokkos::deep_copy(exec, result.rows.view(), TileBlockRow{});
  launch(exec, "heddle::spgemm::list_tile_blocks", spgemm_list_tile_blocks_kernel<C>, grid, c,
         c_rows, words, offsets.data(), result.blocks.data(), result.rows.data());
  return result;
}

// A product by tiles: of a single multiply, or kept by a plan.
template <template <class> class Memory>
struct SpgemmTiles
{
  MatrixTiles<Memory> a, b;
  ResultTiles<Memory> c;
  int parts = 1; // warps that share the steps of a block of C
  TilesQuestion counted = {};

  bool are_there() const { return c.blocks.size() > 0; }
  std::size_t bytes() const { return a.bytes() + b.bytes() + c.bytes(); }
  std::string describe() const
  {
    constexpr double percent = 100.0;
    std::ostringstream text;
    text << counted.tile_products << " products of tiles of 8 x 8 for " << counted.products
         << " of entries in " << counted.common_steps << " steps, tiles filled to "
         << static_cast<int>(percent * static_cast<double>(counted.entries) /
                             (static_cast<double>(counted.tiles) * values_of_tile))
         << " %; sums in order";
    return text.str();
  }
};

// What a call needs beside tiles: the values of A and B in them, and sums of parts of C's blocks.
template <template <class> class Memory>
std::size_t bytes_of_values(MatrixTiles<Memory> const& a, MatrixTiles<Memory> const& b)
{
  return (a.values() + b.values()) * sizeof(double);
}
inline std::size_t values_of_parts(std::size_t blocks, int parts)
{
  return parts > 1 ? blocks * static_cast<std::size_t>(parts) * values_of_block : 0;
}

// With the blocks of C, whose offsets and columns are there; nothing where all of it, and what a
// call needs, take more than `room` bytes. Waits for exec.
template <class C>
std::optional<SpgemmTiles<TileScratch>>
tiles_of_all(Kokkos::Cuda const& exec, MatrixTiles<TileScratch>&& a, MatrixTiles<TileScratch>&& b,
             C const& c, std::int64_t c_rows, std::int64_t c_cols, TilesQuestion const& counted,
             std::size_t room)
{
  std::size_t const of_factors = a.bytes() + b.bytes(), of_values = bytes_of_values(a, b);
  if (of_factors + of_values > room)
    return {};
  double const steps_of_strip =
      static_cast<double>(a.steps.size()) / static_cast<double>(a.offsets.size() - 1);
  auto of_c = find_result_tiles(exec, c, c_rows, c_cols, room - of_factors);
  if (!of_c)
    return {};
  std::size_t const blocks = of_c->blocks.size();
  int const parts =
      parts_of_blocks(device_shape(exec), static_cast<std::int64_t>(blocks), steps_of_strip);
  // A plan copies them before there are calls.
  std::size_t const found = of_factors + of_c->bytes();
  std::size_t const of_call = of_values + values_of_parts(blocks, parts) * sizeof(double);
  if (found + std::max(found, of_call) > room)
    return {};
  return SpgemmTiles<TileScratch>{std::move(a), std::move(b), std::move(*of_c), parts, counted};
}

// Values of C = A B. Asynchronous.
template <template <class> class Memory, class A, class B, class C>
void sum_in_tiles(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                  SpgemmTiles<Memory> const& tiles)
{
  std::size_t const of_a = tiles.a.values(), of_b = tiles.b.values();
  auto const entries_a = static_cast<std::int64_t>(tiles.a.places.size());
  auto const entries_b = static_cast<std::int64_t>(tiles.b.places.size());
  TileScratch<double> const values(exec, of_a + of_b + 1); // and a flag
  Kokkos::deep_copy(exec, values.view(), 0.0);
  auto* const has_infinite = reinterpret_cast<int*>(values.data() + of_a + of_b);
  launch(exec, "heddle::spgemm::write_tiles",
         spgemm_write_tiles_kernel<typename A::value_type, typename B::value_type>,
         one_thread_each(entries_a + entries_b),
         TiledValues<typename A::value_type>{a.values, tiles.a.places.data(), entries_a,
                                             values.data()},
         TiledValues<typename B::value_type>{b.values, tiles.b.places.data(), entries_b,
                                             values.data() + of_a},
         has_infinite);
  auto const blocks = static_cast<std::int64_t>(tiles.c.blocks.size());
  TileProduct const product{
      tiles.a.strips(), tiles.b.strips(), tiles.c.blocks.data(), tiles.c.rows.data(), blocks,
      tiles.parts,      values.data(),    values.data() + of_a,  has_infinite};
  constexpr int threads = spgemm_tiles_policy.threads_per_block;
  TileScratch<double> const parts(exec, values_of_parts(tiles.c.blocks.size(), tiles.parts));
  launch(exec, "heddle::spgemm::sum_tiles", spgemm_sum_tiles_kernel<C>,
         one_thread_each(blocks * tiles.parts * warp_size, threads), c, a.rows, product,
         parts.data());
  if (tiles.parts > 1)
    launch(exec, "heddle::spgemm::add_tiles", spgemm_add_tiles_kernel<C>,
           one_thread_each(blocks * tiles_of_step * tiles_of_step * warp_size), c, a.rows, product,
           parts.data());
}

} // namespace heddle::cuda_native
