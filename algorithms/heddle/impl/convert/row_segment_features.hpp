// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the model of row segments asks of a matrix (paper 000, section 4), one pass over the entries
// for each question: how entries cluster, and how many segments a shape makes.

#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/row_segment_features.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

struct ClusterCounts
{
  std::int64_t gaps[RowSegmentFeatures::gap_bins] = {}; // NOLINT(modernize-avoid-c-arrays)
  std::int64_t accumulations = 0;

  KOKKOS_FUNCTION ClusterCounts& operator+=(ClusterCounts const& other)
  {
    for (std::size_t n = 0; n < RowSegmentFeatures::gap_bins; ++n)
      gaps[n] += other.gaps[n];
    accumulations += other.accumulations;
    return *this;
  }
};

// What a shape makes of a matrix.
struct SegmentCounts
{
  std::int64_t segments = 0, heavy_nnz = 0;

  KOKKOS_FUNCTION SegmentCounts& operator+=(SegmentCounts const& other)
  {
    segments += other.segments;
    heavy_nnz += other.heavy_nnz;
    return *this;
  }
};

} // namespace heddle::impl

template <>
struct Kokkos::reduction_identity<heddle::impl::ClusterCounts>
{
  KOKKOS_FORCEINLINE_FUNCTION static heddle::impl::ClusterCounts sum() { return {}; }
};
template <>
struct Kokkos::reduction_identity<heddle::impl::SegmentCounts>
{
  KOKKOS_FORCEINLINE_FUNCTION static heddle::impl::SegmentCounts sum() { return {}; }
};

namespace heddle::impl
{

// Of a distance: 1, 2-3, 4-15, ...; entries in one column count as neighbours, and the last bin has
// all that is further.
KOKKOS_INLINE_FUNCTION std::size_t gap_bin(std::int64_t gap)
{
  if (gap <= 1)
    return 0;
  std::size_t bin = 1;
  for (gap /= 4; gap > 0 && bin + 1 < RowSegmentFeatures::gap_bins; gap /= 4)
    ++bin;
  return bin;
}

// What the functions below do with one entry: functors, see scan.hpp.
template <class Entries>
struct CountClusters
{
  Entries entries;
  KOKKOS_FUNCTION void operator()(std::int64_t n, ClusterCounts& sum) const
  {
    if (entries.is_first(n))
      ++sum.accumulations;
    if (n > entries.row_begin(n))
      ++sum.gaps[gap_bin(entries.column(n) - entries.column(n - 1))];
  }
};
template <class Entries>
struct CountHeavy
{
  Entries entries;
  KOKKOS_FUNCTION void operator()(std::int64_t n, SegmentCounts& sum) const
  {
    if (!entries.is_heavy(n))
      return;
    ++sum.heavy_nnz;
    if (entries.is_first(n))
      ++sum.segments;
  }
};

// Waits for exec.
template <class Exec, class Entries>
RowSegmentFeatures features_of(Exec const& exec, Entries const& entries)
{
  ClusterCounts counts;
  Kokkos::parallel_reduce("heddle::row_segments::features", range(exec, entries.size()),
                          CountClusters<Entries>{entries}, Kokkos::Sum<ClusterCounts>(counts));
  std::int64_t gaps = 0;
  for (std::int64_t const count : counts.gaps)
    gaps += count;
  RowSegmentFeatures features;
  for (std::size_t n = 0; n < RowSegmentFeatures::gap_bins && gaps > 0; ++n)
    features.gaps[n] = static_cast<double>(counts.gaps[n]) / static_cast<double>(gaps);
  if (entries.size() > 0)
    features.accumulations =
        static_cast<double>(counts.accumulations) / static_cast<double>(entries.size());
  return features;
}

// Waits for exec.
template <class Exec, class Entries>
SegmentCounts count_segments(Exec const& exec, Entries const& entries)
{
  SegmentCounts counts;
  Kokkos::parallel_reduce("heddle::row_segments::count", range(exec, entries.size()),
                          CountHeavy<Entries>{entries}, Kokkos::Sum<SegmentCounts>(counts));
  return counts;
}

} // namespace heddle::impl
