// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// y <- alpha A^T x + beta y by atomic additions, for plans that hold no transposed pattern: a
// kernel that scales y, and one that adds to it, which starts while that runs, loads its first
// entries and waits for it then. Forms: by rows (scatter_rows.cuh), 2 to 32 threads per row, by the
// lengths of rows; by short rows, a thread each, where lanes side by side with one column add up
// first. By entries: a block takes consecutive entries, wherever rows begin, so that no length of a
// row matters; two warps find the rows of the first and the last entry, and a bit per entry says
// where rows begin. With sums of a block: the same, but columns are added up in shared memory
// first, in a table in which a column has one possible slot and the first to come keeps it.
// Additions to one address come one after the other (2.5 ns each on an H200), so a column of many
// rows, which is among the first to come in nearly every block, takes one of them per block.
// Neighbouring threads take neighbouring entries: where these are in neighbouring columns the
// memory adds to a sector of y at once.
// Bytes: A once, x once per row of a block, an atomic addition of y per entry or slot. Values
// differ from run to run in the last bits.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/row_of_entry.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/scatter_rows.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// y <- beta y; 0 writes zeros without reading y.
template <class Policy, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_scale_kernel(std::int64_t size, Scalar beta, Scalar* __restrict__ y)
{
  let_next_start();
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    y[i] = beta == Scalar(0) ? Scalar(0) : beta * y[i];
}

// The sums of columns that a block holds.
template <class Policy, class Scalar, class Ordinal>
struct BlockSums
{
  static constexpr int slots = Policy::slots;
  Ordinal* columns; // negative: free
  Scalar* sums;

  __device__ void clear() const
  {
    for (int i = static_cast<int>(threadIdx.x); i < slots; i += Policy::threads_per_block)
    {
      columns[i] = Ordinal(-1);
      sums[i] = Scalar(0);
    }
  }
  // All lanes of a warp together, those without an entry with a column of -1: lanes with one column
  // add up first, since shared memory is added to by compare and swap, one lane after the other.
  __device__ void add_together(Ordinal column, Scalar product, Scalar* y) const
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    auto const lane = static_cast<int>(threadIdx.x) % warp_size;
    unsigned const alike = __match_any_sync(all_lanes, column);
    unsigned behind = alike & (~1U << lane);
    int const rank = __popc(alike) - __popc(behind) - 1;
    bool is_left = true; // no other lane has added this one's sum to its own
    for (int left_rank = rank; __any_sync(all_lanes, behind != 0); left_rank /= 2)
    {
      Scalar const next = value_of_lane(product, behind != 0 ? __ffs(behind) - 1 : lane);
      is_left = is_left && left_rank % 2 == 0;
      if (is_left && behind != 0)
        product += next;
      behind &= __ballot_sync(all_lanes, is_left);
    }
    if (column >= 0 && rank == 0)
      add(column, product, y);
  }
  // To the column's slot, or to y where another column has it.
  __device__ void add(Ordinal column, Scalar const& product, Scalar* y) const
  {
    auto const slot = static_cast<unsigned>(column) % slots;
    Ordinal holder = columns[slot];
    if (holder < 0)
    {
      holder = Kokkos::atomic_compare_exchange(&columns[slot], Ordinal(-1), column);
      if (holder < 0)
        holder = column;
    }
    if (holder == column)
      impl::atomic_accumulate(sums[slot], product);
    else
      impl::atomic_accumulate(y[column], product);
  }
  __device__ void add_all(Scalar* y) const
  {
    for (int i = static_cast<int>(threadIdx.x); i < slots; i += Policy::threads_per_block)
      if (columns[i] >= 0)
        impl::atomic_accumulate(y[columns[i]], sums[i]);
  }
};

// Which row each of a block's entries is of.
template <class Policy>
struct RowsOfBlock
{
  static constexpr int entries = Policy::entries_per_block, bits = 32, words = entries / bits;
  static_assert(words == 2 * warp_size);
  unsigned starts[words]; // bit n: a row begins with entry n, or has begun before entry 0
  int before[words];      // rows that begin in the words before
  int rows[entries];      // those that begin in the block, counted from the first

