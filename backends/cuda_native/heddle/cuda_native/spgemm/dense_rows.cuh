// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM where A has few, long rows and B few columns, as A A^T of fitting and covering problems:
// C is small, and nearly dense. A sum for each column of B, a row of C, fits the shared memory of a
// group of lanes (Gustavson's dense accumulator, ACM TOMS 4(3), 1978). All entries of A are cut
// into runs of equal length; a group goes through one, an entry of A after the other, its lanes
// side by side through the row of B, so that no sum is added to twice at once and nothing is
// atomic. At the end of a row of A, and of its run, it hands on the sums, and which of them have a
// product. A second kernel adds up what groups hand on for each row, always in the same order; from
// there rows of C are counted and written, or, where a plan has them, only gathered. Bytes: A once,
// the rows of B from the caches, sums of groups once.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/dense_rows_policy.hpp>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// Sums of `cols` columns, one row after the other, and for each whether it has a product. Without
// sums only the latter.
template <class Sum>
struct DenseSums
{
  std::int64_t cols;
  Sum* sums;
  unsigned char* has_product;
};

// Adds the products of a run of entries of A to the sums of its group.
template <int lanes, bool has_sums, class A, class B, class Sum>
__global__ void __launch_bounds__(dense_rows_policy.threads_per_block,
                                  dense_rows_policy.blocks_of_multiprocessor)
    spgemm_dense_rows_kernel(A a, B b, std::int64_t nnz, std::int64_t chunk, int bytes_of_group,
                             DenseSums<Sum> to, unsigned long long* products)
{
  constexpr int groups = dense_rows_policy.threads_per_block / lanes;
  constexpr int in_flight = dense_rows_policy.entries_in_flight;
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const first_lane = static_cast<int>(threadIdx.x) % warp_size - lane; // of the group
  auto const cols = static_cast<int>(to.cols);
  unsigned char* const memory = dynamic_shared() + group * bytes_of_group;
  Sum* const sums = reinterpret_cast<Sum*>(memory);
  unsigned char* const has_product = memory + cols * static_cast<int>(sizeof(Sum));
  for (int j = lane; j < cols; j += lanes)
  {
    if constexpr (has_sums)
      sums[j] = Sum(0);
    has_product[j] = 0;
  }
  __syncwarp();

  std::int64_t const worker = static_cast<std::int64_t>(blockIdx.x) * groups + group;
  auto const base = static_cast<std::int64_t>(a.offsets[0]);
  std::int64_t at = min(worker * chunk, nnz), end = min(at + chunk, nnz);
  auto const end_of = [&](std::int64_t row) {
    return static_cast<std::int64_t>(a.offsets[row + 1]) - base;
  };
  std::int64_t row = impl::last_not_above(
      [&](std::int64_t n) { return static_cast<std::int64_t>(a.offsets[n]) - base; }, a.rows, at);
  unsigned long long mine = 0;
  while (__any_sync(all_lanes, at < end))
  {
    std::int64_t const row_end = at < end ? min(end, end_of(row)) : at;
    auto const count = static_cast<int>(min(std::int64_t(lanes), row_end - at));
    std::int64_t begin = 0;
    int length = 0;
    typename A::value_type value{};
    if (lane < count)
    {
      auto const inner = a.columns[base + at + lane];
      begin = static_cast<std::int64_t>(b.offsets[inner]);
      length = b.length_of(inner);
      if constexpr (has_sums)
        value = a.values[base + at + lane];
    }
    mine += static_cast<unsigned long long>(length);
    for (int k = 0; __any_sync(all_lanes, k < count); k += in_flight)
    {
      std::int64_t from[in_flight];
      int entries[in_flight], column[in_flight];
      typename B::value_type factor[in_flight];
#pragma unroll
      for (int n = 0; n < in_flight; ++n)
      {
        from[n] = __shfl_sync(all_lanes, begin, k + n, lanes);
        entries[n] = __shfl_sync(all_lanes, length, k + n, lanes);
        if (lane < entries[n])
        {
          column[n] = static_cast<int>(b.columns[from[n] + lane]);
          if constexpr (has_sums)
            factor[n] = b.values[from[n] + lane];
        }
      }
#pragma unroll
      for (int n = 0; n < in_flight; ++n)
      {
        Sum of_a{};
        if constexpr (has_sums)
          of_a = Sum(value_of_lane(value, first_lane + k + n));
        if (lane < entries[n])
        {
          if constexpr (has_sums)
            sums[column[n]] += of_a * Sum(factor[n]);
          has_product[column[n]] = 1;
        }
        for (int m = lane + lanes; m < entries[n]; m += lanes)
        {
          auto const j = static_cast<int>(b.columns[from[n] + m]);
          if constexpr (has_sums)
            sums[j] += of_a * Sum(b.values[from[n] + m]);
          has_product[j] = 1;
        }
        __syncwarp(); // the next row of B may have the same columns in other lanes
      }
    }
    bool const is_done = count > 0 && at + count == row_end;
    if (is_done)
      for (int j = lane; j < cols; j += lanes)
      {
        std::int64_t const slot = (worker + row) * to.cols + j;
        if constexpr (has_sums)
        {
          to.sums[slot] = sums[j];
          sums[j] = Sum(0);
        }
        to.has_product[slot] = has_product[j];
        has_product[j] = 0;
      }
    __syncwarp();
    at += count;
    if (is_done && at < end)
      do
        ++row;
      while (end_of(row) <= at);
  }
  if (products == nullptr)
    return;
  mine = sum_of_lanes(mine, warp_size);
  if (threadIdx.x % warp_size == 0 && mine > 0)
    atomicAdd(products, mine);
}

