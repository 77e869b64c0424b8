// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows that are too long for the threads that share a row, or a tile of rows, elsewhere: a kernel
// of their own cuts each into parts, one per block of threads, and leaves the sum of each part. The
// kernel of all rows starts while that runs, and adds up the parts of a long row, in their order,
// where it comes to the row. So a row may be as long as all others together.
//
//     auto const sums = long_rows.template start<is_conjugate>(exec, a, x); // before the other
//     grid.starts_early = long_rows.has_rows();
//     launch(..., grid, ..., sums.view());
//
//     if (sums.has(length)) // in that kernel, by one thread
//       sum = sums.sum_of(row);
//     sums.finish();        // by all threads

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/rows/tiles.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_sums.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::cuda_native
{

// Rows with more than `most` entries, ascending, and where the parts of each begin.
template <class Ordinal>
struct LongRowList
{
  Ordinal const* rows;
  int const* first_parts; // one more than there are rows
  int count;
  Ordinal most;
};

// Sums of their parts, as the kernel of all rows sees them.
template <class Ordinal, class Scalar>
struct LongRowSums
{
  static constexpr bool are_there = true;
  LongRowList<Ordinal> list;
  Scalar* of_parts;

  // A kernel that starts early ends behind the one before only if one of its blocks waits for that:
  // the last, which comes when the parts are done in most cases.
  __device__ void finish() const
  {
    if (list.count > 0 && blockIdx.x == gridDim.x - 1)
      wait_for_previous();
  }
  __device__ bool has(Ordinal entries) const { return entries > list.most; }
  // By one thread. A row of another pattern than the plan's may be missing, and has nothing then.
  __device__ Scalar sum_of(std::int64_t row) const
  {
    wait_for_previous();
    int const n = impl::partition_point(
        0, list.count, [&](int k) { return static_cast<std::int64_t>(list.rows[k]) < row; });
    Scalar sum{};
    if (n == list.count || static_cast<std::int64_t>(list.rows[n]) != row)
      return sum;
    int const end = list.first_parts[n + 1];
#pragma unroll 8
    for (int part = list.first_parts[n]; part < end; ++part)
      sum += of_parts[part];
    return sum;
  }
};

// What kernels take where there are none: nothing is left of it in their code.
struct NoLongRows
{
  static constexpr bool are_there = false;
  template <class Ordinal>
  __device__ static constexpr bool has(Ordinal)
  {
    return false;
  }
  __device__ static constexpr int sum_of(std::int64_t) { return 0; }
  __device__ static void finish() {}
};

// A block per part.
template <class Policy, bool is_conjugate, class Entries, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_long_rows_kernel(Entries a, LongRowSums<typename Entries::ordinal_type, Scalar> const sums,
                          Scalar const* __restrict__ x)
{
  constexpr int threads = Policy::threads_per_block;
  // Not of type Scalar, whose constructor would have to run.
  __shared__ alignas(Scalar) unsigned char memory[threads / warp_size * sizeof(Scalar)];
  let_next_start();
  auto const part = static_cast<int>(blockIdx.x);
  int const n =
      impl::last_not_above([&](int k) { return sums.list.first_parts[k]; }, sums.list.count, part);
  int const first_part = sums.list.first_parts[n];
  auto const row = static_cast<std::int64_t>(sums.list.rows[n]);
  auto const first = static_cast<std::int64_t>(a.offsets[row]);
  auto const last = static_cast<std::int64_t>(a.offsets[row + 1]);
  std::int64_t const length =
      impl::divided_up(last - first, sums.list.first_parts[n + 1] - first_part);
  std::int64_t const from = min(first + (part - first_part) * length, last);
  Scalar const own = sum_of_entries<threads, Policy::loads_in_flight, is_conjugate>(
      a, from, min(from + length, last), static_cast<int>(threadIdx.x), x);
  Scalar const sum = sum_of_block<threads>(own, reinterpret_cast<Scalar*>(memory));
  if (threadIdx.x == 0)
    sums.of_parts[part] = sum;
}

// Of one call. The memory is dropped behind what the call launches.
template <class Ordinal, class Scalar, class Exec>
class LongRowCall
{
public:
  LongRowCall(Exec const& exec, LongRowList<Ordinal> const& list, int parts)
      : m_list(list)
      , m_parts(exec, static_cast<std::size_t>(parts))
  {}
  LongRowSums<Ordinal, Scalar> view() const { return {m_list, m_parts.data()}; }

private:
  LongRowList<Ordinal> m_list;
  impl::Scratch<Scalar, Exec> m_parts;
};

// Entries of a listed row, and how many parts those before have: functors, see scan.hpp.
template <class RowOffsets, class Rows>
struct EntriesOfListed
{
  RowOffsets row_offsets;
  Rows rows;

  KOKKOS_FUNCTION std::int64_t of(std::int64_t n) const
  {
    return static_cast<std::int64_t>(row_offsets(rows(n) + 1) - row_offsets(rows(n)));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& sum) const { sum += of(n); }
};
template <class RowOffsets, class Rows, class Counts>
struct PartsOfListed
{
  EntriesOfListed<RowOffsets, Rows> entries;
  Counts first_parts;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t n, int& before, bool is_final) const
  {
    if (is_final)
      first_parts(n) = before;
    if (n < count)
      before += SpmvLongRowsPolicy::parts(entries.of(n));
  }
};

