// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What SpGEMM knows of a row of C = A B before it forms products: how many there are, between which
// columns they lie, and in how many blocks of 32 columns at most. The last is what tables are sized
// by: where columns stand together, as in matrices of finite elements, it is far below the number
// of products.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/warp.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// What kernels read of A or B.
template <class Value, class Ordinal, class Offset>
struct SpgemmFactor
{
  using value = Value;
  using ordinal = Ordinal;
  using offset = Offset;
  std::int64_t rows;
  Offset const* offsets;
  Ordinal const* columns;
  Value const* values;
};

// A row of B. blocks is how often the block of 32 columns changes along the row: the number of
// blocks where columns are sorted, not less where they are not.
template <class Ordinal>
struct alignas(4 * sizeof(Ordinal)) FactorRow
{
  Ordinal first, last, length, blocks;
};

// A row of C: the columns of its products are among first .. first + width - 1, in at most so many
// blocks; products stays at the largest value of its type.
template <class Ordinal>
struct alignas(4 * sizeof(Ordinal)) ProductRow
{
  Ordinal first, width, blocks, products;
};

// Blocks of columns from the first to the last that products have.
template <class Ordinal>
__device__ std::int64_t span_of(ProductRow<Ordinal> const& row)
{
  constexpr int per_word = SpgemmPolicy::columns_per_word;
  auto const first = static_cast<std::int64_t>(row.first);
  return row.width == 0
             ? 0
             : (first + static_cast<std::int64_t>(row.width) - 1) / per_word - first / per_word + 1;
}

template <class Ordinal>
struct WidestRange
{
  static constexpr Ordinal first = std::numeric_limits<Ordinal>::max(), last = -1;
};

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

template <class Factor>
__global__ void survey_factor_kernel(Factor b, int lanes, FactorRow<typename Factor::ordinal>* rows,
                                     unsigned long long* unsorted)
{
  using Ordinal = typename Factor::ordinal;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  int const lane = static_cast<int>(thread % lanes);
  std::int64_t const begin = i < b.rows ? static_cast<std::int64_t>(b.offsets[i]) : 0;
  std::int64_t const end = i < b.rows ? static_cast<std::int64_t>(b.offsets[i + 1]) : 0;
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last, blocks = 0;
  bool is_sorted = true;
  for (std::int64_t n = begin + lane; n < end; n += lanes)
  {
    Ordinal const column = b.columns[n], before = n == begin ? Ordinal(-1) : b.columns[n - 1];
    first = column < first ? column : first;
    last = column > last ? column : last;
    is_sorted = is_sorted && before < column;
    bool const is_new = n == begin || before / SpgemmPolicy::columns_per_word !=
                                          column / SpgemmPolicy::columns_per_word;
    blocks += is_new ? 1 : 0;
  }
  if (!is_sorted)
    *unsorted = 1; // by whichever thread
  widen_range(first, last, lanes);
  blocks = sum_of_lanes(blocks, lanes);
  if (lane == 0 && i < b.rows)
    rows[i] = {first, last, static_cast<Ordinal>(end - begin), blocks};
}

template <class Factor>
__global__ void
survey_products_kernel(Factor a, int lanes, FactorRow<typename Factor::ordinal> const* b_rows,
                       ProductRow<typename Factor::ordinal>* rows, unsigned long long* all_products)
{
  using Ordinal = typename Factor::ordinal;
  constexpr auto most = static_cast<std::int64_t>(WidestRange<Ordinal>::first);
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  int const lane = static_cast<int>(thread % lanes);
  std::int64_t const end = i < a.rows ? static_cast<std::int64_t>(a.offsets[i + 1]) : 0;
  Ordinal first = WidestRange<Ordinal>::first, last = WidestRange<Ordinal>::last;
  std::int64_t products = 0, blocks = 0;
  for (std::int64_t k = i < a.rows ? static_cast<std::int64_t>(a.offsets[i]) + lane : 0; k < end;
       k += lanes)
  {
    FactorRow<Ordinal> const row = b_rows[a.columns[k]];
    first = row.first < first ? row.first : first;
    last = row.last > last ? row.last : last;
    products += static_cast<std::int64_t>(row.length);
    blocks += static_cast<std::int64_t>(row.blocks);
  }
  widen_range(first, last, lanes);
  products = sum_of_lanes(products, lanes);
  blocks = sum_of_lanes(blocks, lanes);
  auto const of_warp =
      static_cast<unsigned long long>(sum_of_lanes(products, warp_size, lanes)); // of all its rows
  if (threadIdx.x % warp_size == 0)
    atomicAdd(all_products, of_warp);
  if (lane != 0 || i >= a.rows)
    return;
  Ordinal const width = products == 0 ? 0 : last - first + 1;
  std::int64_t const span = static_cast<std::int64_t>(width) / SpgemmPolicy::columns_per_word + 2;
  blocks = blocks < span ? blocks : span;
  rows[i] = {products == 0 ? Ordinal(0) : first, width, static_cast<Ordinal>(blocks),
             static_cast<Ordinal>(products < most ? products : most)};
}

// Lanes for a row of so many entries on average: a power of two up to a warp.
inline int lanes_for_rows(std::int64_t rows, std::int64_t entries)
{
  int lanes = 1;
  while (lanes < warp_size && static_cast<std::int64_t>(lanes) * rows < entries)
    lanes *= 2;
  return lanes;
}

// rows[i] of C = A B. all_products and unsorted, 0 before, become the number of products and 1
// where a row of B has its columns out of order. Asynchronous.
template <class A, class B>
void survey_products(Kokkos::Cuda const& exec, A const& a, std::int64_t nnz_a, B const& b,
                     std::int64_t nnz_b, ProductRow<typename A::ordinal>* rows,
                     unsigned long long* all_products, unsigned long long* unsorted)
{
  constexpr int threads = 256;
  impl::Scratch<FactorRow<typename A::ordinal>, Kokkos::Cuda> const b_rows(
      exec, static_cast<std::size_t>(b.rows));
  int const b_lanes = lanes_for_rows(b.rows, nnz_b), a_lanes = lanes_for_rows(a.rows, nnz_a);
  launch(exec, "heddle::spgemm::survey_factor", survey_factor_kernel<B>,
         one_thread_each(b.rows * b_lanes, threads), b, b_lanes, b_rows.data(), unsorted);
  launch(exec, "heddle::spgemm::survey_products", survey_products_kernel<A>,
         one_thread_each(a.rows * a_lanes, threads), a, a_lanes, b_rows.data(), rows, all_products);
}

} // namespace heddle::cuda_native
