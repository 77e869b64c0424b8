// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The bundles of rows that a plan holds for spmm/row_bundles.cuh: the union of a bundle's columns
// and for each of them a bitmask of the rows that have it.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/length_order.hpp>
#include <heddle/cuda_native/rows/strided_ranges.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
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
  Ordinal const* first_rows; // null: bundles of all rows, in their order

  KOKKOS_FUNCTION std::int64_t first_row(std::int64_t bundle) const
  {
    return first_rows == nullptr ? bundle * rows_of_bundle
                                 : static_cast<std::int64_t>(first_rows[bundle]);
  }
  template <class Visit>
  KOKKOS_FUNCTION void operator()(std::int64_t bundle, Visit const& visit) const
  {
    Offset next[most_rows], end[most_rows];
    int count = 0;
    std::int64_t const first = first_row(bundle);
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

// The columns of bundles before it is known how many the bundles before have: those of a bundle
// begin at the index of its first row's first entry.
template <class Walk, class Columns, class Masks>
struct MergeBundle
{
  Walk walk;
  Columns columns;
  Masks masks;

  // Returns how many there are.
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t bundle) const
  {
    auto const first = static_cast<std::int64_t>(walk.offsets[walk.first_row(bundle)]);
    std::int64_t count = 0;
    walk(bundle, [&](auto column, unsigned mask) {
      columns(first + count) = column;
      masks(first + count) = static_cast<unsigned char>(mask);
      ++count;
    });
    return count;
  }
};

struct BundlePlanPolicy
{
  static constexpr int threads_per_block = 128, warps = threads_per_block / warp_size;
  static constexpr int window = 1024; // columns that a warp merges at once
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max(); // behind all
};

// The same for long rows, a warp a bundle: it marks in shared memory which rows have each column of
// a window that begins with the least column left, and writes those that any has. From each row it
// takes as many entries as ascend within the window.
template <class Walk, class Ordinal, class Offset>
__global__ void __launch_bounds__(BundlePlanPolicy::threads_per_block)
    merge_bundles_kernel(Walk walk, std::int64_t bundles, Ordinal* columns, unsigned char* masks,
                         Offset* counts)
{
  using Policy = BundlePlanPolicy;
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr int words = Policy::window / 4, words_of_lane = words / warp_size;
  __shared__ unsigned marks_of_warps[Policy::warps][words];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  unsigned* const marks = marks_of_warps[static_cast<int>(threadIdx.x) / warp_size];
  std::int64_t const bundle = static_cast<std::int64_t>(blockIdx.x) * Policy::warps +
                              static_cast<int>(threadIdx.x) / warp_size;
  if (bundle >= bundles)
    return;
  std::int64_t const first_row = walk.first_row(bundle);
  auto const first = static_cast<std::int64_t>(walk.offsets[first_row]);
  // Lane r has what is left of row r.
  std::int64_t next = 0, end = 0;
  if (lane < walk.rows_of_bundle && first_row + lane < walk.rows)
  {
    next = static_cast<std::int64_t>(walk.offsets[first_row + lane]);
    end = static_cast<std::int64_t>(walk.offsets[first_row + lane + 1]);
  }
  std::int64_t written = first;
  while (__any_sync(all_lanes, next < end))
  {
    std::int64_t const least =
        smallest_of_warp(next < end ? static_cast<std::int64_t>(walk.columns[next]) : Policy::none);
#pragma unroll
    for (int n = 0; n < words_of_lane; ++n)
      marks[n * warp_size + lane] = 0;
    __syncwarp();
    for (int r = 0; r < walk.rows_of_bundle; ++r)
    {
      std::int64_t at = __shfl_sync(all_lanes, next, r);
      std::int64_t const last = __shfl_sync(all_lanes, end, r);
      for (int taken = warp_size; taken == warp_size;)
      {
        std::int64_t const k = at + lane;
        std::int64_t const in_window =
            k < last ? static_cast<std::int64_t>(walk.columns[k]) - least : Policy::window;
        bool const ascends = lane == 0 || (k < last && walk.columns[k - 1] < walk.columns[k]);
        bool const is_taken = in_window >= 0 && in_window < Policy::window && ascends;
        taken = __ffs(static_cast<int>(~__ballot_sync(all_lanes, is_taken))) - 1;
        taken = taken < 0 ? warp_size : taken;
        if (lane < taken)
          atomicOr(marks + in_window / 4, 1U << (in_window % 4 * 8 + r));
        at += taken;
        // The next entry, which begins another turn, has to ascend as well.
        if (taken == warp_size && at < last && walk.columns[at - 1] >= walk.columns[at])
          break;
      }
      if (lane == r)
        next = at;
    }
    __syncwarp();
    unsigned marked[words_of_lane];
    int count = 0;
#pragma unroll
    for (int n = 0; n < words_of_lane; ++n)
    {
      marked[n] = marks[lane * words_of_lane + n];
      count += __popc(__vcmpne4(marked[n], 0) & 0x01010101U);
    }
    int const through = inclusive_sum_of_lanes<warp_size>(count);
    std::int64_t to = written + through - count;
#pragma unroll
    for (int n = 0; n < words_of_lane; ++n)
      for (int byte = 0; byte < 4; ++byte)
        if (unsigned const mask = marked[n] >> (8 * byte) & 0xffU; mask != 0)
        {
          columns[to] = static_cast<Ordinal>(least + (lane * words_of_lane + n) * 4 + byte);
          masks[to] = static_cast<unsigned char>(mask);
          ++to;
        }
    written += __shfl_sync(all_lanes, through, warp_size - 1);
    __syncwarp(); // marks are cleared for the next window
  }
  if (lane == 0)
    counts[bundle] = static_cast<Offset>(written - first);
}

