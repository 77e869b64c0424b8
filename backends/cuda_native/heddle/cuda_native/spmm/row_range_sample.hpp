// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a sample tells of a range of neighbouring rows (spmm/row_ranges.hpp takes it).

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Bundles of `rows` rows, each of which begins at a row whose index leaves the remainder `phase`;
// one row: no bundles.
struct BundleShape
{
  int rows = 1, phase = 0;
  friend bool operator==(BundleShape const&, BundleShape const&) = default;
};

struct RowRangeSample
{
  static constexpr int shapes = 2 + 3 + 4 + 6; // of bundles: by rows, then by phase
  static constexpr int most_rows_of_bundle = 6;

  std::int64_t entries = 0, longest = 0; // of all rows
  double span = 0.0;       // columns from the first to the last of a row, in the mean of a sample
  std::uint16_t size = 0;  // entries in the sample
  std::uint16_t alone = 0; // whose column none of the five rows before has
  std::uint16_t firsts[shapes] = {}; // the first of their column in a bundle
  std::uint16_t none[3] = {}; // in place of padding, which a copy to the host would read unwritten

  KOKKOS_FUNCTION static int first_shape(int rows)
  {
    return rows < 6 ? rows * (rows - 1) / 2 - 1 : 9;
  }
  // Slots, rows times columns, per entry.
  double fill(BundleShape const& shape) const
  {
    int const firsts_there = firsts[first_shape(shape.rows) + shape.phase];
    return size == 0 ? shape.rows : static_cast<double>(shape.rows * firsts_there) / size;
  }
};
static_assert(sizeof(RowRangeSample) ==
                  3 * sizeof(double) + (5 + RowRangeSample::shapes) * sizeof(std::uint16_t),
              "without padding");

} // namespace heddle::cuda_native
