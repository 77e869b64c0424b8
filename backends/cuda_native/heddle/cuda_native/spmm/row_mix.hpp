// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which rows of a matrix go into bundles where not all do (spmm/csr_mixed.cuh).

#include <heddle/cuda_native/rows/strided_ranges.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_range_sample.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::cuda_native
{

// Bundles of so many rows, one after the other from a row on; all are whole.
struct BundleRun
{
  int rows = 0; // of a bundle
  StridedRowRange bundles = {};
  std::int64_t end() const { return bundles.first + bundles.count * rows; }
};

struct RowMix
{
  std::vector<BundleRun> runs = {}; // ascending
  std::int64_t bundled_entries = 0; // of the ranges that have bundles
  RowOverlap others = {};           // of all other ranges: alone and span

  // The first rows of all bundles of so many rows.
  std::vector<StridedRowRange> bundles_of(int rows) const
  {
    std::vector<StridedRowRange> result;
    for (BundleRun const& run : runs)
      if (run.rows == rows)
        result.push_back(run.bundles);
    return result;
  }
  // What is left of so many rows.
  std::vector<StridedRowRange> other_rows(std::int64_t rows) const
  {
    std::vector<StridedRowRange> result;
    std::int64_t first = 0;
    auto leave = [&](std::int64_t end) {
      if (first < end)
        result.push_back({first, end - first});
    };
    for (BundleRun const& run : runs)
    {
      leave(run.bundles.first);
      first = run.end();
    }
    leave(rows);
    return result;
  }
};

// The bundles of a range of rows in a matrix of so many entries. Of several phases that do as
// well, as with bands, that of the range before.
inline BundleShape best_bundles(RowRangeSample const& range, std::int64_t rows,
                                std::int64_t nonzeros, BundleShape const& before)
{
  if (!SpmmCsrPolicyFor::suits_bundles(
          {.rows = rows, .nonzeros = range.entries, .longest = range.longest}, nonzeros))
    return {};
  auto const best = [&range](int size) {
    BundleShape result{size, 0};
    for (int phase = 1; phase < size; ++phase)
      if (range.fill({size, phase}) < range.fill(result))
        result.phase = phase;
    return result;
  };
  RowOverlap const fill{.two = range.fill(best(2)),
                        .three = range.fill(best(3)),
                        .four = range.fill(best(4)),
                        .six = range.fill(best(6))};
  int const size = SpmmCsrPolicyFor::rows_of_bundle(fill);
  if (size == 1)
    return {};
  if (before.rows == size && range.fill(before) <= SpmmCsrPolicyFor::most_fill(size))
    return before;
  return best(size);
}

// The whole bundles of that shape in [begin, end).
inline BundleRun run_of(BundleShape const& shape, std::int64_t begin, std::int64_t end)
{
  std::int64_t const first = begin + (shape.phase - begin % shape.rows + shape.rows) % shape.rows;
  return {shape.rows, {first, std::max<std::int64_t>(end - first, 0) / shape.rows}};
}

// Neighbouring ranges of one shape join. ranges: as many rows each, but the last.
inline RowMix row_mix(std::vector<RowRangeSample> const& ranges, std::int64_t range_rows,
                      std::int64_t rows)
{
  RowMix mix;
  std::int64_t nonzeros = 0;
  for (RowRangeSample const& range : ranges)
    nonzeros += range.entries;
  double others = 0.0, alone = 0.0, span = 0.0; // by entries
  BundleShape shape;
  std::int64_t begin = 0; // of the ranges of that shape
  auto finish_run = [&](std::int64_t end) {
    if (shape.rows > 1)
      if (BundleRun const run = run_of(shape, begin, end); run.bundles.count > 0)
        mix.runs.push_back(run);
    begin = end;
  };
  for (std::size_t n = 0; n < ranges.size(); ++n)
  {
    RowRangeSample const& range = ranges[n];
    std::int64_t const first = static_cast<std::int64_t>(n) * range_rows;
    BundleShape const wanted =
        best_bundles(range, std::min(range_rows, rows - first), nonzeros, shape);
    if (wanted != shape)
      finish_run(first);
    shape = wanted;
    if (shape.rows > 1)
    {
      mix.bundled_entries += range.entries;
      continue;
    }
    auto const entries = static_cast<double>(range.entries);
    others += entries;
    alone += range.size > 0 ? entries * range.alone / range.size : 0.0;
    span += entries * range.span;
  }
  finish_run(rows);
  if (others > 0)
    mix.others = {.alone = alone / others, .span = span / others};
  return mix;
}

} // namespace heddle::cuda_native
