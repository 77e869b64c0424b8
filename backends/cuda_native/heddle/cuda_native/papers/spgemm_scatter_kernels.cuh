// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of C by scatter vectors of virtual warps (Gustavson 1978; HybridSparse, Kunchum et al., ICS
// 2017; paper 003, VII). A virtual warp is a group of 8 to 32 lanes that waits for its own lanes
// alone, or a block of 64 to 512 threads; it has a row of A, takes one row of B after another with
// all of its threads, and so adds to sums without atomics, in the order of A's entries: a row of B
// has each column once. Where the row has more threads than its rows of B have entries, because its
// vector or its products are many, groups of lanes take rows of B side by side, and add by atomics.
//
// The vector is in shared memory and as wide as the row, from its first column to its last, in
// words of 32 columns: a bit for each column that products have and, in the numeric phase, how many
// the row has before the word. The slot of a column in C is that and the bits below its own: what
// paper 003 keeps as a pointer per column in memory takes 2 bits, and columns come out sorted. A
// row that is wider than the largest vector takes several passes over its products.
//
// Rows of few products are sorted in registers by virtual warps of 8 to 32 lanes, in both phases
// (spgemm/sorted_products.cuh).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/papers/spgemm_scatter_policy.hpp>
#include <heddle/cuda_native/spgemm/fused_sort.cuh>
#include <heddle/cuda_native/spgemm/numeric_table.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/tables.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Threads that have a row, as Team.
template <int threads, bool is_part_of_warp = (threads < warp_size)>
struct SpgemmVirtualWarp : Team<threads>
{
  // Lanes of a warp that look at 32 columns together, and which they are.
  static constexpr int lanes = warp_size;
  __device__ static unsigned mask() { return 0xffffffffU; }
};
template <int threads>
struct SpgemmVirtualWarp<threads, true>
{
  static constexpr int size = threads, lanes = threads;
  struct Memory
  {};

  __device__ static int rank() { return static_cast<int>(threadIdx.x) % threads; }
  __device__ static unsigned mask()
  {
    return ((1U << threads) - 1) << (static_cast<int>(threadIdx.x) % warp_size / threads * threads);
  }
  __device__ static void wait() { __syncwarp(mask()); }
  // The sum of value over threads of lower rank; total is that over all.
  __device__ static int exclusive_sum(int value, int& total, Memory&)
  {
    int sum = value;
#pragma unroll
    for (int distance = 1; distance < threads; distance *= 2)
    {
      int const before = __shfl_up_sync(mask(), sum, static_cast<unsigned>(distance), threads);
      if (rank() >= distance)
        sum += before;
    }
    total = __shfl_sync(mask(), sum, threads - 1, threads);
    return sum - value;
  }
};

// visit(entry of A, what load(entry of B) gave) for all products of these entries, one row of B
// after another, by the lanes of a part of a warp. Where rows of B begin and end is loaded for as
// many entries at once, what they have one turn before it is needed.
template <class Warp, class A, class B, class Load, class Visit>
__device__ void take_rows_in_turn(A const& a, B const& b, EntryRange entries, Load const& load,
                                  Visit const& visit)
{
  using EntryIndex = typename B::entry_index;
  constexpr int lanes = Warp::size;
  unsigned const mask = Warp::mask();
  int const lane = Warp::rank();
  for (std::int64_t first = entries.begin; first < entries.end; first += lanes)
  {
    int const count = static_cast<int>(entries.end - first < lanes ? entries.end - first : lanes);
    EntryIndex b_begin = 0;
    int b_length = 0;
    if (lane < count)
    {
      auto const row = static_cast<std::int64_t>(a.columns[first + lane]);
      b_begin = b.begin_of(row);
      b_length = b.length_of(row);
    }
    EntryIndex at = __shfl_sync(mask, b_begin, 0, lanes);
    int length = __shfl_sync(mask, b_length, 0, lanes);
    auto item = lane < length ? load(at + lane) : decltype(load(at)){};
    for (int k = 0; k < count; ++k)
    {
      EntryIndex const next_at = __shfl_sync(mask, b_begin, (k + 1) % lanes, lanes);
      int next_length = __shfl_sync(mask, b_length, (k + 1) % lanes, lanes);
      if (k + 1 >= count)
        next_length = 0;
      int n = lane;
      do
      {
        auto const now = item;
        bool const is_here = n < length;
        n += lanes;
        bool const has_more = n < length;
        if (has_more || lane < next_length)
          item = has_more ? load(at + n) : load(next_at + lane);
        if (is_here)
          visit(first + k, now);
      } while (n < length);
      Warp::wait();
      at = next_at;
      length = next_length;
    }
  }
}

