// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// y <- alpha A^T x + beta y of a CSR matrix without atomics, for plans that expect such calls
// (SpmvOptions::transposed): a gather of A's values through a pattern that the plan holds. Where A
// has an entry at (j, i) for each at (i, j), and rows ascend, the columns of A^T are A's own, and
// the plan holds only where the value at (j, i) stands: found by a binary search per entry, a
// fraction of what sorting takes. Else it holds the pattern of A^T, sorted by column.
// 2 to 32 neighbouring threads share a column, as in csr_vector; where lengths of columns differ
// much they are for tiles (spmv/csr_tiles.cuh). Bytes: a column, a place and a value per entry, x
// gathered, y once. Sums are taken in one order: repeatable. Of another pattern of the same sizes
// nothing outside of the operands is read: places are below the number of entries, and columns are
// A's or the plan's. Limit: the value of a gather is a sector of memory where neighbours in rows
// are far apart; of many such entries additions by atomics are faster, and the plan keeps to these.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// The place of (column, row) in a matrix whose rows ascend, of which k is the place of (row,
// column); negative where there is none, or where k does not ascend.
template <class Ordinal, class Offset>
__device__ std::int64_t mirrored_place(Offset const* offsets, Ordinal const* columns,
                                       std::int64_t row, std::int64_t k)
{
  auto const column = static_cast<std::int64_t>(columns[k]);
  if (k > static_cast<std::int64_t>(offsets[row]) &&
      static_cast<std::int64_t>(columns[k - 1]) >= column)
    return -1;
  auto const begin = static_cast<std::int64_t>(offsets[column]);
  auto const end = static_cast<std::int64_t>(offsets[column + 1]);
  std::int64_t const place = impl::partition_point(begin, end, [columns, row](std::int64_t n) {
    return static_cast<std::int64_t>(columns[n]) < row;
  });
  return place < end && static_cast<std::int64_t>(columns[place]) == row ? place : -1;
}

template <class Offset>
__device__ std::int64_t row_of_place(Offset const* offsets, std::int64_t rows, std::int64_t k)
{
  return impl::last_not_above(
      [offsets](std::int64_t i) { return static_cast<std::int64_t>(offsets[i]); }, rows, k);
}

// Of a sample of the entries: those that have a near neighbour in memory, and those that have no
// mirror image. One block.
struct TransposedSample
{
  int near, not_mirrored;
};
template <class Policy, class Ordinal, class Offset>
__global__ void __launch_bounds__(Policy::sampling_threads)
    spmv_transposed_sample_kernel(std::int64_t rows, std::int64_t count, bool is_square,
                                  Offset const* __restrict__ offsets,
                                  Ordinal const* __restrict__ columns, TransposedSample* sample)
{
  __shared__ TransposedSample of_block;
  if (threadIdx.x == 0)
    of_block = {0, 0};
  __syncthreads();
  constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U; // as in spmv_scatter_sample_kernel
  int near = 0, not_mirrored = 0;
  for (int n = static_cast<int>(threadIdx.x); n < Policy::sampled_entries;
       n += Policy::sampling_threads)
  {
    auto const k = static_cast<std::int64_t>((static_cast<std::uint64_t>(n + 1) * spread >> 1) %
                                             static_cast<std::uint64_t>(count));
    auto const column = static_cast<std::int64_t>(columns[k]);
    std::int64_t const neighbour = columns[k + 1 < count ? k + 1 : k > 0 ? k - 1 : 0];
    std::int64_t const distance = neighbour > column ? neighbour - column : column - neighbour;
    near += distance <= Policy::near ? 1 : 0;
    if (!is_square || mirrored_place(offsets, columns, row_of_place(offsets, rows, k), k) < 0)
      ++not_mirrored;
  }
  atomicAdd(&of_block.near, near);
  atomicAdd(&of_block.not_mirrored, not_mirrored);
  __syncthreads();
  if (threadIdx.x == 0)
    *sample = of_block;
}

// The place of each entry's mirror image, and the row offsets in the same type. Entries that have
// none are told of in *misses.
template <class Policy, class Ordinal, class Offset, class Place>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_mirror_kernel(std::int64_t rows, std::int64_t count, Offset const* __restrict__ offsets,
                       Ordinal const* __restrict__ columns, Place* __restrict__ new_offsets,
                       Place* __restrict__ places, int* misses)
{
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k <= rows)
    new_offsets[k] = static_cast<Place>(offsets[k]);
  if (k >= count)
    return;
  std::int64_t const place = mirrored_place(offsets, columns, row_of_place(offsets, rows, k), k);
  places[k] = static_cast<Place>(place < 0 ? 0 : place);
  if (place < 0)
    *misses = 1;
}

