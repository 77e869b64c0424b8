// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by bundles of two to six neighbouring rows that share most of their columns (paper
// 000, section 7, remark 4: coarsening along M). The plan holds the union of a bundle's columns and
// for each of them a mask of the rows that have it; a group of lanes walks the union and loads each
// row of B once for all rows of the bundle, whose sums it holds in registers. Values stay where CSR
// has them: a row's bits before a column tell how many of its entries come first. A row that lacks
// the column adds nothing, not even zero times an infinity.
// Bytes: B gathered once a bundle and column; A's values once and five bytes a column a tile.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/length_order.hpp>
#include <heddle/cuda_native/one_of.cuh>
#include <heddle/cuda_native/row_mix.hpp>
#include <heddle/cuda_native/row_stretches.hpp>
#include <heddle/cuda_native/spmm_csr_findings.hpp>
#include <heddle/cuda_native/spmm_csr_policy.hpp>
#include <heddle/cuda_native/spmm_row_bundles_kernel.cuh>
#include <heddle/cuda_native/spmm_tile.cuh>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda_native
{

// The columns of a bundle, one after the other: visit(column, mask).
template <class Ordinal, class Offset>
struct BundleWalk
{
  static constexpr int most_rows = 8;
  std::int64_t rows;
  Offset const* offsets;
  Ordinal const* columns;
  int rows_of_bundle;
  Ordinal const* first_rows; // null: all rows, as they stand

  template <class Visit>
  KOKKOS_FUNCTION void operator()(std::int64_t bundle, Visit const& visit) const
  {
    Offset next[most_rows], end[most_rows];
    int count = 0;
    std::int64_t const first = first_rows == nullptr
                                   ? bundle * rows_of_bundle
                                   : static_cast<std::int64_t>(first_rows[bundle]);
    for (std::int64_t i = first; i < rows && count < rows_of_bundle; ++i, ++count)
    {
      next[count] = offsets[i];
      end[count] = offsets[i + 1];
    }
    for (;;)
    {
      bool is_left = false;
      Ordinal least{};
      for (int r = 0; r < count; ++r)
        if (next[r] < end[r] && (!is_left || columns[next[r]] < least))
        {
          least = columns[next[r]];
          is_left = true;
        }
      if (!is_left)
        return;
      unsigned mask = 0;
      for (int r = 0; r < count; ++r)
        if (next[r] < end[r] && columns[next[r]] == least)
        {
          mask |= 1U << r;
          ++next[r];
        }
      visit(least, mask);
    }
  }
};

template <class Walk>
struct ColumnsOfBundle
{
  Walk walk;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t bundle) const
  {
    std::int64_t count = 0;
    walk(bundle, [&](auto, unsigned) { ++count; });
    return count;
  }
};

// What row_bundles does with one bundle: a functor, see scan.hpp.
template <class Walk, class Offsets, class Columns, class Masks>
struct FillBundle
{
  Walk walk;
  Offsets offsets;
  Columns columns;
  Masks masks;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    auto place = offsets(n);
    walk(n, [&](auto column, unsigned mask) {
      columns(place) = column;
      masks(place) = static_cast<unsigned char>(mask);
      ++place;
    });
  }
};

// What a plan holds for row_bundles.
template <class Ordinal, class Offset, class MemorySpace>
struct RowBundles
{
  int rows = 0; // of a bundle
  std::int64_t count = 0;
  Kokkos::View<Ordinal*, MemorySpace> first_rows = {}; // nothing: all rows, as they stand
  Kokkos::View<Offset*, MemorySpace> offsets = {};
  Kokkos::View<Ordinal*, MemorySpace> columns = {};
  Kokkos::View<unsigned char*, MemorySpace> masks = {};

  std::size_t bytes() const
  {
    return offsets.span() * sizeof(Offset) +
           (first_rows.span() + columns.span()) * sizeof(Ordinal) + masks.span();
  }
  std::string describe() const
  {
    return "bundles of " + std::to_string(rows) + " rows with " +
           std::to_string(columns.extent(0)) + " columns in all";
  }
};

template <class Entries, class Exec>
using RowBundlesOf = RowBundles<typename Entries::ordinal_type, typename Entries::offset_type,
                                typename Exec::memory_space>;

// With the columns of the bundles put in. Waits for exec.
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> with_columns(Exec const& exec, Entries const& a,
                                         RowBundlesOf<Entries, Exec> result)
{
  using Walk = BundleWalk<typename Entries::ordinal_type, typename Entries::offset_type>;
  std::int64_t const bundles = result.count;
  Walk const walk{a.rows, a.offsets, a.columns, result.rows, result.first_rows.data()};
  result.offsets = impl::uninitialized<decltype(result.offsets)>(
      exec, "heddle::row_bundles::offsets", static_cast<std::size_t>(bundles) + 1);
  auto const offsets = result.offsets;
  impl::tabulate(exec, "heddle::row_bundles::count", bundles, ColumnsOfBundle<Walk>{walk}, offsets);
  auto const total =
      static_cast<std::size_t>(impl::offsets_from_counts(exec, bundles, offsets, offsets));
  result.columns =
      impl::uninitialized<decltype(result.columns)>(exec, "heddle::row_bundles::columns", total);
  result.masks =
      impl::uninitialized<decltype(result.masks)>(exec, "heddle::row_bundles::masks", total);
  Kokkos::parallel_for(
      "heddle::row_bundles::fill_in", impl::range(exec, bundles),
      FillBundle<Walk, decltype(result.offsets), decltype(result.columns), decltype(result.masks)>{
          walk, offsets, result.columns, result.masks});
  return result;
}

