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
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

template <class A>
struct SymbolicClassOf
{
  SpgemmAccumulator wanted;
  ProductRow<typename A::ordinal> const* rows;
  typename A::offset const* offsets;
  unsigned long long const* unsorted;

  __device__ RowOfProducts row_of(std::int64_t i) const
  {
    return {static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
            static_cast<std::int64_t>(rows[i].products), span_of(rows[i]), *unsorted == 0};
  }
  __device__ int class_of(std::int64_t i) const
  {
    return symbolic_class(wanted, row_of(i), rows[i].blocks);
  }
  __device__ std::int64_t weight_of(std::int64_t) const { return 0; } // the survey summed it
};

template <class A, class Sum>
struct NumericClassOf
{
  SymbolicClassOf<A> of;
  typename A::ordinal const* counts;
  typename A::ordinal const* blocks;

  __device__ int class_of(std::int64_t i) const
  {
    return numeric_class(of.wanted, of.row_of(i), blocks[i], counts[i], sizeof(Sum));
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// Columns that the first pass kept, to their places; a warp a row.
template <class Ordinal, class Offset>
__global__ void spgemm_place_kernel(FoundColumns<Ordinal, Offset> found, std::int64_t rows)
{
  std::int64_t const i =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (i >= rows || found.places[i] == found.nowhere)
    return;
  std::int64_t const begin = static_cast<std::int64_t>(found.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(found.offsets[i + 1]) - begin;
  for (std::int64_t n = threadIdx.x % warp_size; n < count; n += warp_size)
    found.columns[begin + n] = found.kept[found.places[i] + n];
}

// offsets(i) = counts(0) + ... + counts(i - 1). Asynchronous.
template <class Exec, class Counts, class Offsets>
void sum_counts(Exec const& exec, Counts const& counts, Offsets const& offsets)
{
  using Number = typename Offsets::non_const_value_type;
  auto const n = static_cast<std::int64_t>(counts.extent(0));
  Kokkos::parallel_scan(
      "heddle::spgemm::offsets", impl::range(exec, n + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool is_final) {
        if (is_final)
          offsets(i) = static_cast<Number>(sum);
        sum += i < n ? static_cast<std::int64_t>(counts(i)) : 0;
      });
}

// Counts of classes, zero at first, on the device.
template <class Exec>
class DeviceClassCounts
{
  static constexpr std::size_t words = sizeof(RowClassCounts) / sizeof(unsigned long long);
  Exec const& m_exec;
  impl::Scratch<unsigned long long, Exec> m_memory;

public:
  explicit DeviceClassCounts(Exec const& exec)
      : m_exec(exec)
      , m_memory(exec, words)
  {
    Kokkos::deep_copy(exec, m_memory.view(), 0ULL);
  }
  RowClassCounts* data() const { return reinterpret_cast<RowClassCounts*>(m_memory.data()); }
  // What they have become. Waits for exec.
  RowClassCounts on_host() const
  {
    RowClassCounts counts;
    Kokkos::View<unsigned long long*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const host(
        reinterpret_cast<unsigned long long*>(&counts), words);
    Kokkos::deep_copy(m_exec, host, m_memory.view());
    m_exec.fence("heddle::spgemm::binned");
    return counts;
  }
};

// Which rows are in which class, in both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
};

// Fills pattern and the arrays of kernels.all. In no more than `room` bytes beside these and what
// is kept by row: columns that have no room when they are found are found a second time, and where
// `room` does not hold them all they are left to the call (wants_columns: they are C's own, outside
// of room).
template <class Exec, class Kernels, class Result>
SpgemmClasses find_pattern(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a,
                           std::int64_t nnz_b, std::size_t room, bool wants_columns,
                           impl::SpgemmPattern<Result>& pattern)
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Found = typename Kernels::Found;
  auto const& [rows, blocks, symbolic_list, numeric_list] = kernels.all;
  auto const count = static_cast<std::size_t>(kernels.a.rows);

  DeviceClassCounts const symbolic_counts(exec), numeric_counts(exec);
  unsigned long long* const unsorted = &symbolic_counts.data()->most;
  survey_products(exec, kernels.a, nnz_a, kernels.b, nnz_b, rows, &symbolic_counts.data()->weight,
                  unsorted);
  SymbolicClassOf<decltype(kernels.a)> const symbolic_class_of{kernels.wanted, rows,
                                                               kernels.a.offsets, unsorted};
  list_row_classes(exec, symbolic_class_of, kernels.a.rows, symbolic_counts.data(), symbolic_list);
  RowClasses const symbolic(symbolic_counts.on_host());
  pattern.products = symbolic.weight;

  constexpr std::size_t most_kept = std::size_t(1) << 28; // entries: a gigabyte of int columns
  std::size_t const kept_room =
      std::min({static_cast<std::size_t>(pattern.products), most_kept, room / 2 / sizeof(Ordinal)});
  impl::Scratch<Ordinal, Exec> const counts(exec, count), kept(exec, kept_room);
  impl::Scratch<std::int64_t, Exec> const places(exec, count);
  impl::Scratch<unsigned long long, Exec> const used(exec, 1);
  Kokkos::deep_copy(exec, used.view(), 0ULL);
  Kokkos::deep_copy(exec, counts.view(), Ordinal(0));
  Kokkos::deep_copy(exec, places.view(), Found::nowhere);
  Found found{counts.data(), blocks,    places.data(), kept.data(),
              used.data(),   kept_room, nullptr,       nullptr};
  kernels.find(symbolic, found);

  using Sum = typename Result::value_type;
  list_row_classes(
      exec, NumericClassOf<decltype(kernels.a), Sum>{symbolic_class_of, counts.data(), blocks},
      kernels.a.rows, numeric_counts.data(), numeric_list);
  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", count + 1);
  sum_counts(exec, counts.view(), offsets);
  RowClasses const numeric(numeric_counts.on_host());
  impl::require_offsets_hold<Offset>(numeric.weight);
  pattern.nnz = static_cast<std::size_t>(numeric.weight);
  pattern.row_offsets = offsets;
  pattern.keeps_columns = wants_columns || (pattern.nnz + kept_room) * sizeof(Ordinal) <= room;
  if (!pattern.keeps_columns)
    return {symbolic, numeric};

  pattern.columns = impl::uninitialized<typename Result::columns_view>(
      exec, "heddle::spgemm::columns", pattern.nnz);
  found.offsets = offsets.data();
  found.columns = pattern.columns.data();
  launch(exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset>,
         one_thread_each(kernels.a.rows * warp_size, 256), found, kernels.a.rows);
  if (pattern.nnz > kept_room || symbolic.ranges[SymbolicClass::windows].count > 0)
    kernels.find(symbolic, found);
  return {symbolic, numeric};
}

} // namespace heddle::cuda_native
