// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/decision_tree.hpp>
#include <heddle/row_segment_features.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>

namespace heddle
{

/// Milliseconds of a multiply with row segments: so much for each addition to C, so much for each
/// entry of A (paper 000, section 4.3).
struct LinearCost
{
  double per_accumulation = 0, per_entry = 0;

  bool is_known() const { return per_accumulation > 0 || per_entry > 0; }
  /// Milliseconds of so many of each.
  double of(double accumulations, double entries) const
  {
    return per_accumulation * accumulations + per_entry * entries;
  }
  friend bool operator==(LinearCost const&, LinearCost const&) = default;
};

/// What a choice of parameters makes of a matrix: segments are added to C once each, light rows
/// too.
struct RowSegmentWork
{
  double segments = 0, heavy_nnz = 0, light_rows = 0, light_nnz = 0;
};

/// How row segments are chosen on one device (paper 000, section 4): heddle-perf calibrate measures
/// it, heddle/row_segment_model_file.hpp reads it, and shipped_row_segment_model() is what
/// conversions and plans use where they are given none.
struct RowSegmentModel
{
  /// Slices of 32 columns that a warp may take at once.
  static constexpr std::array<int, 3> coarsenings{1, 2, 4};

  /// What was measured for matrices of one value type.
  struct OfType
  {
    int vertical = 2;   ///< CF_V where costs are not known, and with which the tree was trained
    int horizontal = 1; ///< CF_H
    std::array<LinearCost, coarsenings.size()> heavy = {}; ///< for each of coarsenings
    LinearCost light = {};                                 ///< with horizontal
    DecisionTree threshold = DecisionTree::leaf(8);        ///< asks RowSegmentFeatures

    /// Milliseconds that the work is expected to take with coarsenings[n]; infinite if unknown.
    double cost(std::size_t n, RowSegmentWork const& work) const
    {
      return heavy[n].is_known() ? heavy[n].of(work.segments, work.heavy_nnz) +
                                       light.of(work.light_rows, work.light_nnz)
                                 : std::numeric_limits<double>::infinity();
    }
    friend bool operator==(OfType const&, OfType const&) = default;
  };

  std::string device = {}; ///< on which it was measured
  OfType f32 = {}, f64 = {};

  /// For values of so many bytes.
  OfType const& of(std::size_t value_bytes) const
  {
    return value_bytes <= sizeof(float) ? f32 : f64;
  }
  friend bool operator==(RowSegmentModel const&, RowSegmentModel const&) = default;
};

} // namespace heddle
