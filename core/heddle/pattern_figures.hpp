// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/row_segment_features.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle
{

/// How long rows are.
struct RowLengths
{
  /// Lengths 0, 1, 2-3, 4-7, ..., 2^22 and more.
  static constexpr std::size_t bins = 24;

  std::int64_t shortest = 0, longest = 0;
  double mean = 0, deviation = 0; ///< root mean square distance from the mean
  std::array<std::int64_t, bins> histogram{};

  std::int64_t empty() const { return histogram[0]; }
  /// The least length of a bin.
  static std::int64_t least(std::size_t bin) { return bin == 0 ? 0 : std::int64_t(1) << (bin - 1); }
};

/// What a pattern says of multiplies with it: numbers alone, on the host.
struct PatternFigures
{
  /// Rows of a bundle whose overlap is counted.
  static constexpr std::size_t bundle_sizes = 3;
  static constexpr std::array<std::int64_t, bundle_sizes> bundles{2, 4, 8};

  std::int64_t rows = 0, cols = 0, nnz = 0;
  RowLengths lengths{};
  /// Entries over distinct columns in bundles of 2, 4 and 8 neighbouring rows: how many loads of a
  /// row of B one serves, 1 where rows share no column and at most the size of the bundle.
  std::array<double, bundle_sizes> overlap{1, 1, 1};
  RowSegmentFeatures clusters{}; ///< distances of neighbouring entries, in powers of 4
  double heavy_share = 0;        ///< of entries in heavy row segments (paper 000, Fig. 16)
  std::int64_t segments = 0;
  std::int64_t bandwidth = 0; ///< the greatest distance of an entry from the diagonal
  double mean_distance = 0;   ///< of entries from the diagonal
};

} // namespace heddle