// The same by any virtual warp. Unless in turn, groups of `group` lanes take rows of B side by
// side.
template <bool in_turn, class Warp, class A, class B, class Load, class Visit>
__device__ void take_products(A const& a, B const& b, EntryRange entries, int group,
                              Load const& load, Visit const& visit)
{
  if constexpr (Warp::size < warp_size)
    take_rows_in_turn<Warp>(a, b, entries, load, visit);
  else
    for_each_product<in_turn, Team<Warp::size>>(a, b, entries, in_turn ? Warp::size : group, load,
                                                visit);
}

// Clears these bytes and up to 15 behind them; the size of a scatter vector is a multiple of 16.
template <class Warp>
__device__ void clear_bytes(void* from, int bytes)
{
  constexpr int unit = sizeof(int4);
  for (int n = Warp::rank(); n * unit < bytes; n += Warp::size)
    static_cast<int4*>(from)[n] = int4{0, 0, 0, 0};
}

// The bits of the columns from the first word on of a row, in `count` words.
template <bool in_turn, class Warp, class A, class B>
__device__ void note_columns(A const& a, B const& b, EntryRange entries, int group,
                             std::make_unsigned_t<typename A::ordinal_type> first, int count,
                             std::uint32_t* words)
{
  using Ordinal = typename A::ordinal_type;
  using Block = std::make_unsigned_t<Ordinal>;
  Warp::wait(); // what was there before has been read
  clear_bytes<Warp>(words, count * static_cast<int>(sizeof(std::uint32_t)));
  Warp::wait();
  take_products<in_turn, Warp>(
      a, b, entries, group, [&](std::int64_t n) { return b.columns[n]; },
      [&](std::int64_t, Ordinal column) {
        Block const at = block_of(column) - first;
        if (at >= static_cast<Block>(count))
          return;
        std::uint32_t const bit = bit_of(column);
        if ((static_cast<std::uint32_t volatile*>(words)[at] & bit) == 0)
          atomicOr(&words[at], bit);
      });
  Warp::wait();
}

// Words of a scatter vector, four at a time: those that each warp of a virtual warp has by itself,
// `step` lanes a turn.
template <class Warp>
struct WordsOfWarp
{
  static constexpr int unit = sizeof(uint4) / sizeof(std::uint32_t);
  static constexpr int step = Warp::lanes, warps = Warp::size / Warp::lanes;
  uint4 const* words;
  int begin, end; // in units

  __device__ WordsOfWarp(std::uint32_t const* all, int count)
      : words(reinterpret_cast<uint4 const*>(all))
  {
    int const units = (count + unit - 1) / unit;
    int const each = (units + warps * step - 1) / (warps * step) * step;
    begin = min(Warp::rank() / step * each, units);
    end = min(begin + each, units);
  }
  __device__ static int lane() { return Warp::rank() % step; }
  // None behind the last.
  __device__ uint4 load(int n) const { return n < end ? words[n] : uint4{0, 0, 0, 0}; }
};
__device__ inline int columns_of(uint4 const& words)
{
  return __popc(words.x) + __popc(words.y) + __popc(words.z) + __popc(words.w);
}

