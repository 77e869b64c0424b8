// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM: row offsets and columns of C, and the classes of rows for both
// phases. Waits twice, for the sizes of the symbolic classes and for those of the numeric ones with
// the number of entries of C.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
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

// What a whole multiply has beside the pattern.
template <class Result>
struct WholeMultiply
{
  bool is_in_order;                      // sums are added in the order of A's entries
  typename Result::values_view values{}; // of C: those of short rows are there
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

// Room for columns as they are found, in entries.
struct KeptRoom
{
  std::size_t of_tables = 0, of_short = 0; // of short rows all or nothing
};
template <class Ordinal, class Sum>
KeptRoom kept_room(std::size_t products, std::size_t short_products, std::size_t room)
{
  constexpr std::size_t most_kept = SpgemmPolicy::most_kept_bytes / sizeof(std::int32_t);
  bool const keeps_short = short_products * (sizeof(Ordinal) + sizeof(Sum)) <=
                           std::min(SpgemmPolicy::most_kept_bytes, room / 4);
  return {std::min({products - short_products, most_kept, room / 2 / sizeof(Ordinal)}),
          keeps_short ? short_products : 0};
}

// The steps of find_pattern, in their order, and what is kept from one to the next.
template <class Exec, class Kernels, class Result>
class PatternSearch
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Sum = typename Result::value_type;
  using Offsets = Kokkos::View<Offset*, typename Result::memory_space>;

  Exec const& m_exec;
  Kernels const& m_kernels;
  std::size_t m_room;
  WholeMultiply<Result>* m_whole;
  Survey<Exec, Kernels> m_survey;
  typename Kernels::Words m_words;
  KeptRoom m_kept_room;
  impl::Scratch<Ordinal, Exec> m_kept;
  impl::Scratch<Sum, Exec> m_kept_sums;
  impl::Scratch<std::int64_t, Exec> m_places;
  typename Kernels::Found m_found;
  typename Kernels::FoundShort m_of_short;
  unsigned long long m_kept_by_tables = 0; // or more, that had no room

public:
  PatternSearch(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a, std::int64_t nnz_b,
                std::size_t room, WholeMultiply<Result>* whole)
      : m_exec(exec)
      , m_kernels(kernels)
      , m_room(room)
      , m_whole(whole)
      , m_survey(exec, kernels, nnz_a, nnz_b, room,
                 whole != nullptr && !whole->is_in_order &&
                     kernels.wanted == SpgemmAccumulator::automatic)
      , m_words(m_survey.words())
      , m_kept_room(kept_room<Ordinal, Sum>(static_cast<std::size_t>(products()),
                                            static_cast<std::size_t>(m_survey.short_products()),
                                            room))
      , m_kept(exec, m_kept_room.of_tables + m_kept_room.of_short)
      , m_kept_sums(exec, m_kept_room.of_short)
      , m_places(exec, static_cast<std::size_t>(kernels.a.rows))
      , m_found{m_survey.counters().of_rows().data(),
                kernels.all.blocks,
                m_places.data(),
                m_kept.data(),
                &m_survey.on_device()->kept,
                m_kept_room.of_tables,
                nullptr,
                nullptr,
                whole != nullptr}
      , m_of_short{m_found, m_kept_sums.data(), nullptr}
  {
    m_of_short.columns.used = &m_survey.on_device()->kept_of_short;
    m_of_short.columns.room = m_kept_room.of_short;
    m_of_short.columns.leaves_merged = false;
    m_of_short.columns.base = static_cast<std::int64_t>(m_kept_room.of_tables);
  }

  std::int64_t products() const { return m_survey.products(); }
  bool has_room_for(std::size_t entries) const
  {
    return (entries + m_kept_room.of_tables) * sizeof(Ordinal) + m_survey.words_bytes() <= m_room;
  }