// Row blockIdx.x of C without gaps, 32 columns a block: its warps take turns at the groups that had
// entries of the row, and their sums are added in the order of the warps.
template <bool has_sums, class A, class Sum>
__global__ void __launch_bounds__(dense_rows_policy.most_reducing_warps* warp_size)
    spgemm_reduce_dense_rows_kernel(A a, std::int64_t chunk, DenseSums<Sum> from, DenseSums<Sum> to)
{
  int const warps = static_cast<int>(blockDim.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  auto* const sums = reinterpret_cast<Sum*>(dynamic_shared());
  __shared__ unsigned char any[dense_rows_policy.most_reducing_warps][warp_size];
  std::int64_t const row = blockIdx.x;
  std::int64_t const column = std::int64_t(blockIdx.y) * warp_size + lane;
  std::int64_t const begin = static_cast<std::int64_t>(a.offsets[row] - a.offsets[0]);
  std::int64_t const end = static_cast<std::int64_t>(a.offsets[row + 1] - a.offsets[0]);
  Sum sum(0);
  unsigned char has_product = 0;
  if (begin < end && column < to.cols)
    for (std::int64_t worker = begin / chunk + warp; worker <= (end - 1) / chunk; worker += warps)
    {
      std::int64_t const slot = (worker + row) * from.cols + column;
      if constexpr (has_sums)
        sum += from.sums[slot];
      has_product |= from.has_product[slot];
    }
  if constexpr (has_sums)
    sums[warp * warp_size + lane] = sum;
  any[warp][lane] = has_product;
  __syncthreads();
  if (warp > 0 || column >= to.cols)
    return;
  for (int w = 1; w < warps; ++w)
  {
    if constexpr (has_sums)
      sum += sums[w * warp_size + lane];
    has_product |= any[w][lane];
  }
  if constexpr (has_sums)
    to.sums[row * to.cols + column] = sum;
  to.has_product[row * to.cols + column] = has_product;
}

using DenseRowTeam = Team<dense_rows_policy.row_threads>;

// How many columns a row has, by a block; for all its threads.
__device__ inline int columns_of_dense_row(unsigned char const* has_product, std::int64_t cols)
{
  int count = 0;
  for (std::int64_t first = 0; first < cols; first += DenseRowTeam::size)
  {
    std::int64_t const j = first + DenseRowTeam::rank();
    count += __syncthreads_count(j < cols && has_product[j] != 0 ? 1 : 0);
  }
  return count;
}

template <class Ordinal>
__global__ void __launch_bounds__(DenseRowTeam::size)
    spgemm_count_dense_rows_kernel(unsigned char const* has_product, std::int64_t cols,
                                   Ordinal* counts)
{
  int const count = columns_of_dense_row(has_product + blockIdx.x * cols, cols);
  if (threadIdx.x == 0)
    counts[blockIdx.x] = static_cast<Ordinal>(count);
}

// The columns of C in order, and, with sums, its values.
template <bool has_sums, class Sum, class Ordinal, class Offset>
__global__ void __launch_bounds__(DenseRowTeam::size)
    spgemm_write_dense_rows_kernel(DenseSums<Sum> from, Offset const* offsets, Ordinal* columns,
                                   Sum* values)
{
  __shared__ typename DenseRowTeam::Memory memory;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * from.cols;
  auto at = static_cast<std::int64_t>(offsets[blockIdx.x]);
  for (std::int64_t first = 0; first < from.cols; first += DenseRowTeam::size)
  {
    std::int64_t const j = first + DenseRowTeam::rank();
    bool const is_there = j < from.cols && from.has_product[row + j] != 0;
    int total = 0;
    std::int64_t const to = at + DenseRowTeam::exclusive_count(is_there, total, memory);
    if (is_there)
    {
      columns[to] = static_cast<Ordinal>(j);
      if constexpr (has_sums)
        values[to] = from.sums[row + j];
    }
    at += total;
  }
}

// The values of C at the columns that it has; other columns are reported.
template <class C>
__global__ void __launch_bounds__(DenseRowTeam::size)
    spgemm_gather_dense_rows_kernel(DenseSums<typename C::value_type> from, C c)
{
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * from.cols;
  auto const begin = static_cast<std::int64_t>(c.offsets[blockIdx.x]);
  auto const end = static_cast<std::int64_t>(c.offsets[blockIdx.x + 1]);
  bool is_other = columns_of_dense_row(from.has_product + row, from.cols) != end - begin;
  for (std::int64_t n = begin + DenseRowTeam::rank(); n < end; n += DenseRowTeam::size)
  {
    auto const j = static_cast<std::int64_t>(c.columns[n]);
    is_other = is_other || from.has_product[row + j] == 0;
    c.values[n] = from.sums[row + j];
  }
  if (is_other)
    c.report();
}

// Rows of sums, or of what has a product alone, in one piece of scratch memory.
template <class Sum>
class DenseSumsMemory
{
public:
  DenseSumsMemory(Kokkos::Cuda const& exec, std::int64_t rows, std::int64_t cols, bool has_sums)
      : m_cols(cols)
      , m_bytes_of_sums(has_sums ? static_cast<std::size_t>(rows * cols) * sizeof(Sum) : 0)
      , m_memory(exec, m_bytes_of_sums + static_cast<std::size_t>(rows * cols))
  {}
  DenseSums<Sum> view() const
  {
    return {m_cols, reinterpret_cast<Sum*>(m_memory.data()), m_memory.data() + m_bytes_of_sums};
  }

private:
  std::int64_t m_cols;
  std::size_t m_bytes_of_sums;
  impl::Scratch<unsigned char, Kokkos::Cuda> m_memory;
};

// C without gaps: the sums of all rows of A.
template <class Sum, class Ordinal>
class DenseRows
{
public:
  // With sums, or the columns alone. products, which may be null, are added to. Asynchronous.
  template <class A, class B>
  DenseRows(Kokkos::Cuda const& exec, A const& a, B const& b, DenseRowsSizes const& sizes,
            DenseRowsShape const& shape, bool has_sums, unsigned long long* products = nullptr)
      : m_exec(exec)
      , m_rows(a.rows)
      , m_memory(exec, a.rows, sizes.cols, has_sums)
  {
    if (has_sums)
      multiply<true>(a, b, sizes, shape, products);
    else
      multiply<false>(a, b, sizes, shape, products);
  }

  // counts[i] = entries of row i of C. Asynchronous.
  void count(Ordinal* counts) const
  {
    launch(m_exec, "heddle::spgemm::count_dense_rows", spgemm_count_dense_rows_kernel<Ordinal>,
           grid_of_rows(), view().has_product, view().cols, counts);
  }
  // values: null without sums. Asynchronous.
  template <class Offset>
  void write(Offset const* offsets, Ordinal* columns, Sum* values) const
  {
    if (values != nullptr)
      launch(m_exec, "heddle::spgemm::write_dense_rows",
             spgemm_write_dense_rows_kernel<true, Sum, Ordinal, Offset>, grid_of_rows(), view(),
             offsets, columns, values);
    else
      launch(m_exec, "heddle::spgemm::write_dense_rows",
             spgemm_write_dense_rows_kernel<false, Sum, Ordinal, Offset>, grid_of_rows(), view(),
             offsets, columns, values);
  }
  // The numeric phase. Asynchronous.
  template <class C>
  void gather(C const& c) const
  {
    launch(m_exec, "heddle::spgemm::gather_dense_rows", spgemm_gather_dense_rows_kernel<C>,
           grid_of_rows(), view(), c);
  }

private:
  DenseSums<Sum> view() const { return m_memory.view(); }
  Grid grid_of_rows() const { return {m_rows, DenseRowTeam::size}; }

  template <bool has_sums, class A, class B>
  void multiply(A const& a, B const& b, DenseRowsSizes const& sizes, DenseRowsShape const& shape,
                unsigned long long* products)
  {
    DenseSumsMemory<Sum> const of_groups(m_exec, shape.slots(m_rows), sizes.cols, has_sums);
    if (shape.lanes == dense_rows_policy.short_lanes)
      add<dense_rows_policy.short_lanes, has_sums>(a, b, sizes, shape, of_groups.view(), products);
    else
      add<dense_rows_policy.long_lanes, has_sums>(a, b, sizes, shape, of_groups.view(), products);
    int const threads = shape.reducing_warps(m_rows) * warp_size;
    Grid grid{m_rows, threads, has_sums ? static_cast<std::size_t>(threads) * sizeof(Sum) : 0};
    grid.blocks_y = static_cast<int>(blocks_for(sizes.cols, warp_size));
    launch(m_exec, "heddle::spgemm::reduce_dense_rows",
           spgemm_reduce_dense_rows_kernel<has_sums, A, Sum>, grid, a, shape.chunk,
           of_groups.view(), view());
  }
  template <int lanes, bool has_sums, class A, class B>
  void add(A const& a, B const& b, DenseRowsSizes const& sizes, DenseRowsShape const& shape,
           DenseSums<Sum> const& to, unsigned long long* products) const
  {
    constexpr int groups = dense_rows_policy.threads_per_block / lanes;
    std::size_t const bytes = sizes.bytes_of_group();
    launch(
        m_exec, "heddle::spgemm::dense_rows", spgemm_dense_rows_kernel<lanes, has_sums, A, B, Sum>,
        Grid{blocks_for(shape.groups, groups), dense_rows_policy.threads_per_block, groups * bytes},
        a, b, sizes.factors.nnz_a, shape.chunk, static_cast<int>(bytes), to, products);
  }

  Kokkos::Cuda m_exec;
  std::int64_t m_rows;
  DenseSumsMemory<Sum> m_memory;
};

// The columns of C and, in a whole multiply, its values.
template <class Result>
struct DenseRowsResult
{
  impl::SpgemmPattern<Result> pattern;
  typename Result::values_view values;
};

// The symbolic phase, or both. Waits for exec.
template <class Result, class A, class B>
DenseRowsResult<Result> multiply_dense_rows(Kokkos::Cuda const& exec, A const& a, B const& b,
                                            DenseRowsSizes const& sizes,
                                            DenseRowsShape const& shape, bool is_whole)
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Offsets = Kokkos::View<Offset*, typename Result::memory_space>;
  DenseRowsResult<Result> result;
  auto& pattern = result.pattern;
  impl::Scratch<unsigned long long, Kokkos::Cuda> const products(exec, is_whole ? 0 : 1);
  if (!is_whole)
    Kokkos::deep_copy(exec, products.view(), 0ULL);
  DenseRows<typename Result::value_type, Ordinal> const rows(exec, a, b, sizes, shape, is_whole,
                                                             products.data());
  impl::Scratch<Ordinal, Kokkos::Cuda> const counts(exec, static_cast<std::size_t>(a.rows));
  rows.count(counts.data());
  auto const offsets = impl::uninitialized<Offsets>(exec, "heddle::row_offsets",
                                                    static_cast<std::size_t>(a.rows) + 1);
  offsets_from_counts(exec, counts.view(), offsets);
  pattern.row_offsets = offsets;
  std::int64_t const entries = last_of(exec, offsets); // waits
  impl::require_offsets_hold<Offset>(entries);
  pattern.nnz = static_cast<std::size_t>(entries);
  if (!is_whole)
    pattern.products = last_of(exec, products.view());
  auto const columns = impl::uninitialized<typename Result::columns_view>(
      exec, is_whole ? "heddle::columns" : "heddle::spgemm::columns", pattern.nnz);
  pattern.columns = columns;
  pattern.keeps_columns = true;
  if (is_whole)
    result.values =
        impl::uninitialized<typename Result::values_view>(exec, "heddle::values", pattern.nnz);
  rows.write(offsets.data(), columns.data(), is_whole ? result.values.data() : nullptr);
  return result;
}

// C with its values. Waits for exec.
template <class Result, class A, class B>
Result product_of_dense_rows(Kokkos::Cuda const& exec, A const& a, B const& b,
                             DenseRowsSizes const& sizes, DenseRowsShape const& shape)
{
  auto const all = multiply_dense_rows<Result>(exec, a, b, sizes, shape, true);
  return Result(a.rows, sizes.cols, all.pattern.row_offsets, all.pattern.columns, all.values);
}

inline std::string describe(DenseRowsShape const& shape)
{
  return "rows of C dense in shared memory: " + std::to_string(shape.groups) + " groups of " +
         std::to_string(shape.lanes) + " lanes, each with " + std::to_string(shape.chunk) +
         " entries of A";
}

} // namespace heddle::cuda_native
