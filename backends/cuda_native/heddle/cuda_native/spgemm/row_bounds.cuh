// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What SpGEMM knows of a row of C = A B before it forms products: how many there are, between which
// columns they lie, and in how many blocks of 32 columns at most. The last is what tables are sized
// by: where columns stand together, as in matrices of finite elements, it is far below the number
// of products. There the rows of B are also kept as words, one for each block with the columns as
// bits (the compression of KKMEM: Deveci, Trott, Rajamanickam, 2018), which the symbolic phase
// takes instead of columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Over all rows, on the device and on the host.
struct BoundTotals
{
  unsigned long long products, words;
  unsigned long long unsorted; // not 0: a row of B has its columns out of order
};

// Whether B has so many fewer words of column bitmasks than columns that the symbolic phase takes
// those.
KOKKOS_INLINE_FUNCTION bool bitmasks_pay(BoundTotals const& all)
{
  return SpgemmPolicyFor::value.products_per_word_min * static_cast<double>(all.words) <=
         static_cast<double>(all.products);
}

// Blocks of the two kernels, columns that a lane loads at once, and entries that it has of a row of
// average length: what is found is then put together by fewer.
struct RowBoundsPolicy
{
  int threads_per_block, columns_in_flight, entries_of_lane;
};
inline constexpr RowBoundsPolicy row_bounds_policy{256, 4, 2};

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

// Writes rows[i] of B, its words of column bitmasks unless words is null, and all.unsorted.
template <class Factor>
__global__ void
spgemm_bound_factor_kernel(Factor b, int lanes, FactorRow<typename Factor::ordinal_type>* rows,
                           ColumnWord<typename Factor::ordinal_type>* words, BoundTotals* all)
{
  using Ordinal = typename Factor::ordinal_type;
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr Ordinal per_word = SpgemmPolicyFor::value.columns_per_word;
  constexpr int items = row_bounds_policy.columns_in_flight;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  int const lane = static_cast<int>(thread % lanes);
  unsigned const below = (1U << threadIdx.x % warp_size) - 1;
  unsigned const group =
      lanes == warp_size ? all_lanes : ((1U << lanes) - 1) << (threadIdx.x % warp_size - lane);
  std::int64_t const begin = i < b.rows ? static_cast<std::int64_t>(b.offsets[i]) : 0;
  std::int64_t const end = i < b.rows ? static_cast<std::int64_t>(b.offsets[i + 1]) : 0;
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last;
  Ordinal last_of_turn = -1;
  bool is_sorted = true;
  int blocks = 0; // of the row, in every lane
  for (std::int64_t from = begin; __any_sync(all_lanes, from < end); from += items * lanes)
  {
    Ordinal columns[items];
#pragma unroll
    for (int t = 0; t < items; ++t)
    {
      std::int64_t const n = from + t * lanes + lane;
      columns[t] = n < end ? b.columns[n] : Ordinal(-1);
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
        first = column < first ? column : first;
        last = column > last ? column : last;
        is_sorted = is_sorted && before < column;
      }
      unsigned const new_ones = __ballot_sync(all_lanes, is_new) & group;
      if (words != nullptr)
      {
        std::uint32_t const bits = bits_of_block(
            is_here ? block : Ordinal(-1), is_here ? 1U << (column % per_word) : 0U, lane, lanes);
        __syncwarp(); // the word that the row's last turn ended with is there
        if (is_new)
          words[begin + blocks + __popc(new_ones & below)] = {block, bits};
        else if (is_here && lane == 0)
          words[begin + blocks - 1].bits |= bits;
      }
      blocks += __popc(new_ones);
    }
  }
  if (!is_sorted)
    all->unsorted = 1; // by whichever thread
  widen_range(first, last, lanes);
  if (lane == 0 && i < b.rows)
    rows[i] = {first, last, static_cast<Ordinal>(end - begin), static_cast<Ordinal>(blocks)};
}

