// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What SpGEMM knows of a row of C = A B before it forms products: how many there are, between which
// columns they lie, and in how many blocks of 32 columns at most. The last is what tables are sized
// by: where columns stand together, as in matrices of finite elements, it is far below the number
// of products. There the rows of B are also kept as words, one for each block with the columns as
// bits (the compression of KKMEM: Deveci, Trott, Rajamanickam, 2018), which the symbolic phase
// takes instead of columns.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/rows/deferred_rows.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// Whether B has so many fewer words of column bitmasks than columns that the symbolic phase takes
// those.
KOKKOS_INLINE_FUNCTION bool bitmasks_pay(BoundTotals const& all)
{
  return SpgemmPolicyFor::value.products_per_word_min * static_cast<double>(all.words) <=
         static_cast<double>(all.products);
}

// Blocks of the two kernels, columns that a lane loads at once, and entries that it has of a row of
// average length: what is found is then put together by fewer. As many lanes as leave each the
// smaller number of entries have a row while they do not fill half of the device, and always two,
// so that rows of graphs, which are shorter and longer than that, do not each wait for one lane.
// Bounds of stencils of 9 points take 1 / 2.4 of the time that they took with two entries per lane
// (perf_tests/results/h200/spgemm_bitmaps.txt, 2).
struct RowBoundsPolicy
{
  int threads_per_block, columns_in_flight, entries_of_lane, least_entries_of_lane, least_lanes;
};
inline constexpr RowBoundsPolicy row_bounds_policy{256, 4, 8, 2, 2};

// Lanes that differ in the bits below `lanes` get the smallest first, the largest last and the sum.
template <class Ordinal>
__device__ void widen_range(Ordinal& first, Ordinal& last, int lanes)
{
#pragma unroll
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
    if (mask < lanes)
    {
      Ordinal const other_first = value_of_lane_xor(first, mask);
      Ordinal const other_last = value_of_lane_xor(last, mask);
      first = other_first < first ? other_first : first;
      last = other_last > last ? other_last : last;
    }
}

// The bits of this lane and the next ones of its group that have the same block, one after another.
template <class Ordinal>
__device__ std::uint32_t bits_of_block(Ordinal block, std::uint32_t bits, int lane, int lanes)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  for (int distance = 1; distance < lanes; distance *= 2)
  {
    auto const other = __shfl_down_sync(all_lanes, block, static_cast<unsigned>(distance), lanes);
    auto const others = __shfl_down_sync(all_lanes, bits, static_cast<unsigned>(distance), lanes);
    if (lane + distance < lanes && other == block)
      bits |= others;
  }
  return bits;
}

// What is known of neighbouring entries of a row of B, in each of the lanes that looked at them.
template <class Ordinal>
struct FactorBounds
{
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last; // of the lane
  bool is_sorted = true;                                                          // likewise
  int blocks = 0;                                                                 // of all lanes
};

// Looks at entries begin .. end - 1, of which the first has a block of columns that the entry
// before has not, or is the first of the row; before: the column of that, or -1. Unless words is
// null, the words of the entries are written there. lanes: that look together; all lanes of the
// warp take part.
template <class Ordinal>
__device__ FactorBounds<Ordinal>
bound_entries(Ordinal const* __restrict__ all_columns, std::int64_t begin, std::int64_t end,
              Ordinal last_of_turn, int lanes, ColumnWord<Ordinal>* words)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr Ordinal per_word = columns_per_word;
  constexpr int items = row_bounds_policy.columns_in_flight;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  unsigned const below = (1U << threadIdx.x % warp_size) - 1;
  unsigned const group =
      lanes == warp_size ? all_lanes : ((1U << lanes) - 1) << (threadIdx.x % warp_size - lane);
  FactorBounds<Ordinal> found;
  for (std::int64_t from = begin; __any_sync(all_lanes, from < end); from += items * lanes)
  {
    Ordinal columns[items];
#pragma unroll
    for (int t = 0; t < items; ++t)
    {
      std::int64_t const n = from + t * lanes + lane;
      columns[t] = n < end ? all_columns[n] : Ordinal(-1);
    }
#pragma unroll
    for (int t = 0; t < items; ++t)
    {
      std::int64_t const n = from + t * lanes + lane;
      Ordinal const column = columns[t], block = column / per_word;
      Ordinal before = __shfl_up_sync(all_lanes, column, 1, lanes);
      before = lane == 0 ? last_of_turn : before; // -1 where there is none
      last_of_turn = __shfl_sync(all_lanes, column, lanes - 1, lanes);
      bool const is_here = n < end;
      bool const is_new = is_here && (n == begin || before / per_word != block);
      if (is_here)
      {
        found.first = column < found.first ? column : found.first;
        found.last = column > found.last ? column : found.last;
        found.is_sorted = found.is_sorted && before < column;
      }
      unsigned const new_ones = __ballot_sync(all_lanes, is_new) & group;
      if (words != nullptr)
      {
        std::uint32_t const bits = bits_of_block(
            is_here ? block : Ordinal(-1), is_here ? 1U << (column % per_word) : 0U, lane, lanes);
        __syncwarp(); // the word that the row's last turn ended with is there
        if (is_new)
          words[found.blocks + __popc(new_ones & below)] = {block, bits};
        else if (is_here && lane == 0)
          words[found.blocks - 1].bits |= bits;
      }
      found.blocks += __popc(new_ones);
    }
  }
  return found;
}