// threads_per_row threads add up a row of A^T, each with several loads in flight.
template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_gather_rows_kernel(Entries a, Scalar alpha, Scalar const* __restrict__ x, Scalar beta,
                            Scalar* __restrict__ y)
{
  constexpr int batch = Policy::loads_in_flight;
  using Place = typename Entries::offset_type;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / threads_per_row;
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  Scalar sum{};
  if (i < a.rows)
  {
    Place const end = a.offsets[i + 1];
    for (Place k = a.offsets[i] + lane; k < end; k += batch * threads_per_row)
    {
      typename Entries::ordinal_type row[batch];
      Place place[batch];
#pragma unroll
      for (int n = 0; n < batch; ++n)
        if (k + n * threads_per_row < end)
        {
          row[n] = load_once(a.columns + k + n * threads_per_row);
          place[n] = load_once(a.positions + k + n * threads_per_row);
        }
#pragma unroll
      for (int n = 0; n < batch; ++n)
        if (k + n * threads_per_row < end)
          sum += Scalar(impl::conjugated<is_conjugate>(a.values[place[n]])) * x[row[n]];
    }
  }
  sum = sum_of_lanes(sum, threads_per_row);
  if (i < a.rows && lane == 0)
    impl::store(y[i], alpha, sum, beta);
}

// Where an entry stands: as wide as columns.
template <class Ordinal>
using GatherPlace =
    std::conditional_t<sizeof(Ordinal) <= sizeof(std::int32_t), std::int32_t, std::int64_t>;

// What a plan holds to gather with.
template <class Matrix>
class TransposedGather
{
public:
  using Ordinal = typename Matrix::ordinal_type;
  using Place = GatherPlace<Ordinal>;
  enum class Form
  {
    mirrored, // columns are those of A
    sorted    // columns are the plan's
  };

  // Whether a gather can be had and pays; else nothing, and why not. is_hot: many additions by
  // atomics would go to one sector of y. Waits for exec.
  template <class Exec>
  static std::optional<TransposedGather>
  chosen(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
         SpmvOptions const& options, bool is_hot, impl::Verdict& verdict)
  {
    using Policy = SpmvGatherPolicyFor;
    constexpr std::int64_t most_entries = std::numeric_limits<Place>::max() / 2;
    std::int64_t const calls = options.expected_calls;
    auto const pays = [&](std::int64_t cost) {
      verdict = {calls == 0 || calls >= cost,
                 "making it costs % calls, % are expected (expected_calls)", cost, calls};
      return static_cast<bool>(verdict);
    };
    if (rows.nonzeros == 0 || rows.nonzeros > most_entries || rows.rows > most_entries)
    {
      verdict = {false, "there are % entries, 1 to % are taken", rows.nonzeros, most_entries};
      return {};
    }
    if (!pays(Policy::calls_to_repay_mirrored))
      return {};
    TransposedSample const sample = sampled(exec, a);
    double const near_share = static_cast<double>(sample.near) / Policy::sampled_entries;
    verdict = {Policy::can_pay(near_share, is_hot, rows.nonzeros),
               "of % entries % per cent have a near neighbour", rows.nonzeros,
               static_cast<int>(100 * near_share)};
    if (!verdict)
      return {};
    if (sample.not_mirrored == 0)
      if (auto made = of_form(exec, a, rows, Form::mirrored))
        return made;
    if (!pays(Policy::calls_to_repay_sorted))
      return {};
    return of_form(exec, a, rows, Form::sorted);
  }

  // In this form: nothing where the pattern is not mirrored. Of at least one entry. Waits for exec.
  template <class Exec>
  static std::optional<TransposedGather> of_form(Exec const& exec, Matrix const& a,
                                                 impl::RowStatistics const& rows, Form form)
  {
    TransposedGather made;
    made.m_form = form;
    made.m_columns = rows;
    if (form == Form::sorted)
    {
      made.m_pattern =
          impl::new_transposed_pattern<Pattern>(exec, a.num_cols(), a.columns().extent(0));
      impl::transpose_pattern(exec, a, made.m_pattern.row_offsets, made.m_pattern.columns,
                              made.m_pattern.positions);
      made.m_columns =
          impl::row_statistics(exec, made.m_pattern.row_offsets, a.num_cols(), a.nnz());
    }
    else if (a.num_rows() != a.num_cols() || !made.find_places(exec, a))
      return {};
    return made;
  }

