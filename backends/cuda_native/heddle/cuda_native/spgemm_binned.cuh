// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on CUDA. Rows are sorted into classes twice, by what is known of their products for
// the symbolic phase and by their entries for the numeric one; each class has a kernel
// (spgemm_policy.hpp).
//
// Symbolic: columns of few products are sorted in registers (spgemm_sorted.cuh), others noted in
// tables of words in shared memory (spgemm_tables.cuh). Columns found are kept in memory of the
// call while it has room, and moved to their places when these are known. Numeric: the columns of a
// row tell the place of each product, by search (spgemm_searched.cuh) or by such a table.
//
// Waits twice: for the sizes of the symbolic classes, and for the number of entries with the sizes
// of the numeric classes.

#include <heddle/backend.hpp>
#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_searched.cuh>
#include <heddle/cuda_native/spgemm_sorted.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/cuda_native/spgemm_tables.cuh>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

template <class A>
struct SymbolicClassOf
{
  ProductRow<typename A::ordinal> const* rows;
  typename A::offset const* offsets;

  __device__ int class_of(std::int64_t i) const
  {
    auto const row = rows[i];
    return symbolic_class(row.products, row.blocks, span_of(row),
                          static_cast<std::int64_t>(offsets[i + 1] - offsets[i]));
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(rows[i].products);
  }
};

template <class A, class Sum>
struct NumericClassOf
{
  ProductRow<typename A::ordinal> const* rows;
  typename A::offset const* offsets;
  typename A::ordinal const* counts;
  typename A::ordinal const* blocks;

  __device__ int class_of(std::int64_t i) const
  {
    auto const row = rows[i];
    return numeric_class(counts[i], blocks[i], span_of(row), row.products,
                         static_cast<std::int64_t>(offsets[i + 1] - offsets[i]), sizeof(Sum));
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

// The kernels of one pair of types. All calls are asynchronous.
template <class A, class B, class C>
struct SpgemmKernels
{
  using Ordinal = typename A::ordinal;
  using Rows = ProductRow<Ordinal>;
  using Found = FoundColumns<Ordinal, typename C::offset>;

  static void find(Kokkos::Cuda const& exec, A const& a, B const& b, Rows const* rows,
                   Ordinal const* list, RowClasses const& classes, Found const& found)
  {
    auto const of = [&](int n) { return list + classes.ranges[n].first; };
    auto const sorted = [&]<int c>(std::integral_constant<int, c>) {
      constexpr int n = SymbolicClass::sorted + c;
      find_sorted<c>(exec, a, b, rows, of(n), classes.ranges[n].count, found);
    };
    // Rows that take longest come first.
    constexpr int table = SymbolicClass::table, windows = SymbolicClass::windows;
    constexpr int last = SpgemmPolicy::table_classes - 1;
    static_assert(last == 3);
    find_by<SpgemmPolicy::large_block>(exec, a, b, rows, of(windows), classes.ranges[windows].count,
                                       last, found);
    find_by<SpgemmPolicy::large_block>(exec, a, b, rows, of(table + 3),
                                       classes.ranges[table + 3].count, 3, found);
    find_by<SpgemmPolicy::small_block>(exec, a, b, rows, of(table + 2),
                                       classes.ranges[table + 2].count, 2, found);
    find_by<warp_size>(exec, a, b, rows, of(table + 1), classes.ranges[table + 1].count, 1, found);
    find_by<warp_size>(exec, a, b, rows, of(table), classes.ranges[table].count, 0, found);
    static_assert(SpgemmPolicy::sorted_classes == 4);
    sorted(std::integral_constant<int, 3>{});
    sorted(std::integral_constant<int, 2>{});
    sorted(std::integral_constant<int, 1>{});
    sorted(std::integral_constant<int, 0>{});
  }

  template <bool in_order>
  static void sum(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c, Rows const* rows,
                  Ordinal const* blocks, Ordinal const* list, RowClasses const& classes)
  {
    auto const of = [&](int n) { return list + classes.ranges[n].first; };
    auto const searched = [&]<int n>(std::integral_constant<int, n>) {
      constexpr int place = NumericClass::searched + n;
      sum_searched<in_order, n>(exec, a, b, c, of(place), classes.ranges[place].count);
    };
    constexpr int table = NumericClass::table, in_place = NumericClass::in_place;
    sum_by<SpgemmPolicy::large_block, in_order, true>(exec, a, b, c, rows, blocks, of(in_place),
                                                      classes.ranges[in_place].count, 3);
    sum_by<SpgemmPolicy::large_block, in_order, false>(exec, a, b, c, rows, blocks, of(table + 3),
                                                       classes.ranges[table + 3].count, 3);
    sum_by<SpgemmPolicy::small_block, in_order, false>(exec, a, b, c, rows, blocks, of(table + 2),
                                                       classes.ranges[table + 2].count, 2);
    sum_by<warp_size, in_order, false>(exec, a, b, c, rows, blocks, of(table + 1),
                                       classes.ranges[table + 1].count, 1);
    sum_by<warp_size, in_order, false>(exec, a, b, c, rows, blocks, of(table),
                                       classes.ranges[table].count, 0);
    static_assert(SpgemmPolicy::searched_classes == 3);
    searched(std::integral_constant<int, 2>{});
    searched(std::integral_constant<int, 1>{});
    searched(std::integral_constant<int, 0>{});
  }

private:
  // Blocks for so many rows, each taken by a team with a table of the class.
  template <int threads>
  static Grid grid_of(std::int64_t listed, int table_class)
  {
    constexpr int block = std::max(threads, SpgemmPolicy::shared_block), teams = block / threads;
    Grid grid{blocks_for(listed, teams), block};
    grid.shared_bytes = static_cast<std::size_t>(teams * SpgemmPolicy::table_bytes(table_class));
    return grid;
  }
  template <int threads>
  static void find_by(Kokkos::Cuda const& exec, A const& a, B const& b, Rows const* rows,
                      Ordinal const* list, std::int64_t listed, int table_class, Found const& found)
  {
    launch(exec, "heddle::spgemm::find", spgemm_find_kernel<threads, A, B, typename C::offset>,
           grid_of<threads>(listed, table_class), a, b, rows, list, listed,
           SpgemmPolicy::table_bytes(table_class), found);
  }
  template <int threads, bool in_order, bool in_place>
  static void sum_by(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c, Rows const* rows,
                     Ordinal const* blocks, Ordinal const* list, std::int64_t listed,
                     int table_class)
  {
    launch(exec, "heddle::spgemm::sum", spgemm_sum_kernel<threads, in_order, in_place, A, B, C>,
           grid_of<threads>(listed, table_class), a, b, c, rows, blocks, list, listed,
           SpgemmPolicy::table_bytes(table_class));
  }
};

} // namespace heddle::cuda_native