// Of all rows; and those that begin at certain rows, the longest first where lengths differ. These
// wait for exec.
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> row_bundles(Exec const& exec, Entries const& a, int rows_of_bundle)
{
  return with_columns<Exec>(exec, a,
                            {.rows = rows_of_bundle, .count = blocks_for(a.rows, rows_of_bundle)});
}
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> row_bundles(Exec const& exec, Entries const& a, int rows_of_bundle,
                                        std::vector<RowStretch> const& first_rows)
{
  RowBundlesOf<Entries, Exec> result{.rows = rows_of_bundle};
  result.first_rows = rows_of<decltype(result.first_rows)>(exec, first_rows, rows_of_bundle);
  result.count = static_cast<std::int64_t>(result.first_rows.extent(0));
  if (!SpmmCsrPolicyFor::is_regular(statistics_of_list(exec, a, result.first_rows)))
    sort_by_length(exec, a, result.first_rows);
  return with_columns(exec, a, result);
}

// One of the kernels behind an SpMM of CSR (spmm_csr.cuh).
struct CsrBundles
{
  static constexpr char const* name = "cuda_native::row_bundles";
  template <class Ordinal, class Offset, class MemorySpace>
  using Tuning = RowBundles<Ordinal, Offset, MemorySpace>;

  // Waits for exec.
  template <class Exec, class Entries>
  static bool is_best(Exec const& exec, Entries const& a, SpmmCsrFindings const& found)
  {
    return rows_of_bundle(exec, a, found) > 1;
  }
  // Waits for exec.
  template <class Exec, class Entries>
  static auto tune(Exec const& exec, Entries const& a, SpmmCsrFindings const& found)
  {
    return row_bundles(exec, a, std::max(2, rows_of_bundle(exec, a, found)));
  }
  template <class Exec, class Entries>
  static int rows_of_bundle(Exec const& exec, Entries const& a, SpmmCsrFindings const& found)
  {
    return SpmmCsrPolicyFor::may_have_bundles(found)
               ? SpmmCsrPolicyFor::rows_of_bundle(found.overlap(exec, a))
               : 1;
  }
  template <class Tuning, class Scalar>
  static bool are_enough(Tuning const& tuning, RowMajorOperands<Scalar> const& all)
  {
    auto const operands = tiled<TileShape<widest_packet<Scalar>, 1>>(all, SpmmPolicy::widest_tile);
    return SpmmCsrPolicyFor::are_enough_bundles(tuning.count * tiles_of(operands), operands.lanes);
  }
  // Operands that have packets, on an instance or on side streams.
  template <class On, class Tuning, class Entries, class Scalar>
  static void multiply_packets(On& on, Tuning const& tuning, Entries const& a,
                               RowMajorOperands<Scalar> const& all)
  {
    if constexpr (!Entries::is_gathered) // whose values take longer than the columns they serve
    {
      constexpr auto widest = static_cast<std::int64_t>(2 * SpmmPolicy::widest_tile);
      if (all.columns * static_cast<std::int64_t>(sizeof(Scalar)) >= widest)
        return multiply(on, tuning, a, tiled<TileShape<widest_packet<Scalar>, 2>>(all));
    }
    multiply(on, tuning, a,
             tiled<TileShape<widest_packet<Scalar>, 1>>(all, SpmmPolicy::widest_tile));
  }
  template <class On, class Tuning, class Entries, class Operands>
  static void multiply(On& on, Tuning const& tuning, Entries const& a, Operands const& operands)
  {
    using Ordinal = typename Entries::ordinal_type;
    using Offset = typename Entries::offset_type;
    with_one_of<2, 3, 4, 6>(tuning.rows, [&]<class Rows>(Rows) {
      Grid grid{};
      grid.blocks = blocks_for(tuning.count, SpmmPolicy::threads_per_block / operands.lanes);
      grid.threads_per_block = SpmmPolicy::threads_per_block;
      grid.blocks_y = tiles_of(operands);
      grid.blocks_per_processor = BundleCut<Rows::value, Operands>::blocks_per_processor;
      launch(on, "heddle::spmm::row_bundles",
             spmm_row_bundles_kernel<Rows::value, Entries, Operands>, grid, a,
             BundleColumns<Ordinal, Offset>{tuning.count, tuning.first_rows.data(),
                                            tuning.offsets.data(), tuning.columns.data(),
                                            tuning.masks.data()},
             operands);
    });
  }
};

} // namespace heddle::cuda_native