// The first of entries n .. end - 1 whose block of columns differs from that of the entry before,
// or end. All lanes of the warp take part.
template <class Ordinal>
__device__ std::int64_t first_new_block(Ordinal const* __restrict__ columns, std::int64_t n,
                                        std::int64_t end)
{
  constexpr Ordinal per_word = columns_per_word;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  for (; n < end; n += warp_size)
  {
    bool const is_new =
        n + lane < end && columns[n + lane] / per_word != columns[n + lane - 1] / per_word;
    if (unsigned const all = __ballot_sync(0xffffffffU, is_new); all != 0)
      return n + __ffs(static_cast<int>(all)) - 1;
  }
  return end;
}

// Writes rows[i] of B for one long row, and its words, by all threads of a block: each warp has
// entries that begin with a block of columns, counts its words, and writes them behind those of the
// warps before. The block waits at the end.
template <class Factor>
__device__ void bound_long_factor_row(Factor const& b, std::int64_t i,
                                      FactorRow<typename Factor::ordinal_type>* rows,
                                      ColumnWord<typename Factor::ordinal_type>* words,
                                      BoundTotals* all)
{
  using Ordinal = typename Factor::ordinal_type;
  constexpr int warps = row_bounds_policy.threads_per_block / warp_size;
  __shared__ FactorBounds<Ordinal> of_warps[warps];
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  auto const begin = static_cast<std::int64_t>(b.offsets[i]);
  auto const end = static_cast<std::int64_t>(b.offsets[i + 1]);
  auto const cut = [&](int w) {
    return w == 0 ? begin : first_new_block(b.columns, begin + (end - begin) * w / warps, end);
  };
  std::int64_t const from = cut(warp), to = warp + 1 == warps ? end : cut(warp + 1);
  Ordinal const before = from > begin ? b.columns[from - 1] : Ordinal(-1);
  FactorBounds<Ordinal> found = bound_entries(b.columns, from, to, before, warp_size,
                                              static_cast<ColumnWord<Ordinal>*>(nullptr));
  if (!found.is_sorted)
    all->unsorted = 1;
  widen_range(found.first, found.last, warp_size);
  if (threadIdx.x % warp_size == 0)
    of_warps[warp] = found;
  __syncthreads();
  FactorBounds<Ordinal> row;
  int words_before = 0;
  for (int w = 0; w < warps; ++w)
  {
    FactorBounds<Ordinal> const& other = of_warps[w];
    row.first = other.first < row.first ? other.first : row.first;
    row.last = other.last > row.last ? other.last : row.last;
    words_before += w < warp ? other.blocks : 0;
    row.blocks += other.blocks;
  }
  if (words != nullptr)
    bound_entries(b.columns, from, to, before, warp_size, words + begin + words_before);
  if (threadIdx.x == 0)
    rows[i] = {row.first, row.last, static_cast<Ordinal>(end - begin),
               static_cast<Ordinal>(row.blocks)};
  __syncthreads();
}

