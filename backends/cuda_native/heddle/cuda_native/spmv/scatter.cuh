// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// y += alpha A^T x by atomic additions, for plans that hold no transposed pattern, in three forms.
// By rows: eight threads per row, for rows of like lengths that are not long. By entries: a block
// takes consecutive entries, wherever rows begin, so that no length of a row matters; two warps
// find the rows of the first and the last entry, each thread those of its entries. With sums of a
// block: the same, but columns are added up in shared memory first, in a table in which a column
// has one possible slot and the first to come keeps it. Additions to one address come one after the
// other (2.5 ns each on an H200), so a column of many rows, which is among the first to come in
// nearly every block, takes one of them per block.
// Bytes: A once, x once per row of a block, an atomic addition of y per entry or slot. Values
// differ from run to run in the last bits.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// Through a row view of any format (row_views.hpp).
template <class Policy, bool is_conjugate, class RowViews, class Value, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_rows_kernel(RowViews views, Value const* __restrict__ values, Scalar alpha,
                             Scalar const* __restrict__ x, Scalar* __restrict__ y)
{
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / Policy::threads_per_row;
  if (i >= views.count)
    return;
  Scalar const factor = alpha * x[views.row(i)];
  auto const view = views[i];
  for (std::int64_t n = thread % Policy::threads_per_row; n < view.length;
       n += Policy::threads_per_row)
    view.visit(n, [&](std::int64_t column, std::int64_t slot) {
      impl::atomic_accumulate(y[column],
                              Scalar(impl::conjugated<is_conjugate>(values[slot])) * factor);
    });
}

// The row of an entry, found by a warp: each step leaves a 33rd of the rows.
template <class Offset>
__device__ std::int64_t row_of_entry(Offset const* offsets, std::int64_t rows, std::int64_t entry)
{
  std::int64_t first = 0, end = rows; // the row is one of these
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  while (end - first > 1)
  {
    auto const probe = [&](int n) { return first + (end - first) * (n + 1) / (warp_size + 1); };
    bool const is_before = static_cast<std::int64_t>(offsets[probe(lane)]) <= entry;
    int const before = __popc(__ballot_sync(0xffffffffU, is_before));
    std::int64_t const next_first = before > 0 ? probe(before - 1) : first;
    end = before < warp_size ? probe(before) : end;
    first = next_first;
  }
  return first;
}

// The sums of columns that a block holds.
template <class Policy, class Scalar, class Ordinal>
struct BlockSums
{
  static constexpr int slots = Policy::template slots<Scalar, Ordinal>;
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

// For at least one entry.
template <class Policy, bool has_sums, bool is_conjugate, class Entries, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_entries_kernel(Entries a, std::int64_t nonzeros, Scalar alpha,
                                Scalar const* __restrict__ x, Scalar* __restrict__ y)
{
  using Ordinal = typename Entries::ordinal_type;
  using Sums = BlockSums<Policy, Scalar, Ordinal>;
  constexpr int entries = Policy::template entries_per_block<has_sums>, most_rows = entries;
  constexpr int slots = has_sums ? Sums::slots : 1;
  __shared__ int begins[most_rows];
  __shared__ std::int64_t ends_of_rows[2];
  __shared__ Ordinal columns[slots];
  __shared__ __align__(16) unsigned char bytes_of_sums[slots * sizeof(Scalar)];
  Sums const sums{columns, reinterpret_cast<Scalar*>(bytes_of_sums)};

  std::int64_t const begin = static_cast<std::int64_t>(blockIdx.x) * entries;
  int const count = static_cast<int>(min(nonzeros - begin, std::int64_t(entries)));
  int const thread = static_cast<int>(threadIdx.x), warp = thread / warp_size;
  if (warp < 2)
  {
    std::int64_t const row = row_of_entry(a.offsets, a.rows, warp == 0 ? begin : begin + count - 1);
    if (thread % warp_size == 0)
      ends_of_rows[warp] = row;
  }
  if constexpr (has_sums)
    sums.clear();
  __syncthreads();
  std::int64_t const first_row = ends_of_rows[0], rows = ends_of_rows[1] - first_row + 1;
  bool const has_begins = rows <= most_rows; // else there are many empty rows
  if (has_begins)
    for (int i = thread; i < rows; i += Policy::threads_per_block)
      begins[i] = static_cast<int>(static_cast<std::int64_t>(a.offsets[first_row + i]) - begin);
  __syncthreads();

  for (int n = thread; n < count; n += Policy::threads_per_block)
  {
    std::int64_t row = first_row;
    if (has_begins)
      row += impl::last_not_above(
          [known = static_cast<int const*>(begins)](int i) { return known[i]; },
          static_cast<int>(rows), n);
    else
      row += impl::last_not_above(
          [&a, first_row](std::int64_t i) {
            return static_cast<std::int64_t>(a.offsets[first_row + i]);
          },
          rows, begin + n);
    Ordinal const column = a.columns[begin + n];
    Scalar const product =
        Scalar(impl::conjugated<is_conjugate>(a.values[begin + n])) * (alpha * x[row]);
    if constexpr (has_sums)
      sums.add(column, product, y);
    else
      impl::atomic_accumulate(y[column], product);
  }
  if constexpr (has_sums)
  {
    __syncthreads();
    sums.add_all(y);
  }
}

// How many of the sampled entries have a column in the sector of y that most of them have, or in
// one of the same hash. One block.
template <class Policy, class Ordinal>
__global__ void __launch_bounds__(Policy::sampling_threads)
    spmv_hottest_sector_kernel(std::int64_t count, Ordinal const* __restrict__ columns,
                               int columns_of_sector, int* hits)
{
  constexpr int counters = Policy::sampled_entries / 2;
  __shared__ int counts[counters];
  __shared__ int most;
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < counters; i += Policy::sampling_threads)
    counts[i] = 0;
  if (thread == 0)
    most = 0;
  __syncthreads();
  constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U; // Fibonacci hashing, Knuth vol. 3, 6.4
  for (int n = thread; n < Policy::sampled_entries; n += Policy::sampling_threads)
  {
    std::uint64_t const entry =
        (static_cast<std::uint64_t>(n + 1) * spread >> 1) % static_cast<std::uint64_t>(count);
    auto const sector = static_cast<std::uint64_t>(columns[entry] / columns_of_sector);
    atomicAdd(&counts[(sector * spread >> 32) % counters], 1);
  }
  __syncthreads();
  int of_thread = 0;
  for (int i = thread; i < counters; i += Policy::sampling_threads)
    of_thread = max(of_thread, counts[i]);
  of_thread = largest_of_warp(of_thread);
  if (thread % warp_size == 0)
    atomicMax(&most, of_thread);
  __syncthreads();
  if (thread == 0)
    *hits = most;
}

