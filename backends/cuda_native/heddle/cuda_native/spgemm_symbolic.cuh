// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM: row offsets and columns of C, and the classes of rows for both
// phases. Waits twice, for the sizes of the symbolic classes and for those of the numeric ones with
// the number of entries of C.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_kernels.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // g++ 12 does not see that dispatch is set
#endif
#include <cub/device/device_scan.cuh>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace heddle::cuda_native
{

template <class A>
struct SymbolicClassOf
{
  using Row = ProductRow<typename A::ordinal>;
  SpgemmAccumulator wanted;
  Row const* rows;
  typename A::offset const* offsets;
  SurveyTotals const* all; // whether columns are sorted is known
  bool has_words;

  __device__ RowOfProducts row_of(std::int64_t i, Row const& row) const
  {
    return {static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
            static_cast<std::int64_t>(row.products), static_cast<std::int64_t>(row.words),
            span_of(row), all->unsorted == 0};
  }
  __device__ int class_of(std::int64_t i, Row const& row) const
  {
    // B is not taken in words unless they are fewer than products, which is not known yet.
    auto const steps = static_cast<std::int64_t>(has_words ? row.words : row.products);
    return symbolic_class(wanted, row_of(i, row), blocks_of(row), steps);
  }
  __device__ int class_of(std::int64_t i) const { return class_of(i, rows[i]); }
};

template <class A, class Sum>
struct NumericClassOf
{
  SymbolicClassOf<A> of;
  typename A::ordinal const* counts;
  typename A::ordinal const* blocks;

  __device__ int class_of(std::int64_t i) const
  {
    // Rows that the symbolic phase merged are merged again, whole multiply or plan: sums are the
    // same.
    int const symbolic = of.class_of(i);
    if (symbolic >= SymbolicClass::merged && symbolic < SymbolicClass::table)
      return NumericClass::merged + symbolic - SymbolicClass::merged;
    return numeric_class(of.wanted, of.row_of(i, of.rows[i]), blocks[i], counts[i], sizeof(Sum));
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// Columns that the first pass kept, to their places; so many lanes a row. A row without columns has
// no places[i].
template <class Ordinal, class Offset>
__global__ void spgemm_place_kernel(FoundColumns<Ordinal, Offset> found, std::int64_t rows,
                                    int lanes)
{
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  if (i >= rows)
    return;
  auto const begin = static_cast<std::int64_t>(found.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(found.offsets[i + 1]) - begin;
  if (count == 0 || found.places[i] == found.nowhere)
    return;
  Ordinal const* const kept = found.kept + found.places[i];
#pragma unroll 4
  for (std::int64_t n = thread % lanes; n < count; n += lanes)
    found.columns[begin + n] = kept[n];
}

// counts(i), and 0 behind the last.
template <class Counts>
struct CountOrZero
{
  Counts counts;
  std::int64_t n;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const
  {
    return i < n ? static_cast<std::int64_t>(counts(i)) : 0;
  }
};

// offsets(i) = counts(0) + ... + counts(i - 1). Asynchronous.
template <class Counts, class Offsets>
void sum_counts(Kokkos::Cuda const& exec, Counts const& counts, Offsets const& offsets)
{
  auto const n = static_cast<std::int64_t>(counts.extent(0));
  auto const numbers = thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::int64_t(0)), CountOrZero<Counts>{counts, n});
  std::size_t bytes = 0;
  impl::require_cuda(cub::DeviceScan::ExclusiveSum(nullptr, bytes, numbers, offsets.data(), n + 1,
                                                   exec.cuda_stream()),
                     "cub::DeviceScan::ExclusiveSum");
  impl::Scratch<unsigned char, Kokkos::Cuda> const memory(exec, bytes);
  impl::require_cuda(cub::DeviceScan::ExclusiveSum(memory.data(), bytes, numbers, offsets.data(),
                                                   n + 1, exec.cuda_stream()),
                     "cub::DeviceScan::ExclusiveSum");
}

// What a call counts.
struct SpgemmCounters
{
  SurveyTotals all;
  RowClassCounts symbolic, numeric;
  unsigned long long kept; // columns
};

// The counters and the entries of each row of C on the device, zero at first.
template <class Ordinal>
class DeviceCounters
{
  using Word = unsigned long long;
  static constexpr std::size_t words = sizeof(SpgemmCounters) / sizeof(Word);
  static std::size_t words_of(std::size_t bytes)
  {
    return static_cast<std::size_t>(
        impl::divided_up(static_cast<std::int64_t>(bytes), sizeof(Word)));
  }
  Kokkos::Cuda const& m_exec;
  std::size_t m_rows;
  impl::Scratch<Word, Kokkos::Cuda> m_memory;

public:
  DeviceCounters(Kokkos::Cuda const& exec, std::size_t rows)
      : m_exec(exec)
      , m_rows(rows)
      , m_memory(exec, words + words_of(rows * sizeof(Ordinal)))
  {
    Kokkos::deep_copy(exec, m_memory.view(), Word(0));
  }
  SpgemmCounters* data() const { return reinterpret_cast<SpgemmCounters*>(m_memory.data()); }
  auto of_rows() const
  {
    return typename impl::Scratch<Ordinal, Kokkos::Cuda>::view_type(
        reinterpret_cast<Ordinal*>(m_memory.data() + words), m_rows);
  }
  // What the counters have become. Waits for exec.
  SpgemmCounters on_host() const
  {
    SpgemmCounters counters;
    Kokkos::View<Word*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const host(
        reinterpret_cast<Word*>(&counters), words);
    Kokkos::deep_copy(m_exec, host,
                      Kokkos::subview(m_memory.view(), std::pair(std::size_t(0), words)));
    m_exec.fence("heddle::spgemm::binned");
    return counters;
  }
};

// Classes of tables whose few rows go with those of the next.
inline void join_small_tables(RowClasses& classes, int table)
{
  constexpr std::int64_t few = 512; // rows: no more than the device takes at once
  classes.join_small(table, table + SpgemmPolicy::first_small_block - 1, few);
  classes.join_small(table + SpgemmPolicy::first_small_block,
                     table + SpgemmPolicy::first_medium_block - 1, few / 2);
}

// Rows of the classes merged .. end - 1, which are merged, and those that have nothing.
inline std::int64_t rows_merged(RowClasses const& classes, std::size_t merged, std::size_t end)
{
  std::int64_t rows = classes.ranges[0].count;
  for (std::size_t n = merged; n < end; ++n)
    rows += classes.ranges[n].count;
  return rows;
}

// Which rows are in which class, in both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
};

// Fills pattern and the arrays of kernels.all. In no more than `room` bytes beside these and what
// is kept by row: columns that have no room when they are found are found a second time, and where
// `room` does not hold them all they are left to the call. is_whole: the numeric phase follows, and
// columns are C's own, outside of room; those of merged rows come with their sums.
template <class Exec, class Kernels, class Result>
SpgemmClasses find_pattern(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a,
                           std::int64_t nnz_b, std::size_t room, bool is_whole,
                           impl::SpgemmPattern<Result>& pattern)
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Found = typename Kernels::Found;
  auto const& [rows, blocks, symbolic_list, numeric_list] = kernels.all;
  auto const count = static_cast<std::size_t>(kernels.a.rows);

  // B in words takes at most a quarter of the room, and is dropped where it does not pay.
  std::size_t const words_bytes = static_cast<std::size_t>(nnz_b) * sizeof(ColumnWord<Ordinal>);
  bool const has_words = words_bytes <= room / 4;
  DeviceCounters<Ordinal> const counters(exec, count);
  SpgemmCounters* const on_device = counters.data();
  impl::Scratch<FactorRow<Ordinal>, Exec> const b_rows(exec,
                                                       static_cast<std::size_t>(kernels.b.rows));
  impl::Scratch<ColumnWord<Ordinal>, Exec> const b_words(
      exec, has_words ? static_cast<std::size_t>(nnz_b) : 0);
  SymbolicClassOf<decltype(kernels.a)> const symbolic_class_of{
      kernels.wanted, rows, kernels.a.offsets, &on_device->all, has_words};
  survey_factor(exec, kernels.b, nnz_b, b_rows.data(), b_words.data(), &on_device->all);
  survey_products(exec, kernels.a, nnz_a, b_rows.data(), rows, &on_device->all, symbolic_class_of,
                  &on_device->symbolic);
  list_row_classes(exec, symbolic_class_of, kernels.a.rows, &on_device->symbolic, symbolic_list);
  SpgemmCounters const surveyed = counters.on_host();
  RowClasses symbolic(surveyed.symbolic);
  join_small_tables(symbolic, SymbolicClass::table);
  pattern.products = static_cast<std::int64_t>(surveyed.all.products);
  typename Kernels::Words const words{b_rows.data(), kernels.b.offsets,
                                      words_pay(surveyed.all) ? b_words.data() : nullptr};

  constexpr std::size_t most_kept = std::size_t(1) << 28; // entries: a gigabyte of int columns
  std::size_t const kept_room =
      std::min({static_cast<std::size_t>(pattern.products), most_kept, room / 2 / sizeof(Ordinal)});
  impl::Scratch<Ordinal, Exec> const kept(exec, kept_room);
  impl::Scratch<std::int64_t, Exec> const places(exec, count);
  auto const counts = counters.of_rows();
  Found found{counts.data(), blocks,  places.data(), kept.data(), &on_device->kept,
              kept_room,     nullptr, nullptr,       is_whole};
  kernels.find(symbolic, words, found);

  using Sum = typename Result::value_type;
  NumericClassOf<decltype(kernels.a), Sum> const numeric_class_of{symbolic_class_of, counts.data(),
                                                                  blocks};
  count_row_classes(exec, numeric_class_of, kernels.a.rows, &on_device->numeric);
  list_row_classes(exec, numeric_class_of, kernels.a.rows, &on_device->numeric, numeric_list);
  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", count + 1);
  sum_counts(exec, counts, offsets);
  RowClasses numeric(counters.on_host().numeric);
  join_small_tables(numeric, NumericClass::table);
  impl::require_offsets_hold<Offset>(numeric.weight);
  pattern.nnz = static_cast<std::size_t>(numeric.weight);
  pattern.row_offsets = offsets;
  pattern.keeps_columns =
      is_whole ||
      (pattern.nnz + kept_room) * sizeof(Ordinal) + (has_words ? words_bytes : 0) <= room;
  if (!pattern.keeps_columns)
    return {symbolic, numeric};

  pattern.columns = impl::uninitialized<typename Result::columns_view>(
      exec, "heddle::spgemm::columns", pattern.nnz);
  found.offsets = offsets.data();
  found.columns = pattern.columns.data();
  if (!is_whole ||
      rows_merged(symbolic, SymbolicClass::merged, SymbolicClass::table) < kernels.a.rows)
  {
    int const lanes = lanes_for_rows(kernels.a.rows, static_cast<std::int64_t>(pattern.nnz));
    launch(exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset>,
           one_thread_each(kernels.a.rows * lanes, 256), found, kernels.a.rows, lanes);
  }
  if (pattern.nnz > kept_room || symbolic.ranges[SymbolicClass::windows].count > 0)
    kernels.find(symbolic, words, found);
  return {symbolic, numeric};
}

} // namespace heddle::cuda_native
