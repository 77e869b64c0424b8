// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM: row offsets and columns of C, and the classes of rows for both
// phases. Waits twice, for the sizes of the symbolic classes and for those of the numeric ones with
// the number of entries of C.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/pinned_words.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_kernels.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_short.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  bool has_words;          // or may have them
  bool short_are_done;     // in one pass with their sums
  RowLimits limits;

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
    return symbolic_class(wanted, row_of(i, row), blocks_of(row), steps, limits);
  }
  __device__ int class_of(std::int64_t i) const { return class_of(i, rows[i]); }
  __device__ bool is_short(int symbolic) const
  {
    return short_are_done && cuda_native::is_short(symbolic);
  }
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
    if (of.is_short(symbolic))
      return NumericClass::empty;
    if (symbolic >= SymbolicClass::merged && symbolic < SymbolicClass::table)
      return NumericClass::merged + symbolic - SymbolicClass::merged;
    return numeric_class(of.wanted, of.row_of(i, of.rows[i]), blocks[i], counts[i], sizeof(Sum),
                         of.limits);
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// Columns that the first pass kept, to their places, and the sums that are kept beside them; so
// many lanes a row. A row without columns has no places[i].
template <class Ordinal, class Offset, class Sum>
__global__ void spgemm_place_kernel(FoundColumns<Ordinal, Offset> found, std::int64_t first_of_sums,
                                    Sum const* sums, Sum* values, std::int64_t rows, int lanes)
{
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes;
  if (i >= rows)
    return;
  auto const begin = static_cast<std::int64_t>(found.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(found.offsets[i + 1]) - begin;
  if (count == 0 || found.places[i] == found.nowhere)
    return;
  std::int64_t const place = found.places[i];
#pragma unroll 4
  for (std::int64_t n = thread % lanes; n < count; n += lanes)
    found.columns[begin + n] = found.kept[place + n];
  if (values == nullptr || place < first_of_sums)
    return;
#pragma unroll 4
  for (std::int64_t n = thread % lanes; n < count; n += lanes)
    values[begin + n] = sums[place - first_of_sums + n];
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
  unsigned long long kept, kept_of_short; // columns
};

// The counters and the entries of each row of C on the device, zero at first.
template <class Ordinal>
class DeviceCounters
{
  using Word = unsigned long long;
  static constexpr std::size_t words = sizeof(SpgemmCounters) / sizeof(Word);
  static_assert(words <= PinnedWords::most);
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
    PinnedWords const host(words);
    Kokkos::deep_copy(m_exec, host.view(),
                      Kokkos::subview(m_memory.view(), std::pair(std::size_t(0), words)));
    m_exec.fence("heddle::spgemm::binned");
    return *reinterpret_cast<SpgemmCounters const*>(host.data());
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

// Rows of the classes first .. end - 1.
inline std::int64_t rows_of(RowClasses const& classes, std::size_t first, std::size_t end)
{
  std::int64_t rows = 0;
  for (std::size_t n = first; n < end; ++n)
    rows += classes.ranges[n].count;
  return rows;
}
// Of the classes merged .. end - 1, which are merged, and of the one that has nothing.
inline std::int64_t rows_merged(RowClasses const& classes, std::size_t merged, std::size_t end)
{
  return classes.ranges[0].count + rows_of(classes, merged, end);
}

// Which rows are in which class, in both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
  bool is_one_list = false; // that of the symbolic classes has the numeric ones too
};

// What a whole multiply has beside the pattern.
template <class Result>
struct WholeMultiply
{
  bool is_in_order;                      // sums are added in the order of A's entries
  typename Result::values_view values{}; // of C: those of short rows are there
};

// What is known of A B before there are products, and the symbolic classes of rows by it. Waits.
template <class Exec, class Kernels>
class Survey
{
  using Ordinal = typename Kernels::Ordinal;
  using A = decltype(Kernels::a);
  using Words = typename Kernels::Words;

  Exec const& m_exec;
  Kernels const& m_kernels;
  std::size_t m_nnz_b;
  bool m_may_have_words, m_short_are_done;
  RowLimits m_limits;
  DeviceCounters<Ordinal> m_counters;
  impl::Scratch<FactorRow<Ordinal>, Exec> m_b_rows;
  std::optional<impl::Scratch<ColumnWord<Ordinal>, Exec>> m_words;
  SurveyTotals m_totals{};

public:
  RowClasses classes;

  Survey(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a, std::int64_t nnz_b,
         std::size_t room, bool may_be_short)
      : m_exec(exec)
      , m_kernels(kernels)
      , m_nnz_b(static_cast<std::size_t>(nnz_b))
      , m_may_have_words(m_nnz_b * sizeof(ColumnWord<Ordinal>) <= room / 4)
      , m_short_are_done(may_be_short && expected_products(nnz_a, nnz_b, kernels.b.rows) <=
                                             SpgemmPolicy::few_products_in_all)
      , m_counters(exec, static_cast<std::size_t>(kernels.a.rows))
      , m_b_rows(exec, static_cast<std::size_t>(kernels.b.rows))
  {
    double const products = expected_products(nnz_a, nnz_b, kernels.b.rows);
    double const of_row = products / static_cast<double>(std::max<std::int64_t>(kernels.a.rows, 1));
    m_limits = {m_short_are_done, most_products_of_warp(kernels.a.rows, of_row)};
    if (m_may_have_words && of_row >= SpgemmPolicy::products_for_words)
      m_words.emplace(exec, m_nnz_b);
    survey_b();
    survey_products(exec, kernels.a, nnz_a, m_b_rows.data(), kernels.all.rows, &on_device()->all,
                    class_of(), &on_device()->symbolic);
    list_row_classes(exec, class_of(), kernels.a.rows, &on_device()->symbolic,
                     kernels.all.symbolic_list);
    SpgemmCounters const counters = m_counters.on_host();
    m_totals = counters.all;
    classes = RowClasses(counters.symbolic);
    join_small_tables(classes, SymbolicClass::table);
  }

  std::int64_t products() const { return static_cast<std::int64_t>(m_totals.products); }
  // Whether short rows are done in one pass, and their products.
  bool short_are_done() const { return m_short_are_done; }
  std::int64_t short_products() const { return classes.weight; }
  bool has_tables() const
  {
    return rows_of(classes, SymbolicClass::table, SymbolicClass::count) > 0;
  }
  // All rows are done or merged, which is done again by the numeric phase in the same classes.
  bool leaves_merged_rows() const
  {
    return !has_tables() && (m_short_are_done || rows_of(classes, SymbolicClass::sorted,
                                                         SymbolicClass::long_sorted) == 0);
  }

  DeviceCounters<Ordinal> const& counters() const { return m_counters; }
  SpgemmCounters* on_device() const { return m_counters.data(); }
  SymbolicClassOf<A> class_of() const
  {
    return {m_kernels.wanted,  m_kernels.all.rows, m_kernels.a.offsets,
            &on_device()->all, m_may_have_words,   m_short_are_done,
            m_limits};
  }
  // B in words, where rows are found by tables and it pays.
  Words words()
  {
    bool const is_wanted = m_may_have_words && words_pay(m_totals) && has_tables();
    if (is_wanted && !m_words)
    {
      m_words.emplace(m_exec, m_nnz_b);
      survey_b();
    }
    return {m_b_rows.data(), m_kernels.b.offsets, is_wanted ? m_words->data() : nullptr};
  }
  std::size_t words_bytes() const
  {
    return m_words ? m_words->size() * sizeof(ColumnWord<Ordinal>) : 0;
  }

private:
  void survey_b()
  {
    survey_factor(m_exec, m_kernels.b, static_cast<std::int64_t>(m_nnz_b), m_b_rows.data(),
                  m_words ? m_words->data() : nullptr, &on_device()->all);
  }
};

// The last of these offsets. Waits for exec.
template <class Exec, class Offset, class... Properties>
std::int64_t last_of(Exec const& exec, Kokkos::View<Offset*, Properties...> const& offsets)
{
  static_assert(sizeof(Offset) <= sizeof(PinnedWords::Word));
  PinnedWords const host(1);
  Kokkos::View<Offset, Kokkos::CudaHostPinnedSpace, Kokkos::MemoryUnmanaged> const last(
      reinterpret_cast<Offset*>(host.view().data()));
  Kokkos::deep_copy(exec, last, Kokkos::subview(offsets, offsets.extent(0) - 1));
  exec.fence("heddle::spgemm::binned");
  return static_cast<std::int64_t>(last());
}

// Fills pattern and the arrays of kernels.all. In no more than `room` bytes beside these and what
// is kept by row: columns that have no room when they are found are found a second time, and where
// `room` does not hold them all they are left to the call. In a whole multiply, else null, the
// numeric phase follows, and columns are C's own, outside of room; those of merged rows come with
// their sums, and where the order of sums is free short rows are done at once.
template <class Exec, class Kernels, class Result>
SpgemmClasses find_pattern(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a,
                           std::int64_t nnz_b, std::size_t room, WholeMultiply<Result>* whole,
                           impl::SpgemmPattern<Result>& pattern)
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Sum = typename Result::value_type;
  auto const rows = static_cast<std::size_t>(kernels.a.rows);
  bool const may_be_short =
      whole != nullptr && !whole->is_in_order && kernels.wanted == SpgemmAccumulator::automatic;
  Survey<Exec, Kernels> survey(exec, kernels, nnz_a, nnz_b, room, may_be_short);
  bool const short_are_done = survey.short_are_done();
  RowClasses const& symbolic = survey.classes;
  SpgemmCounters* const on_device = survey.on_device();
  pattern.products = survey.products();
  auto const words = survey.words();

  // Room for what is found: of short rows all or nothing.
  constexpr std::size_t most_kept = SpgemmPolicy::most_kept_bytes / sizeof(std::int32_t);
  auto const short_products = static_cast<std::size_t>(survey.short_products());
  std::size_t const table_room =
      std::min({static_cast<std::size_t>(pattern.products) - short_products, most_kept,
                room / 2 / sizeof(Ordinal)});
  bool const keeps_short = short_products * (sizeof(Ordinal) + sizeof(Sum)) <=
                           std::min(SpgemmPolicy::most_kept_bytes, room / 4);
  std::size_t const short_room = keeps_short ? short_products : 0;
  impl::Scratch<Ordinal, Exec> const kept(exec, table_room + short_room);
  impl::Scratch<Sum, Exec> const kept_sums(exec, short_room);
  impl::Scratch<std::int64_t, Exec> const places(exec, rows);
  auto const counts = survey.counters().of_rows();
  typename Kernels::Found found{counts.data(),    kernels.all.blocks, places.data(), kept.data(),
                                &on_device->kept, table_room,         nullptr,       nullptr,
                                whole != nullptr};
  typename Kernels::FoundShort of_short{found, kept_sums.data(), nullptr};
  of_short.columns.used = &on_device->kept_of_short;
  of_short.columns.room = short_room;
  of_short.columns.leaves_merged = false;
  of_short.columns.base = static_cast<std::int64_t>(table_room);
  auto const find = [&] {
    if (short_are_done)
      kernels.find_and_multiply(symbolic, words, found, of_short);
    else
      kernels.find(symbolic, words, found);
  };
  find();

  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", rows + 1);
  RowClasses numeric;
  unsigned long long kept_by_tables = 0;
  bool const is_one_list = survey.leaves_merged_rows() && std::in_range<Offset>(pattern.products);
  if (is_one_list)
  {
    sum_counts(exec, counts, offsets);
    numeric.ranges[NumericClass::empty] = symbolic.ranges[SymbolicClass::empty];
    std::copy_n(symbolic.ranges.begin() + SymbolicClass::merged,
                SymbolicClass::table - SymbolicClass::merged,
                numeric.ranges.begin() + NumericClass::merged);
    numeric.weight = last_of(exec, offsets);
  }
  else
  {
    NumericClassOf<decltype(kernels.a), Sum> const numeric_class_of{
        survey.class_of(), counts.data(), kernels.all.blocks};
    count_row_classes(exec, numeric_class_of, kernels.a.rows, &on_device->numeric);
    list_row_classes(exec, numeric_class_of, kernels.a.rows, &on_device->numeric,
                     kernels.all.numeric_list);
    sum_counts(exec, counts, offsets);
    SpgemmCounters const counted = survey.counters().on_host();
    numeric = RowClasses(counted.numeric);
    join_small_tables(numeric, NumericClass::table);
    kept_by_tables = counted.kept;
  }
  impl::require_offsets_hold<Offset>(numeric.weight);
  pattern.nnz = static_cast<std::size_t>(numeric.weight);
  pattern.row_offsets = offsets;
  pattern.keeps_columns =
      whole != nullptr ||
      (pattern.nnz + table_room) * sizeof(Ordinal) + survey.words_bytes() <= room;
  if (!pattern.keeps_columns)
    return {symbolic, numeric, is_one_list};

  pattern.columns = impl::uninitialized<typename Result::columns_view>(
      exec, "heddle::spgemm::columns", pattern.nnz);
  if (whole != nullptr)
    whole->values =
        impl::uninitialized<typename Result::values_view>(exec, "heddle::values", pattern.nnz);
  of_short.values = short_are_done ? whole->values.data() : nullptr;
  for (auto* const to : {&found, &of_short.columns})
  {
    to->offsets = offsets.data();
    to->columns = pattern.columns.data();
  }
  if (whole == nullptr || short_are_done ||
      rows_merged(symbolic, SymbolicClass::merged, SymbolicClass::table) < kernels.a.rows)
  {
    int const lanes = lanes_for_rows(kernels.a.rows, static_cast<std::int64_t>(pattern.nnz));
    launch(exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset, Sum>,
           one_thread_each(kernels.a.rows * lanes, 256), found, of_short.columns.base,
           kept_sums.data(), of_short.values, kernels.a.rows, lanes);
  }
  if (kept_by_tables > table_room || short_room < short_products ||
      symbolic.ranges[SymbolicClass::windows].count > 0)
    find();
  return {symbolic, numeric, is_one_list};
}

} // namespace heddle::cuda_native