  __device__ void clear()
  {
    if (threadIdx.x < words)
      starts[threadIdx.x] = 0;
  }
  // Of `count` rows from the one on that has entry `begin`, which is the block's first. All threads
  // take part.
  template <class Offset>
  __device__ void list(Offset const* offsets, int count, std::int64_t begin)
  {
    int const thread = static_cast<int>(threadIdx.x);
    auto const visit_rows = [&](auto const& visit) {
      for (int i = thread; i < count; i += Policy::threads_per_block)
      {
        std::int64_t const first = static_cast<std::int64_t>(offsets[i]) - begin;
        if (static_cast<std::int64_t>(offsets[i + 1]) - begin > first)
          visit(i, first > 0 ? static_cast<int>(first) : 0);
      }
    };
    visit_rows([&](int, int n) { atomicOr(&starts[n / bits], 1U << (n % bits)); });
    __syncthreads();
    if (thread < warp_size)
    {
      int const first = __popc(starts[2 * thread]), both = first + __popc(starts[2 * thread + 1]);
      int const sum = inclusive_sum_of_lanes<warp_size>(both) - both;
      before[2 * thread] = sum;
      before[2 * thread + 1] = sum + first;
    }
    __syncthreads();
    visit_rows([&](int i, int n) { rows[index_of(n)] = i; });
  }
  __device__ int row_of(int n) const { return rows[index_of(n)]; }

private:
  __device__ int index_of(int n) const
  {
    return before[n / bits] + __popc(starts[n / bits] & (0xffffffffU >> (bits - 1 - n % bits))) - 1;
  }
};

// Where additions go, and whether lanes of a warp with one column add up before.
enum class ScatterTo
{
  y,
  block_sums,
  block_sums_by_lanes
};

// For at least one entry.
template <class Policy, ScatterTo to, bool is_conjugate, class Entries, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_entries_kernel(Entries a, std::int64_t nonzeros, Scalar alpha,
                                Scalar const* __restrict__ x, Scalar* __restrict__ y)
{
  using Ordinal = typename Entries::ordinal_type;
  using Sums = BlockSums<Policy, Scalar, Ordinal>;
  constexpr int entries = Policy::entries_per_block, per_thread = Policy::entries_per_thread;
  constexpr int threads = Policy::threads_per_block;
  constexpr bool has_sums = to != ScatterTo::y;
  constexpr int slots = has_sums ? Sums::slots : 1;
  __shared__ RowsOfBlock<Policy> known;
  __shared__ std::int64_t ends_of_rows[2];
  __shared__ Ordinal columns[slots];
  __shared__ __align__(16) unsigned char bytes_of_sums[slots * sizeof(Scalar)];
  Sums const sums{columns, reinterpret_cast<Scalar*>(bytes_of_sums)};

  std::int64_t const begin = static_cast<std::int64_t>(blockIdx.x) * entries;
  int const count = static_cast<int>(min(nonzeros - begin, std::int64_t(entries)));
  int const thread = static_cast<int>(threadIdx.x), warp = thread / warp_size;
  Ordinal column[per_thread];
  typename Entries::value_type value[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k)
    if (int const n = k * threads + thread; n < count)
    {
      column[k] = load_once(a.columns + begin + n);
      value[k] = load_once(a.values + begin + n);
    }
  if (warp < 2)
  {
    std::int64_t const row = row_of_entry(a.offsets, a.rows, warp == 0 ? begin : begin + count - 1);
    if (thread % warp_size == 0)
      ends_of_rows[warp] = row;
  }
  known.clear();
  if constexpr (has_sums)
    sums.clear();
  __syncthreads();
  std::int64_t const first_row = ends_of_rows[0], rows = ends_of_rows[1] - first_row + 1;
  bool const is_listed = rows <= Policy::most_listed_rows; // else nearly all are empty
  auto const* const offsets = a.offsets + first_row;
  if (is_listed)
    known.list(offsets, static_cast<int>(rows), begin);
  __syncthreads();
  wait_for_previous();

  auto const product_of = [&](int k, int n) {
    std::int64_t const row =
        is_listed ? known.row_of(n)
                  : impl::last_not_above(
                        [offsets](std::int64_t i) { return static_cast<std::int64_t>(offsets[i]); },
                        rows, begin + n);
    return Scalar(impl::conjugated<is_conjugate>(value[k])) * (alpha * x[first_row + row]);
  };
#pragma unroll
  for (int k = 0; k < per_thread; ++k)
  {
    int const n = k * threads + thread;
    bool const is_there = n < count;
    if constexpr (to == ScatterTo::block_sums_by_lanes)
      sums.add_together(is_there ? column[k] : Ordinal(-1), is_there ? product_of(k, n) : Scalar(0),
                        y);
    else if (is_there)
    {
      if constexpr (has_sums)
        sums.add(column[k], product_of(k, n), y);
      else
        impl::atomic_accumulate(y[column[k]], product_of(k, n));
    }
  }
  if constexpr (has_sums)
  {
    __syncthreads();
    sums.add_all(y);
  }
}

// What a sample of the matrix says: of its entries how many have a column in the sector of y that
// most of them have, or in one of the same hash; of rows that have an entry at some index, as the
// row behind them has, at how many the column is the same there, and at how many it is the next.
struct ScatterCounts
{
  int hottest, pairs, same, next;
};