  // Counts the entries of each row and keeps their columns where there is room; once these have
  // their places in C, writes the columns of all other rows there.
  void find()
  {
    if (m_survey.short_are_done())
      m_kernels.find_and_multiply(m_survey.classes, m_words, m_found, m_of_short);
    else
      m_kernels.find(m_survey.classes, m_words, m_found);
  }
  // When all rows have been counted: sums that up, and sorts rows into numeric classes. Waits.
  SpgemmClasses classify(Offsets const& offsets)
  {
    bool const is_one_list =
        m_survey.leaves_merged_rows() && std::in_range<Offset>(m_survey.products());
    return {m_survey.classes, is_one_list ? classes_as_found(offsets) : classes_by_entries(offsets),
            is_one_list};
  }
  // Columns that were kept -> their places in C, with sums of short rows that are done.
  void place(impl::SpgemmPattern<Result> const& pattern)
  {
    bool const short_are_done = m_survey.short_are_done();
    m_of_short.values = short_are_done ? m_whole->values.data() : nullptr;
    for (auto* const to : {&m_found, &m_of_short.columns})
    {
      to->offsets = pattern.row_offsets.data();
      to->columns = pattern.columns.data();
    }
    std::int64_t const rows = m_kernels.a.rows;
    if (m_whole != nullptr && !short_are_done &&
        rows_merged(m_survey.classes, SymbolicClass::merged, SymbolicClass::table) == rows)
      return;
    int const lanes = lanes_for_rows(rows, static_cast<std::int64_t>(pattern.nnz));
    launch(m_exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset, Sum>,
           one_thread_each(rows * lanes, 256), m_found, m_of_short.columns.base, m_kept_sums.data(),
           m_of_short.values, rows, lanes);
  }
  // Some had no room, or have places in C only.
  bool has_columns_to_find() const
  {
    return m_kept_by_tables > m_kept_room.of_tables ||
           m_kept_room.of_short < static_cast<std::size_t>(m_survey.short_products()) ||
           m_survey.classes.ranges[SymbolicClass::windows].count > 0;
  }

private:
  // Of rows all of which stay in their class.
  RowClasses classes_as_found(Offsets const& offsets)
  {
    RowClasses const& symbolic = m_survey.classes;
    RowClasses numeric;
    if (m_whole == nullptr) // nobody reads how many there were: at most one column for each product
      m_kept_by_tables =
          static_cast<unsigned long long>(m_survey.products() - m_survey.short_products());
    sum_counts(m_exec, m_survey.counters().of_rows(), offsets);
    numeric.ranges[NumericClass::empty] = symbolic.ranges[SymbolicClass::empty];
    std::copy_n(symbolic.ranges.begin() + SymbolicClass::merged,
                SymbolicClass::table - SymbolicClass::merged,
                numeric.ranges.begin() + NumericClass::merged);
    numeric.weight = last_of(m_exec, offsets);
    return numeric;
  }
  RowClasses classes_by_entries(Offsets const& offsets)
  {
    auto const counts = m_survey.counters().of_rows();
    auto* const on_device = &m_survey.on_device()->numeric;
    NumericClassOf<decltype(m_kernels.a), Sum> const class_of{m_survey.class_of(), counts.data(),
                                                              m_kernels.all.blocks};
    count_row_classes(m_exec, class_of, m_kernels.a.rows, on_device);
    list_row_classes(m_exec, class_of, m_kernels.a.rows, on_device, m_kernels.all.numeric_list);
    sum_counts(m_exec, counts, offsets);
    SpgemmCounters const counted = m_survey.counters().on_host();
    RowClasses numeric(counted.numeric);
    join_small_tables(numeric, NumericClass::table);
    m_kept_by_tables = counted.kept;
    return numeric;
  }
};

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
  using Offset = typename Result::offset_type;
  PatternSearch<Exec, Kernels, Result> search(exec, kernels, nnz_a, nnz_b, room, whole);
  pattern.products = search.products();
  search.find();

  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", static_cast<std::size_t>(kernels.a.rows) + 1);
  SpgemmClasses const classes = search.classify(offsets);
  impl::require_offsets_hold<Offset>(classes.numeric.weight);
  pattern.nnz = static_cast<std::size_t>(classes.numeric.weight);
  pattern.row_offsets = offsets;
  pattern.keeps_columns = whole != nullptr || search.has_room_for(pattern.nnz);
  if (!pattern.keeps_columns)
    return classes;

  pattern.columns = impl::uninitialized<typename Result::columns_view>(
      exec, "heddle::spgemm::columns", pattern.nnz);
  if (whole != nullptr)
    whole->values =
        impl::uninitialized<typename Result::values_view>(exec, "heddle::values", pattern.nnz);
  search.place(pattern);
  if (search.has_columns_to_find())
    search.find();
  return classes;
}

} // namespace heddle::cuda_native