// Writes rows[i] of C, adds to all, and counts rows by class_of(i, rows[i]); their weight is the
// products of rows that are short by it.
template <class Factor, class ClassOf>
__global__ void spgemm_bound_products_kernel(Factor a, int lanes,
                                             FactorRow<typename Factor::ordinal_type> const* b_rows,
                                             ProductRow<typename Factor::ordinal_type>* rows,
                                             BoundTotals* all, ClassOf class_of,
                                             RowClassCounts* counts)
{
  using Ordinal = typename Factor::ordinal_type;
  constexpr auto most = static_cast<std::int64_t>(WidestRange<Ordinal>::first);
  __shared__ unsigned long long products_here, words_here;
  __shared__ RowClassCounter::Memory memory;
  if (threadIdx.x == 0)
    products_here = words_here = 0;
  RowClassCounter counter(memory); // waits
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  int const lane = static_cast<int>(thread % lanes);
  std::int64_t const end = i < a.rows ? static_cast<std::int64_t>(a.offsets[i + 1]) : 0;
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last;
  std::int64_t products = 0, words = 0;
  for (std::int64_t k = i < a.rows ? static_cast<std::int64_t>(a.offsets[i]) + lane : 0; k < end;
       k += lanes)
  {
    FactorRow<Ordinal> const row = b_rows[a.columns[k]];
    first = row.first < first ? row.first : first;
    last = row.last > last ? row.last : last;
    products += static_cast<std::int64_t>(row.length);
    words += static_cast<std::int64_t>(row.blocks);
  }
  widen_range(first, last, lanes);
  products = sum_of_lanes(products, lanes);
  words = sum_of_lanes(words, lanes);
  int row_class = RankInClass::none;
  std::int64_t of_short = 0;
  if (lane == 0 && i < a.rows)
  {
    ProductRow<Ordinal> const row = {products == 0 ? Ordinal(0) : first,
                                     products == 0 ? Ordinal(0) : last - first + 1,
                                     static_cast<Ordinal>(words < most ? words : most),
                                     static_cast<Ordinal>(products < most ? products : most)};
    rows[i] = row;
    row_class = class_of.class_of(i, row);
    of_short = class_of.is_short(row_class) ? products : 0;
  }
  // Of all rows of the warp, then of the block: one addition each in memory.
  products = sum_of_lanes(products, warp_size, lanes);
  words = sum_of_lanes(words, warp_size, lanes);
  if (threadIdx.x % warp_size == 0)
  {
    atomicAdd(&products_here, static_cast<unsigned long long>(products));
    atomicAdd(&words_here, static_cast<unsigned long long>(words));
  }
  counter.add(row_class, of_short, counts); // waits
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

// Bounds of the rows of B, its column bitmasks unless bitmasks is null, and whether columns are in
// order. Asynchronous.
template <class B>
void bound_factor_rows(Kokkos::Cuda const& exec, B const& b, std::int64_t nnz_b,
                       FactorRow<typename B::ordinal_type>* b_rows,
                       ColumnWord<typename B::ordinal_type>* bitmasks, BoundTotals* all)
{
  int const lanes = lanes_for_rows(b.rows, nnz_b / row_bounds_policy.entries_of_lane);
  launch(exec, "heddle::spgemm::bound_factor", spgemm_bound_factor_kernel<B>,
         one_thread_each(b.rows * lanes, row_bounds_policy.threads_per_block), b, lanes, b_rows,
         bitmasks, all);
}
// Bounds of the rows of C = A B, and how many rows there are by class_of.class_of(i, rows[i]); all
// and counts are 0 before. Asynchronous.
template <class A, class ClassOf>
void bound_product_rows(Kokkos::Cuda const& exec, A const& a, std::int64_t nnz_a,
                        FactorRow<typename A::ordinal_type> const* b_rows,
                        ProductRow<typename A::ordinal_type>* rows, BoundTotals* all,
                        ClassOf const& class_of, RowClassCounts* counts)
{
  int const lanes = lanes_for_rows(a.rows, nnz_a / row_bounds_policy.entries_of_lane);
  launch(exec, "heddle::spgemm::bound_products", spgemm_bound_products_kernel<A, ClassOf>,
         one_thread_each(a.rows * lanes, row_bounds_policy.threads_per_block), a, lanes, b_rows,
         rows, all, class_of, counts);
}

} // namespace heddle::cuda_native