// How many columns these words have; start: how many of them are before those of the warp.
template <class Warp>
__device__ int count_columns(std::uint32_t const* words, int count, typename Warp::Memory& memory,
                             int& start)
{
  WordsOfWarp<Warp> const mine(words, count);
  int of_lane = 0, all = 0;
  for (int n = mine.begin + mine.lane(); n < mine.end; n += mine.step)
    of_lane += columns_of(mine.load(n));
  int const before = Warp::exclusive_sum(of_lane, all, memory);
  start = __shfl_sync(Warp::mask(), before, 0, mine.step);
  return all;
}

// Writes the columns of these words in order, each warp those of its own from to[start] on; the
// first word is word `first` of the row of C. Where words have many columns, lanes write those of
// one word side by side.
template <class Warp, class Ordinal>
__device__ void write_columns(std::uint32_t const* words, int count,
                              std::make_unsigned_t<Ordinal> first, int start, Ordinal* to)
{
  using Block = std::make_unsigned_t<Ordinal>;
  using Words = WordsOfWarp<Warp>;
  constexpr int lanes = Warp::lanes, many = 16; // columns of four words, on average; not tuned
  Words const mine(words, count);
  int const lane = mine.lane();
  auto const column_of = [&](int unit, int word, int bit) {
    return static_cast<Ordinal>((first + static_cast<Block>(unit * Words::unit + word)) *
                                    columns_per_word +
                                static_cast<Block>(bit));
  };
  for (int from = mine.begin; from < mine.end; from += lanes)
  {
    uint4 const four = mine.load(from + lane);
    std::uint32_t const of_lane[] = {four.x, four.y, four.z, four.w};
    int const here = columns_of(four);
    unsigned const there = __ballot_sync(Warp::mask(), here != 0) & Warp::mask();
    if (there == 0)
      continue;
    int sum = here; // up to the lane
#pragma unroll
    for (int distance = 1; distance < lanes; distance *= 2)
    {
      int const other = __shfl_up_sync(Warp::mask(), sum, static_cast<unsigned>(distance), lanes);
      sum += lane >= distance ? other : 0;
    }
    int const all = __shfl_sync(Warp::mask(), sum, lanes - 1, lanes);
    if (all < many * __popc(there))
    {
      int n = start + sum - here;
#pragma unroll
      for (int word = 0; word < Words::unit; ++word)
        for (std::uint32_t bits = of_lane[word]; bits != 0; bits &= bits - 1)
          to[n++] = column_of(from + lane, word, __ffs(static_cast<int>(bits)) - 1);
    }
    else
      for (unsigned left = there; left != 0; left &= left - 1)
      {
        int const l = (__ffs(static_cast<int>(left)) - 1) % lanes;
        int begin = start + __shfl_sync(Warp::mask(), sum - here, l, lanes);
#pragma unroll
        for (int word = 0; word < Words::unit; ++word)
        {
          std::uint32_t const bits = __shfl_sync(Warp::mask(), of_lane[word], l, lanes);
#pragma unroll
          for (int bit = lane; bit < columns_per_word; bit += lanes)
            if ((bits >> bit & 1) != 0)
              to[begin + __popc(bits & ((1U << bit) - 1))] = column_of(from + l, word, bit);
          begin += __popc(bits);
        }
      }
    start += all;
  }
}