  Form form() const { return m_form; }
  // 0: their lengths differ so much that they are for tiles.
  int threads_per_column() const
  {
    return SpmvCsrRowsPolicyFor::is_regular(m_columns)
               ? SpmvCsrRowsPolicyFor::threads_per_row(m_columns)
               : 0;
  }
  auto const& column_offsets() const { return m_pattern.row_offsets; }
  impl::RowStatistics const& columns() const { return m_columns; }
  std::size_t bytes() const { return m_pattern.bytes(); }
  std::string describe() const
  {
    return std::string("by gathering through ") +
           (m_form == Form::mirrored ? "A's own pattern, which is symmetric, and places"
                                     : "a pattern") +
           " that it holds, ";
  }

  // A^T by rows, with the values of a.
  auto entries(Matrix const& a) const
  {
    Ordinal const* const columns =
        m_form == Form::mirrored ? a.columns().data() : m_pattern.columns.data();
    return GatheredEntries<typename Matrix::value_type, Ordinal, Place>{
        {static_cast<std::int64_t>(a.num_cols()), m_pattern.row_offsets.data(), columns,
         a.values().data()},
        static_cast<std::int64_t>(a.nnz()),
        m_pattern.positions.data(),
        is_word_aligned(columns)};
  }

private:
  using Pattern = impl::TransposedPattern<Ordinal, Place, typename Matrix::memory_space>;

  template <class Exec, class T>
  static T on_host(Exec const& exec, impl::Scratch<T, Exec> const& from)
  {
    T value;
    Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const to(&value);
    Kokkos::deep_copy(exec, to, Kokkos::subview(from.view(), 0));
    exec.fence("heddle::spmv::transposed");
    return value;
  }
  template <class Exec>
  static TransposedSample sampled(Exec const& exec, Matrix const& a)
  {
    using Policy = SpmvGatherPolicyFor;
    impl::Scratch<TransposedSample, Exec> const sample(exec, 1);
    launch(exec, "heddle::spmv::transposed_sample",
           spmv_transposed_sample_kernel<Policy, Ordinal, typename Matrix::offset_type>,
           {1, Policy::sampling_threads}, static_cast<std::int64_t>(a.num_rows()),
           static_cast<std::int64_t>(a.nnz()), a.num_rows() == a.num_cols(), a.row_offsets().data(),
           a.columns().data(), sample.data());
    return on_host(exec, sample);
  }
  // False where an entry has no mirror image.
  template <class Exec>
  bool find_places(Exec const& exec, Matrix const& a)
  {
    using Policy = SpmvGatherPolicyFor;
    auto const rows = static_cast<std::int64_t>(a.num_rows());
    auto const count = static_cast<std::int64_t>(a.nnz());
    m_pattern.row_offsets = impl::uninitialized<decltype(m_pattern.row_offsets)>(
        exec, "heddle::spmv::mirrored::offsets", static_cast<std::size_t>(rows) + 1);
    m_pattern.positions = impl::uninitialized<decltype(m_pattern.positions)>(
        exec, "heddle::spmv::mirrored::places", a.columns().extent(0));
    impl::Scratch<int, Exec> const misses(exec, 1);
    Kokkos::deep_copy(exec, misses.view(), 0);
    launch(exec, "heddle::spmv::mirror",
           spmv_mirror_kernel<Policy, Ordinal, typename Matrix::offset_type, Place>,
           one_thread_each(std::max(rows + 1, count), Policy::threads_per_block), rows, count,
           a.row_offsets().data(), a.columns().data(), m_pattern.row_offsets.data(),
           m_pattern.positions.data(), misses.data());
    return on_host(exec, misses) == 0;
  }

  Form m_form = Form::sorted;
  Pattern m_pattern = {}; // of A^T; mirrored: without columns
  impl::RowStatistics m_columns = {};
};

// y <- alpha A^T x + beta y, where A^T has no irregular rows. Asynchronous.
template <bool is_conjugate, class Entries, class Scalar>
void gather_by_rows(Kokkos::Cuda const& exec, int threads_per_row, Entries const& transposed,
                    Scalar alpha, Scalar const* x, Scalar beta, Scalar* y)
{
  using Policy = SpmvGatherPolicyFor;
  with_one_of<2, 4, 8, 16, 32>(threads_per_row, [&]<class Threads>(Threads) {
    launch(exec, "heddle::spmv::gather",
           spmv_gather_rows_kernel<Policy, Threads::value, is_conjugate, Entries, Scalar>,
           one_thread_each(transposed.rows * Threads::value, Policy::threads_per_block), transposed,
           alpha, x, beta, y);
  });
}

} // namespace heddle::cuda_native