// One block.
template <class Policy, class Ordinal, class Offset>
__global__ void __launch_bounds__(Policy::sampling_threads)
    spmv_scatter_sample_kernel(std::int64_t rows, std::int64_t count,
                               Offset const* __restrict__ offsets,
                               Ordinal const* __restrict__ columns, int columns_of_sector,
                               ScatterCounts* result)
{
  constexpr int counters = Policy::sampled_entries / 2;
  __shared__ int counts[counters];
  __shared__ ScatterCounts of_block;
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < counters; i += Policy::sampling_threads)
    counts[i] = 0;
  if (thread == 0)
    of_block = {0, 0, 0, 0};
  __syncthreads();
  constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U; // Fibonacci hashing, Knuth vol. 3, 6.4
  for (int n = thread; n < Policy::sampled_entries; n += Policy::sampling_threads)
  {
    std::uint64_t const entry =
        (static_cast<std::uint64_t>(n + 1) * spread >> 1) % static_cast<std::uint64_t>(count);
    auto const sector = static_cast<std::uint64_t>(columns[entry] / columns_of_sector);
    atomicAdd(&counts[(sector * spread >> 32) % counters], 1);
  }
  int pairs = 0, same = 0, next = 0;
  if (rows > 1)
    for (int n = thread; n < Policy::sampled_rows; n += Policy::sampling_threads)
    {
      std::uint64_t const hash = static_cast<std::uint64_t>(n + 1) * spread;
      auto const i = static_cast<std::int64_t>((hash >> 1) % static_cast<std::uint64_t>(rows - 1));
      auto const first = static_cast<std::int64_t>(offsets[i]);
      auto const second = static_cast<std::int64_t>(offsets[i + 1]);
      std::int64_t const length =
          min(second - first, static_cast<std::int64_t>(offsets[i + 2]) - second);
      if (length == 0)
        continue;
      auto const k = static_cast<std::int64_t>((hash >> 40) % static_cast<std::uint64_t>(length));
      std::int64_t const step = static_cast<std::int64_t>(columns[second + k]) -
                                static_cast<std::int64_t>(columns[first + k]);
      ++pairs;
      same += step == 0 ? 1 : 0;
      next += step == 1 ? 1 : 0;
    }
  atomicAdd(&of_block.pairs, pairs);
  atomicAdd(&of_block.same, same);
  atomicAdd(&of_block.next, next);
  __syncthreads();
  int of_thread = 0;
  for (int i = thread; i < counters; i += Policy::sampling_threads)
    of_thread = max(of_thread, counts[i]);
  of_thread = largest_of_warp(of_thread);
  if (thread % warp_size == 0)
    atomicMax(&of_block.hottest, of_thread);
  __syncthreads();
  if (thread == 0)
    *result = of_block;
}

// What a plan knows of A^T x by atomic additions.
struct ScatterChoice
{
  enum class Form
  {
    rows,
    short_rows,
    entries,
    block_sums
  };
  Form form = Form::rows;
  int threads_per_row = 8;  // of rows
  double hottest = 0;       // of block_sums: the share of the entries that add to one sector of y
  bool is_by_lanes = false; // of block_sums: lanes of a warp with one column add up first

  std::string describe() const
  {
    switch (form)
    {
    case Form::rows:
      return "by atomic additions, " + std::to_string(threads_per_row) + " threads per row";
    case Form::short_rows:
      return "by atomic additions, a thread per row, after those of neighbouring rows to one "
             "column "
             "have been added up";
    case Form::entries:
      return "by atomic additions, blocks of entries";
    case Form::block_sums:
      break;
    }
    auto const per_mille = static_cast<int>(1000 * hottest);
    return "by atomic additions of what blocks of entries add up in shared memory: " +
           std::to_string(per_mille / 10) + "." + std::to_string(per_mille % 10) +
           " % of the entries are in neighbouring columns" +
           (is_by_lanes ? ", and neighbouring rows have one column" : "");
  }
};

// Shares, of a sample; 0 where it would not pay to take one.
struct ScatterSample
{
  double hottest = 0; // of the entries, that add to one sector of y
  double same = 0;    // of rows, that have the column of the row before
  double next = 0;    // of rows, that have the next one
};