// What a plan holds of them.
template <class Ordinal, class Space>
class LongRowParts
{
public:
  LongRowParts() = default;
  // Those with more than `most` entries, if there are: waits for exec then.
  template <class Exec, class RowOffsets>
  LongRowParts(Exec const& exec, RowOffsets const& row_offsets, impl::RowStatistics const& rows,
               std::int64_t most)
  {
    if (rows.longest <= most)
      return;
    m_most = static_cast<Ordinal>(most);
    m_rows = impl::uninitialized<decltype(m_rows)>(
        exec, "heddle::spmv::long_rows", static_cast<std::size_t>(rows.nonzeros / (most + 1)));
    m_count = static_cast<int>(
        list_rows_within(exec, row_offsets, rows.rows, most + 1, rows.longest, m_rows, 0));
    m_first_parts = impl::uninitialized<decltype(m_first_parts)>(
        exec, "heddle::spmv::long_rows::parts", static_cast<std::size_t>(m_count) + 1);
    EntriesOfListed<RowOffsets, decltype(m_rows)> const entries{row_offsets, m_rows};
    Kokkos::parallel_reduce("heddle::spmv::long_rows::entries", impl::range(exec, m_count), entries,
                            m_entries);
    Kokkos::parallel_scan("heddle::spmv::long_rows::parts", impl::range(exec, m_count + 1),
                          PartsOfListed<RowOffsets, decltype(m_rows), decltype(m_first_parts)>{
                              entries, m_first_parts, m_count},
                          m_parts);
  }

  bool has_rows() const { return m_count > 0; }
  std::size_t bytes() const
  {
    return m_rows.span() * sizeof(Ordinal) + m_first_parts.span() * sizeof(int);
  }
  std::string describe() const
  {
    return m_count == 0
               ? ""
               : "; " + std::to_string(m_count) + " rows of more than " + std::to_string(m_most) +
                     " entries in " + std::to_string(m_parts) + " parts";
  }
  // Statistics of the matrix without the entries of these.
  impl::RowStatistics others(impl::RowStatistics const& all) const
  {
    return {.rows = all.rows,
            .nonzeros = all.nonzeros - m_entries,
            .longest = std::min(all.longest, static_cast<std::int64_t>(m_most))};
  }
  // Asynchronous.
  template <bool is_conjugate, class Exec, class Entries, class Scalar>
  LongRowCall<Ordinal, Scalar, Exec> start(Exec const& exec, Entries const& a,
                                           Scalar const* x) const
  {
    using Policy = SpmvLongRowsPolicy;
    LongRowCall<Ordinal, Scalar, Exec> call(
        exec, {m_rows.data(), m_first_parts.data(), m_count, m_most}, m_parts);
    if (m_parts > 0)
      launch(exec, "heddle::spmv::long_rows",
             spmv_long_rows_kernel<Policy, is_conjugate, Entries, Scalar>,
             {m_parts, Policy::threads_per_block}, a, call.view(), x);
    return call;
  }

private:
  Kokkos::View<Ordinal*, Space> m_rows = {};
  Kokkos::View<int*, Space> m_first_parts = {};
  int m_count = 0, m_parts = 0;
  std::int64_t m_entries = 0;
  Ordinal m_most = std::numeric_limits<Ordinal>::max(); // entries of all other rows
};

} // namespace heddle::cuda_native