// The symbolic phase: a virtual warp per row of the list, whose scatter vector has `window` words.
template <int threads, bool in_turn, class A, class B, class Sink>
__global__ void __launch_bounds__(spgemm_scatter_block(threads),
                                  spgemm_scatter_policy.threads_of_multiprocessor /
                                      spgemm_scatter_block(threads))
    spgemm_scatter_find_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                               typename A::ordinal_type const* list, std::int64_t listed,
                               VirtualWarpChoice choice, int window, Sink sink)
{
  using Ordinal = typename A::ordinal_type;
  using Block = std::make_unsigned_t<Ordinal>;
  using Warp = SpgemmVirtualWarp<threads>;
  constexpr int block = spgemm_scatter_block(threads), warps = block / threads;
  __shared__ typename Warp::Memory memories[warps];
  int const warp = static_cast<int>(threadIdx.x) / threads;
  auto& memory = memories[warp];
  std::int64_t const i =
      sink.row_of(list, static_cast<std::int64_t>(blockIdx.x) * warps + warp, listed);
  ProductRow<Ordinal> const row = i < 0 ? ProductRow<Ordinal>{0, 0, 0, 0} : rows[i];
  EntryRange const entries = i < 0 ? EntryRange{0, 0} : entries_of_row(a, i);
  int const group =
      choice.lanes(entries.end - entries.begin, static_cast<std::int64_t>(row.products));
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic_shared()) + warp * window;
  std::int64_t const span = span_of(row);
  Block const first = block_of(row.first);
  auto const note = [&](std::int64_t from) {
    int const count = static_cast<int>(span - from < window ? span - from : window);
    note_columns<in_turn, Warp>(a, b, entries, group, first + static_cast<Block>(from), count,
                                words);
    return count;
  };
  int columns = 0, start = 0;
  for (std::int64_t from = 0; from < span; from += window)
    columns += count_columns<Warp>(words, note(from), memory, start);
  sink.count(i, threads, columns, 0); // nobody asks for its blocks
  Ordinal* to = sink.template destination<block, threads>(i, columns);
  if (to == nullptr)
    return;           // the whole virtual warp, and no part of a block waits for it
  if (span <= window) // the words are still there
    write_columns<Warp>(words, static_cast<int>(span), first, start, to);
  else
    for (std::int64_t from = 0; from < span; from += window)
    {
      int const count = note(from);
      int const here = count_columns<Warp>(words, count, memory, start);
      write_columns<Warp>(words, count, first + static_cast<Block>(from), start, to);
      to += here;
    }
}

// What the numeric phase reads of an entry of B.
template <class Ordinal, class Value>
struct FactorEntry
{
  Ordinal column;
  Value value;
};

// The numeric phase: a virtual warp per row of the list, which adds to the row's sums in C. Its
// scatter vector has `window` words.
template <int threads, bool in_turn, class A, class B, class C>
__global__ void __launch_bounds__(spgemm_scatter_block(threads))
    spgemm_scatter_sum_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                              typename A::ordinal_type const* list, std::int64_t listed,
                              VirtualWarpChoice choice, int window)
{
  using Ordinal = typename A::ordinal_type;
  using Block = std::make_unsigned_t<Ordinal>;
  using Sum = typename C::value_type;
  using Entry = FactorEntry<Ordinal, typename B::value_type>;
  using Warp = SpgemmVirtualWarp<threads>;
  constexpr int block = spgemm_scatter_block(threads), warps = block / threads;
  __shared__ typename Warp::Memory memories[warps];
  int const warp = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
  if (n >= listed)
    return; // the whole virtual warp
  std::int64_t const i = list[n];
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(c.offsets[i + 1]) - begin;
  EntryRange const entries = entries_of_row(a, i);
  if (is_left_out<Warp>(a, b, c, rows, i, memories[warp]))
    return;
  int const group =
      choice.lanes(entries.end - entries.begin, static_cast<std::int64_t>(rows[i].products));
  auto* const words = reinterpret_cast<RankedWord*>(dynamic_shared()) + warp * window;
  Ordinal const* const columns = c.columns + begin;
  Sum* const sums = c.values + begin;
  Block const first_of_row = block_of(columns[0]);
  auto const span = static_cast<std::int64_t>(block_of(columns[count - 1]) - first_of_row) + 1;
  bool const has_passes = span > window;
  for (std::int64_t k = Warp::rank(); k < count; k += Warp::size)
    sums[k] = Sum(0);
  for (std::int64_t from = 0; from < span; from += window)
  {
    Block const first = first_of_row + static_cast<Block>(from);
    int const size = static_cast<int>(span - from < window ? span - from : window);
    Warp::wait(); // the pass before has read the words
    clear_bytes<Warp>(words, size * static_cast<int>(sizeof(RankedWord)));
    Warp::wait();
    for (std::int64_t k = Warp::rank(); k < count; k += Warp::size)
    {
      Block const at = block_of(columns[k]) - first;
      if (at >= static_cast<Block>(size))
        continue;
      atomicOr(&words[at].word, bit_of(columns[k]));
      if (k == 0 || block_of(columns[k - 1]) - first != at)
        words[at].before = static_cast<std::uint32_t>(k);
    }
    Warp::wait();
    take_products<in_turn, Warp>(
        a, b, entries, group,
        [&](std::int64_t e) {
          return Entry{b.columns[e], b.values[e]};
        },
        [&](std::int64_t k, Entry const& entry) {
          Block const at = block_of(entry.column) - first;
          if (has_passes && at >= static_cast<Block>(size))
            return;
          // A column that the row does not have, because the plan was made for another pattern, is
          // added to one of the row's sums.
          RankedWord const found = words[min(at, static_cast<Block>(size - 1))];
          std::uint32_t const slot =
              min(found.before + __popc(found.word & (bit_of(entry.column) - 1)),
                  static_cast<std::uint32_t>(count - 1));
          Sum const term = Sum(a.values[k]) * Sum(entry.value);
          if constexpr (in_turn)
            sums[slot] += term;
          else
            impl::atomic_accumulate(sums[slot], term);
        });
  }
}