// The offset of row n % rows of bundle n / rows; of a row behind the last, the number of entries.
template <class Walk, class Begins>
struct BeginOfRow
{
  Walk walk;
  Begins begins;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const row = walk.first_row(n / walk.rows_of_bundle) + n % walk.rows_of_bundle;
    begins(n) = walk.offsets[row < walk.rows ? row : walk.rows];
  }
};

// Copies merged columns and masks to their final indices, a warp per bundle.
template <class Walk, class Ordinal, class Offset>
__global__ void __launch_bounds__(BundlePlanPolicy::threads_per_block)
    place_bundles_kernel(Walk walk, std::int64_t bundles, Ordinal const* merged_columns,
                         unsigned char const* merged_masks, Offset const* offsets, Ordinal* columns,
                         unsigned char* masks)
{
  std::int64_t const bundle = static_cast<std::int64_t>(blockIdx.x) * BundlePlanPolicy::warps +
                              static_cast<int>(threadIdx.x) / warp_size;
  if (bundle >= bundles)
    return;
  auto const from = static_cast<std::int64_t>(walk.offsets[walk.first_row(bundle)]);
  auto const to = static_cast<std::int64_t>(offsets[bundle]);
  std::int64_t const count = static_cast<std::int64_t>(offsets[bundle + 1]) - to;
  for (std::int64_t i = static_cast<int>(threadIdx.x) % warp_size; i < count; i += warp_size)
  {
    columns[to + i] = merged_columns[from + i];
    masks[to + i] = merged_masks[from + i];
  }
}

// What a plan holds for row_bundles. It has row offsets of its own: with those of a matrix of
// another pattern values would be read at indices that do not belong to the columns, or beyond the
// last.
template <class Ordinal, class Offset, class MemorySpace>
struct RowBundles
{
  int rows = 0; // of a bundle
  std::int64_t count = 0;
  impl::RowStatistics all = {}; // of the bundled matrix; none where first_rows are some of its rows
  Kokkos::View<Ordinal*, MemorySpace> first_rows = {}; // none: bundles of all rows, in their order
  Kokkos::View<Offset*, MemorySpace> offsets = {};     // of the bundles; then where each row begins
  Kokkos::View<Ordinal*, MemorySpace> columns = {};
  Kokkos::View<unsigned char*, MemorySpace> masks = {};