// Writes rows[i] of B, its words of column bitmasks unless words is null, and all.unsorted. Rows
// with more entries than `longest` are the block's.
template <class Factor>
__global__ void __launch_bounds__(row_bounds_policy.threads_per_block)
    spgemm_bound_factor_kernel(Factor b, int lanes, std::int64_t longest,
                               FactorRow<typename Factor::ordinal_type>* rows,
                               ColumnWord<typename Factor::ordinal_type>* words, BoundTotals* all)
{
  using Ordinal = typename Factor::ordinal_type;
  __shared__ DeferredRows<row_bounds_policy.threads_per_block> long_rows;
  if (threadIdx.x == 0)
    long_rows.clear();
  __syncthreads();
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  bool const is_first = thread % lanes == 0;
  std::int64_t const begin = i < b.rows ? static_cast<std::int64_t>(b.offsets[i]) : 0;
  std::int64_t const end = i < b.rows ? static_cast<std::int64_t>(b.offsets[i + 1]) : 0;
  bool const is_long = end - begin > longest;
  if (is_long && is_first)
    long_rows.add(i);
  FactorBounds<Ordinal> found = bound_entries(b.columns, begin, is_long ? begin : end, Ordinal(-1),
                                              lanes, words == nullptr ? words : words + begin);
  if (!found.is_sorted)
    all->unsorted = 1; // by whichever thread
  widen_range(found.first, found.last, lanes);
  if (is_first && i < b.rows && !is_long)
    rows[i] = {found.first, found.last, static_cast<Ordinal>(end - begin),
               static_cast<Ordinal>(found.blocks)};
  long_rows.for_each([&](std::int64_t row) { bound_long_factor_row(b, row, rows, words, all); });
}

// What is known of the products of entries of A.
template <class Ordinal>
struct ProductBounds
{
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last;
  std::int64_t products = 0, words = 0;

  // Of those of entries begin, begin + step, ... before end.
  __device__ void add(Ordinal const* __restrict__ columns, FactorRow<Ordinal> const* b_rows,
                      std::int64_t begin, std::int64_t end, int step)
  {
    for (std::int64_t k = begin; k < end; k += step)
    {
      FactorRow<Ordinal> const row = b_rows[columns[k]];
      first = row.first < first ? row.first : first;
      last = row.last > last ? row.last : last;
      products += static_cast<std::int64_t>(row.length);
      words += static_cast<std::int64_t>(row.blocks);
    }
  }
  // With those of other lanes.
  __device__ void join(int lanes)
  {
    widen_range(first, last, lanes);
    products = sum_of_lanes(products, lanes);
    words = sum_of_lanes(words, lanes);
  }
  __device__ void join(ProductBounds const& other)
  {
    first = other.first < first ? other.first : first;
    last = other.last > last ? other.last : last;
    products += other.products;
    words += other.words;
  }
};

// Writes rows[i] of C, adds to all, and counts rows by bin_of(i, rows[i]); their weight is the
// products of rows that are short by it. Rows with more entries of A than `longest` are the
// block's.
template <class Factor, class BinOf>
__global__ void __launch_bounds__(row_bounds_policy.threads_per_block)
    spgemm_bound_products_kernel(Factor a, int lanes, std::int64_t longest,
                                 FactorRow<typename Factor::ordinal_type> const* b_rows,
                                 ProductRow<typename Factor::ordinal_type>* rows, BoundTotals* all,
                                 BinOf bin_of, RowBinCounts* counts)
{
  using Ordinal = typename Factor::ordinal_type;
  constexpr auto most = static_cast<std::int64_t>(WidestRange<Ordinal>::first);
  constexpr int warps = row_bounds_policy.threads_per_block / warp_size;
  __shared__ unsigned long long products_here, words_here;
  __shared__ RowBinCounter::Memory memory;
  __shared__ DeferredRows<row_bounds_policy.threads_per_block> long_rows;
  __shared__ ProductBounds<Ordinal> of_warps[warps];
  if (threadIdx.x == 0)
  {
    products_here = words_here = 0;
    long_rows.clear();
  }
  RowBinCounter counter(memory); // waits
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  int const lane = static_cast<int>(thread % lanes),
            warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const begin = i < a.rows ? static_cast<std::int64_t>(a.offsets[i]) : 0;
  std::int64_t const end = i < a.rows ? static_cast<std::int64_t>(a.offsets[i + 1]) : 0;
  ProductBounds<Ordinal> found;
  if (end - begin <= longest)
    found.add(a.columns, b_rows, begin + lane, end, lanes);
  else if (lane == 0)
    long_rows.add(i);
  found.join(lanes);
  long_rows.for_each([&](std::int64_t long_row) {
    ProductBounds<Ordinal> of_row;
    of_row.add(a.columns, b_rows, static_cast<std::int64_t>(a.offsets[long_row]) + threadIdx.x,
               static_cast<std::int64_t>(a.offsets[long_row + 1]),
               row_bounds_policy.threads_per_block);
    of_row.join(warp_size);
    if (threadIdx.x % warp_size == 0)
      of_warps[warp] = of_row;
    __syncthreads();
    if (lane == 0 && i == long_row)
      for (ProductBounds<Ordinal> const& other : of_warps)
        found.join(other);
    __syncthreads();
  });
  int row_bin = RankInBin::none;
  std::int64_t of_short = 0;
  if (lane == 0 && i < a.rows)
  {
    bool const has_none = found.products == 0;
    ProductRow<Ordinal> const row = {
        has_none ? Ordinal(0) : found.first, has_none ? Ordinal(0) : found.last - found.first + 1,
        static_cast<Ordinal>(found.words < most ? found.words : most),
        static_cast<Ordinal>(found.products < most ? found.products : most)};
    rows[i] = row;
    row_bin = bin_of.bin_of(i, row);
    of_short = bin_of.is_short(row_bin) ? found.products : 0;
  }
  // Of all rows of the warp, then of the block: one addition each in memory. The first lane of a
  // row has all of it.
  std::int64_t const products = sum_of_lanes(found.products, warp_size, lanes);
  std::int64_t const words = sum_of_lanes(found.words, warp_size, lanes);
  if (threadIdx.x % warp_size == 0)
  {
    atomicAdd(&products_here, static_cast<unsigned long long>(products));
    atomicAdd(&words_here, static_cast<unsigned long long>(words));
  }
  counter.add(row_bin, of_short, counts); // waits
  if (threadIdx.x == 0 && products_here != 0)
  {
    atomicAdd(&all->products, products_here);
    atomicAdd(&all->words, words_here);
  }
}