// The sums of rows whose products are sorted: no more than there is room for, and as many columns
// as C has, or the plan was made for another pattern.
template <int lanes, int items, class A, class B, class C, class Memory>
__device__ void sum_sorted_rows(A const& a, B const& b, C const& c,
                                ProductRow<typename A::ordinal_type> const* rows,
                                typename A::ordinal_type const* list, std::int64_t listed,
                                std::int64_t block, Memory& memory)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename C::value_type;
  constexpr int groups = SpgemmPolicyFor::value.shared_block / lanes, most = lanes * items;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const n = block * groups + group;
  std::int64_t const i = n < listed ? static_cast<std::int64_t>(list[n]) : -1;
  auto [begin, entries] = entries_of(a, i);
  EntriesOfRow const target = entries_of(c, i);
  auto& sequence = memory.sequence[group];
  bool const fits = set_product_sequence<lanes, most>(sequence, a, b, begin, entries);
  Sum* const sums = memory.sums() + group * most;
  SumsOfSorted<items, Sum> const of_columns{sums};
  using Sorted = SortedProducts<lanes, items, Ordinal, SpgemmPolicyFor::value.bits_of_product>;
  Sorted const sorted(sequence, b, entries, i < 0 ? Ordinal(0) : rows[i].first,
                      of_columns.noting(a.values + begin, b.values));
  of_columns.add(
      sorted.keys, Sorted::none, [&](int t) { return sorted.is_new(t); }, sorted.rank,
      [] { __syncwarp(); });
  if (!fits || sorted.count != target.count)
    c.report();
  for (int k = static_cast<int>(threadIdx.x) % lanes; k < min(sorted.count, target.count);
       k += lanes)
    c.values[target.begin + k] = sums[k];
}

template <class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_sum_sorted_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                             typename A::ordinal_type const* list, SortedBlocks bins)
{
  constexpr int threads = SpgemmPolicyFor::value.shared_block;
  constexpr int most =
      threads * SpgemmPolicyFor::sorted_items(SpgemmPolicyFor::value.sorted_bins - 1); // in any bin
  __shared__ GroupsMemory<threads / SpgemmPolicyFor::sorted_lanes(0),
                          SpgemmPolicyFor::value.sequence_entries, most, typename A::ordinal_type,
                          typename C::value_type>
      memory;
  bins.visit([&]<int n>(BinIndex<n>, RowRange const& of_bin, std::int64_t block) {
    sum_sorted_rows<SpgemmPolicyFor::sorted_lanes(n), SpgemmPolicyFor::sorted_items(n)>(
        a, b, c, rows, list + of_bin.first, of_bin.count, block, memory);
  });
}

} // namespace heddle::cuda_native