  double mean_columns() const
  {
    return count > 0 ? static_cast<double>(columns.extent(0)) / static_cast<double>(count) : 0.0;
  }
  // Rows times columns of the bundles per entry.
  double fill() const
  {
    return all.nonzeros > 0
               ? static_cast<double>(columns.extent(0)) * rows / static_cast<double>(all.nonzeros)
               : 1.0;
  }
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

// Adds the columns of the bundles; meanwhile takes memory for one ordinal and one byte per entry of
// a. Waits for exec.
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> with_columns(Exec const& exec, Entries const& a, std::int64_t nonzeros,
                                         RowBundlesOf<Entries, Exec> result)
{
  using Ordinal = typename Entries::ordinal_type;
  using Offset = typename Entries::offset_type;
  using Walk = BundleWalk<Ordinal, Offset>;
  std::int64_t const bundles = result.count;
  Walk const walk{a.rows, a.offsets, a.columns, result.rows, result.first_rows.data()};
  impl::Scratch<Ordinal, Exec> const merged_columns(exec, static_cast<std::size_t>(nonzeros));
  impl::Scratch<unsigned char, Exec> const merged_masks(exec, static_cast<std::size_t>(nonzeros));
  std::int64_t const bundled_rows = bundles * result.rows;
  result.offsets = impl::uninitialized<decltype(result.offsets)>(
      exec, "heddle::row_bundles::offsets", static_cast<std::size_t>(bundles + 1 + bundled_rows));
  auto const offsets =
      Kokkos::subview(result.offsets, Kokkos::make_pair(std::int64_t(0), bundles + 1));
  auto const begins =
      Kokkos::subview(result.offsets, Kokkos::make_pair(bundles + 1, bundles + 1 + bundled_rows));
  Kokkos::parallel_for("heddle::row_bundles::begins", impl::range(exec, bundled_rows),
                       BeginOfRow<Walk, decltype(begins)>{walk, begins});
  if (static_cast<double>(nonzeros) >=
      SpmmCsrPolicyFor::long_mean_of_bundles * static_cast<double>(a.rows))
    launch(exec, "heddle::row_bundles::merge", merge_bundles_kernel<Walk, Ordinal, Offset>,
           {blocks_for(bundles, BundlePlanPolicy::warps), BundlePlanPolicy::threads_per_block},
           walk, bundles, merged_columns.data(), merged_masks.data(), offsets.data());
  else
    impl::tabulate(
        exec, "heddle::row_bundles::merge", bundles,
        MergeBundle<Walk, decltype(merged_columns.view()), decltype(merged_masks.view())>{
            walk, merged_columns.view(), merged_masks.view()},
        offsets);
  auto const total =
      static_cast<std::size_t>(impl::offsets_from_counts(exec, bundles, offsets, offsets));
  result.columns =
      impl::uninitialized<decltype(result.columns)>(exec, "heddle::row_bundles::columns", total);
  result.masks =
      impl::uninitialized<decltype(result.masks)>(exec, "heddle::row_bundles::masks", total);
  launch(exec, "heddle::row_bundles::place", place_bundles_kernel<Walk, Ordinal, Offset>,
         {blocks_for(bundles, BundlePlanPolicy::warps), BundlePlanPolicy::threads_per_block}, walk,
         bundles, merged_columns.data(), merged_masks.data(), result.offsets.data(),
         result.columns.data(), result.masks.data());
  return result;
}

// Bundles of all rows; and bundles that begin at certain rows, the longest first where lengths
// differ. Both wait for exec.
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> row_bundles(Exec const& exec, Entries const& a,
                                        impl::RowStatistics const& all, int rows_of_bundle)
{
  return with_columns<Exec>(
      exec, a, all.nonzeros,
      {.rows = rows_of_bundle, .count = blocks_for(a.rows, rows_of_bundle), .all = all});
}
template <class Exec, class Entries>
RowBundlesOf<Entries, Exec> row_bundles(Exec const& exec, Entries const& a, std::int64_t nonzeros,
                                        int rows_of_bundle,
                                        std::vector<StridedRowRange> const& first_rows)
{
  RowBundlesOf<Entries, Exec> result{.rows = rows_of_bundle};
  result.first_rows = rows_of<decltype(result.first_rows)>(exec, first_rows, rows_of_bundle);
  result.count = static_cast<std::int64_t>(result.first_rows.extent(0));
  if (!SpmmCsrPolicyFor::is_regular(statistics_of_list(exec, a, result.first_rows)))
    sort_by_length(exec, a, result.first_rows);
  return with_columns(exec, a, nonzeros, result);
}

} // namespace heddle::cuda_native
