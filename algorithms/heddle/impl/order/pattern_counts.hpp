// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What PatternFigures are made of: integers, summed on the device, so that they are the same in any
// order. Passes over the rows and, with a binary search for each row above in its bundle, over the
// entries.

#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/pattern_figures.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

struct LengthCounts
{
  Kokkos::Array<std::int64_t, RowLengths::bins> bins{};
  std::uint64_t squares = 0; // at most the longest row times all entries

  KOKKOS_FUNCTION LengthCounts& operator+=(LengthCounts const& other)
  {
    for (std::size_t n = 0; n < RowLengths::bins; ++n)
      bins[n] += other.bins[n];
    squares += other.squares;
    return *this;
  }
};

struct PlaceCounts
{
  Kokkos::Array<std::int64_t, PatternFigures::bundle_sizes> distinct{};
  std::uint64_t distances = 0;

  KOKKOS_FUNCTION PlaceCounts& operator+=(PlaceCounts const& other)
  {
    for (std::size_t n = 0; n < PatternFigures::bundle_sizes; ++n)
      distinct[n] += other.distinct[n];
    distances += other.distances;
    return *this;
  }
};

} // namespace heddle::impl

template <>
struct Kokkos::reduction_identity<heddle::impl::LengthCounts>
{
  KOKKOS_FORCEINLINE_FUNCTION static heddle::impl::LengthCounts sum() { return {}; }
};
template <>
struct Kokkos::reduction_identity<heddle::impl::PlaceCounts>
{
  KOKKOS_FORCEINLINE_FUNCTION static heddle::impl::PlaceCounts sum() { return {}; }
};

namespace heddle::impl
{

KOKKOS_INLINE_FUNCTION std::size_t length_bin(std::int64_t length)
{
  std::size_t bin = 0;
  for (; length > 0 && bin + 1 < RowLengths::bins; length /= 2)
    ++bin;
  return bin;
}

template <class RowOffsets>
struct CountLengths
{
  RowOffsets offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t i, LengthCounts& counts, std::int64_t& shortest,
                                  std::int64_t& longest) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    ++counts.bins[length_bin(length)];
    counts.squares += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(length);
    shortest = length < shortest ? length : shortest;
    longest = length > longest ? length : longest;
  }
};

// An entry is the first of its column in its bundle if no row of the bundle above it has the
// column. Bundles are aligned and each size divides the largest, so one walk up, to the nearest row
// that has it, answers for all sizes.
template <class Entries>
struct CountPlaces
{
  Entries entries;

  KOKKOS_FUNCTION bool has(std::int64_t row, std::int64_t column) const
  {
    auto const begin = static_cast<std::int64_t>(entries.row_offsets(row));
    auto const end = static_cast<std::int64_t>(entries.row_offsets(row + 1));
    if (begin == end || entries.column(begin) > column || entries.column(end - 1) < column)
      return false;
    auto const column_at = [this](std::int64_t n) { return entries.column(n); };
    return find_ascending(column_at, begin, end, column) != end;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t n, PlaceCounts& counts,
                                  std::int64_t& bandwidth) const
  {
    // A device has no std::array of the host.
    constexpr Kokkos::Array<std::int64_t, PatternFigures::bundle_sizes> sizes{2, 4, 8};
    auto const row = static_cast<std::int64_t>(entries.rows(n));
    std::int64_t const column = entries.column(n);
    std::int64_t above = 1; // rows up to the nearest that has the column
    while (above <= row % sizes[2] && !has(row - above, column))
      ++above;
    for (std::size_t s = 0; s < PatternFigures::bundle_sizes; ++s)
      counts.distinct[s] += above > row % sizes[s] ? 1 : 0;
    std::int64_t const distance = column < row ? row - column : column - row;
    counts.distances += static_cast<std::uint64_t>(distance);
    bandwidth = distance > bandwidth ? distance : bandwidth;
  }
};

// Waits for exec.
template <class Exec, class RowOffsets>
RowLengths row_lengths(Exec const& exec, RowOffsets const& offsets, std::int64_t rows,
                       std::int64_t nnz)
{
  RowLengths result;
  if (rows == 0)
    return result;
  LengthCounts counts;
  Kokkos::parallel_reduce("heddle::analysis::lengths", range(exec, rows),
                          CountLengths<RowOffsets>{offsets}, Kokkos::Sum<LengthCounts>(counts),
                          Kokkos::Min<std::int64_t>(result.shortest),
                          Kokkos::Max<std::int64_t>(result.longest));
  for (std::size_t n = 0; n < RowLengths::bins; ++n)
    result.histogram[n] = counts.bins[n];
  auto const count = static_cast<double>(rows);
  result.mean = static_cast<double>(nnz) / count;
  double const variance = static_cast<double>(counts.squares) / count - result.mean * result.mean;
  result.deviation = variance > 0 ? std::sqrt(variance) : 0;
  return result;
}

// Fills overlap, bandwidth and mean_distance. Waits for exec.
template <class Exec, class Entries>
void count_places(Exec const& exec, Entries const& entries, PatternFigures& figures)
{
  if (entries.size() == 0)
    return;
  PlaceCounts counts;
  Kokkos::parallel_reduce("heddle::analysis::places", range(exec, entries.size()),
                          CountPlaces<Entries>{entries}, Kokkos::Sum<PlaceCounts>(counts),
                          Kokkos::Max<std::int64_t>(figures.bandwidth));
  auto const all = static_cast<double>(entries.size());
  for (std::size_t n = 0; n < PatternFigures::bundle_sizes; ++n)
    figures.overlap[n] = all / static_cast<double>(counts.distinct[n]);
  figures.mean_distance = static_cast<double>(counts.distances) / all;
}

} // namespace heddle::impl