// Waits for exec where there are many entries.
template <class Exec, class Matrix>
ScatterSample scatter_sample(Exec const& exec, Matrix const& a)
{
  using Policy = SpmvScatterPolicyFor;
  auto const count = static_cast<std::int64_t>(a.nnz());
  if (!Policy::pays_to_sample(count))
    return {};
  impl::Scratch<ScatterCounts, Exec> const result(exec, 1);
  launch(exec, "heddle::spmv::scatter_sample",
         spmv_scatter_sample_kernel<Policy, typename Matrix::ordinal_type,
                                    typename Matrix::offset_type>,
         {1, Policy::sampling_threads}, static_cast<std::int64_t>(a.num_rows()), count,
         a.row_offsets().data(), a.columns().data(),
         Policy::columns_of_sector(sizeof(typename Matrix::value_type)), result.data());
  ScatterCounts counts;
  Kokkos::View<ScatterCounts, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const on_host(&counts);
  Kokkos::deep_copy(exec, on_host, Kokkos::subview(result.view(), 0));
  exec.fence("heddle::spmv::scatter_sample");
  double const pairs = counts.pairs > 0 ? counts.pairs : 1;
  return {static_cast<double>(counts.hottest) / Policy::sampled_entries, counts.same / pairs,
          counts.next / pairs};
}

inline ScatterChoice scatter_choice(impl::RowStatistics const& rows, ScatterSample const& sample,
                                    std::size_t value_bytes)
{
  using Policy = SpmvScatterPolicyFor;
  using Form = ScatterChoice::Form;
  ScatterChoice choice;
  choice.hottest = sample.hottest;
  int const threads = Policy::threads_per_row(rows, sample.next, sample.same);
  if (Policy::is_hot(sample.hottest, rows.nonzeros))
  {
    choice.form = Form::block_sums;
    choice.is_by_lanes = Policy::has_lanes_alike(sample.same, rows.mean());
  }
  else if (Policy::has_thread_per_row(rows, sample.next, sample.same, value_bytes))
    choice.form = Form::short_rows;
  else if (threads == 0)
    choice.form = Form::entries;
  else
    choice.threads_per_row = threads;
  return choice;
}

// y <- beta y, as the first kernel of a scatter. Whether there was a kernel: the next may start
// early then. Asynchronous.
template <class Scalar>
bool scale_for_scatter(Kokkos::Cuda const& exec, Scalar beta, std::int64_t size, Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  if (beta == Scalar(1) || size == 0)
    return false;
  launch(exec, "heddle::spmv::scatter_scale", spmv_scatter_scale_kernel<Policy, Scalar>,
         one_thread_each(size, Policy::threads_per_block), size, beta, y);
  return true;
}

// y += alpha A^T x. starts_early: behind scale_for_scatter. Asynchronous.
template <ScatterTo to, bool is_conjugate, class Matrix, class Scalar>
void scatter_entries(Kokkos::Cuda const& exec, bool starts_early, Matrix const& a, Scalar alpha,
                     Scalar const* x, Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  using Entries = CsrView<typename Matrix::value_type, typename Matrix::ordinal_type,
                          typename Matrix::offset_type>;
  auto const count = static_cast<std::int64_t>(a.nnz());
  Grid grid{blocks_for(count, Policy::entries_per_block), Policy::threads_per_block};
  grid.starts_early = starts_early;
  launch(exec,
         to == ScatterTo::y ? "heddle::spmv::scatter_entries" : "heddle::spmv::scatter_block_sums",
         spmv_scatter_entries_kernel<Policy, to, is_conjugate, Entries, Scalar>, grid, csr_view(a),
         count, alpha, x, y);
}

// y <- alpha A^T x + beta y in the form of a CSR matrix, or by rows. Asynchronous.
template <bool is_conjugate, class Matrix, class Scalar>
void spmv_scatter(Kokkos::Cuda const& exec, ScatterChoice const& choice, Scalar alpha,
                  Matrix const& a, Scalar const* x, Scalar beta, Scalar* y)
{
  using Value = typename Matrix::value_type;
  bool const starts_early = scale_for_scatter(exec, beta, a.num_cols(), y);
  Value const* const values = a.values().data();
  if constexpr (is_csr_matrix_v<Matrix>)
  {
    if (choice.form == ScatterChoice::Form::entries)
      return scatter_entries<ScatterTo::y, is_conjugate>(exec, starts_early, a, alpha, x, y);
    if (choice.form == ScatterChoice::Form::block_sums)
      return choice.is_by_lanes
                 ? scatter_entries<ScatterTo::block_sums_by_lanes, is_conjugate>(exec, starts_early,
                                                                                 a, alpha, x, y)
                 : scatter_entries<ScatterTo::block_sums, is_conjugate>(exec, starts_early, a,
                                                                        alpha, x, y);
    if (choice.form == ScatterChoice::Form::short_rows)
      return scatter_short_rows<is_conjugate>(exec, starts_early, impl::row_views_of(a), values,
                                              alpha, x, y);
  }
  scatter_rows<is_conjugate>(exec, choice.threads_per_row, starts_early, impl::row_views_of(a),
                             values, alpha, x, y);
}

} // namespace heddle::cuda_native
