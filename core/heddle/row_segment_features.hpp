// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle
{

/// How the entries of a matrix cluster: what the threshold of row segments is chosen by (paper 000:
/// Hong et al., HPDC 2018, section 4.2). Shares, so that matrices of all sizes compare.
struct RowSegmentFeatures
{
  /// Distances of neighbouring entries of a row in powers of 4: 1, 2-3, 4-15, ..., 4^9 and more.
  static constexpr std::size_t gap_bins = 11;
  static constexpr std::size_t count = gap_bins + 1;

  std::array<double, gap_bins> gaps{}; ///< shares of all distances
  /// Additions to C for each entry, were all entries streamed vertically: one for each panel in
  /// which a row has entries.
  double accumulations = 0;

  /// Number n of all.
  double operator[](std::size_t n) const { return n < gap_bins ? gaps[n] : accumulations; }
  friend bool operator==(RowSegmentFeatures const&, RowSegmentFeatures const&) = default;

  /// "gaps_1", "gaps_2", "gaps_4", "gaps_16", ..., by the least distance of the bin, and
  /// "accumulations".
  static std::string name(std::size_t n)
  {
    if (n >= gap_bins)
      return "accumulations";
    std::int64_t const least =
        n < 2 ? static_cast<std::int64_t>(n) + 1 : std::int64_t(1) << (2 * (n - 1));
    return "gaps_" + std::to_string(least);
  }
};

} // namespace heddle