// Lanes for a row of so many entries on average: a power of two up to a warp.
inline int lanes_for_rows(std::int64_t rows, std::int64_t entries)
{
  int lanes = 1;
  while (lanes < warp_size && static_cast<std::int64_t>(lanes) * rows < entries)
    lanes *= 2;
  return lanes;
}

// Lanes for a row of one of the two kernels.
inline int lanes_of_bounds(std::int64_t rows, std::int64_t entries, DeviceShape const& device)
{
  constexpr RowBoundsPolicy const& policy = row_bounds_policy;
  int const most = lanes_for_rows(rows, entries / policy.least_entries_of_lane);
  int lanes = std::min(
      most, std::max(policy.least_lanes, lanes_for_rows(rows, entries / policy.entries_of_lane)));
  while (lanes < most && 2 * lanes * rows < warp_size * device.warps())
    lanes *= 2;
  return lanes;
}

// Bounds of the rows of B, its column bitmasks unless bitmasks is null, and whether columns are in
// order. Asynchronous.
template <class B>
void bound_factor_rows(Kokkos::Cuda const& exec, B const& b, std::int64_t nnz_b,
                       FactorRow<typename B::ordinal_type>* b_rows,
                       ColumnWord<typename B::ordinal_type>* bitmasks, BoundTotals* all)
{
  DeviceShape const device = device_shape(exec);
  int const lanes = lanes_of_bounds(b.rows, nnz_b, device);
  launch(exec, "heddle::spgemm::bound_factor", spgemm_bound_factor_kernel<B>,
         one_thread_each(b.rows * lanes, row_bounds_policy.threads_per_block), b, lanes,
         longest_of_lanes(b.rows, nnz_b, device), b_rows, bitmasks, all);
}
// Bounds of the rows of C = A B, and how many rows there are by bin_of.bin_of(i, rows[i]); all
// and counts are 0 before. Asynchronous.
template <class A, class BinOf>
void bound_product_rows(Kokkos::Cuda const& exec, A const& a, std::int64_t nnz_a,
                        FactorRow<typename A::ordinal_type> const* b_rows,
                        ProductRow<typename A::ordinal_type>* rows, BoundTotals* all,
                        BinOf const& bin_of, RowBinCounts* counts)
{
  DeviceShape const device = device_shape(exec);
  int const lanes = lanes_of_bounds(a.rows, nnz_a, device);
  launch(exec, "heddle::spgemm::bound_products", spgemm_bound_products_kernel<A, BinOf>,
         one_thread_each(a.rows * lanes, row_bounds_policy.threads_per_block), a, lanes,
         longest_of_lanes(a.rows, nnz_a, device), b_rows, rows, all, bin_of, counts);
}

} // namespace heddle::cuda_native