// What a plan knows of A^T x by atomic additions.
struct ScatterChoice
{
  enum class Form
  {
    rows,
    entries,
    block_sums
  };
  Form form = Form::rows;
  double hottest = 0; // of block_sums: the share of the entries that add to one sector of y

  std::string describe() const
  {
    switch (form)
    {
    case Form::rows:
      return "by atomic additions, 8 threads per row";
    case Form::entries:
      return "by atomic additions, blocks of entries";
    case Form::block_sums:
      break;
    }
    return "by atomic additions of what blocks of entries add up in shared memory: " +
           std::to_string(static_cast<int>(100 * hottest)) +
           " % of the entries are in neighbouring columns";
  }
};

// The share of the entries that add to one sector of y, of a sample. Waits for exec.
template <class Exec, class Matrix>
double hottest_share(Exec const& exec, Matrix const& a)
{
  using Policy = SpmvScatterPolicyFor;
  impl::Scratch<int, Exec> const hits(exec, 1);
  launch(exec, "heddle::spmv::hottest_sector",
         spmv_hottest_sector_kernel<Policy, typename Matrix::ordinal_type>,
         {1, Policy::sampling_threads}, static_cast<std::int64_t>(a.nnz()), a.columns().data(),
         Policy::columns_of_sector(sizeof(typename Matrix::value_type)), hits.data());
  int most = 0;
  Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const on_host(&most);
  Kokkos::deep_copy(exec, on_host, Kokkos::subview(hits.view(), 0));
  exec.fence("heddle::spmv::hottest_sector");
  return static_cast<double>(most) / Policy::sampled_entries;
}

// Waits for exec where a column may have many entries.
template <class Exec, class Matrix>
ScatterChoice scatter_choice(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
{
  using Policy = SpmvScatterPolicyFor;
  using Form = ScatterChoice::Form;
  if (Policy::may_be_hot(rows, sizeof(typename Matrix::value_type)))
    if (double const share = hottest_share(exec, a); Policy::is_hot(share, rows.nonzeros))
      return {Form::block_sums, share};
  return {Policy::suits_rows(rows) ? Form::rows : Form::entries};
}

// y += alpha A^T x. Asynchronous.
template <bool is_conjugate, class RowViews, class Value, class Scalar>
void scatter_rows(Kokkos::Cuda const& exec, RowViews const& views, Value const* values,
                  Scalar alpha, Scalar const* x, Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  launch(exec, "heddle::spmv::scatter",
         spmv_scatter_rows_kernel<Policy, is_conjugate, RowViews, Value, Scalar>,
         one_thread_each(views.count * Policy::threads_per_row, Policy::threads_per_block), views,
         values, alpha, x, y);
}
template <bool has_sums, bool is_conjugate, class Matrix, class Scalar>
void scatter_entries(Kokkos::Cuda const& exec, Matrix const& a, Scalar alpha, Scalar const* x,
                     Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  using Entries = CsrView<typename Matrix::value_type, typename Matrix::ordinal_type,
                          typename Matrix::offset_type>;
  auto const count = static_cast<std::int64_t>(a.nnz());
  launch(
      exec, has_sums ? "heddle::spmv::scatter_block_sums" : "heddle::spmv::scatter_entries",
      spmv_scatter_entries_kernel<Policy, has_sums, is_conjugate, Entries, Scalar>,
      {blocks_for(count, Policy::template entries_per_block<has_sums>), Policy::threads_per_block},
      Entries{a.num_rows(), a.row_offsets().data(), a.columns().data(), a.values().data()}, count,
      alpha, x, y);
}

} // namespace heddle::cuda_native
