// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Panel width and threshold of a matrix by the model of paper 000, section 4: a decision tree says
// the threshold, then the coarsening of heavy segments is that of least expected time, and panels
// are as wide as shared memory holds with it.
//
// Cost: two passes over the entries for the tree unless it is a leaf, one for each coarsening of
// known cost.

#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/convert/row_segment_features.hpp>
#include <heddle/impl/convert/row_segment_policy.hpp>
#include <heddle/row_segment_model.hpp>
#include <heddle/row_segmented_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::impl
{

// Of the panels that go with a coarsening.
inline std::int64_t panel_width_of(int coarsening, std::size_t value_bytes)
{
  constexpr std::int64_t slice = 32; // columns of B
  return RowSegmentPolicy::panel_width(value_bytes, coarsening * slice);
}

inline RowSegmentWork work_of(SegmentCounts const& counts, std::int64_t rows, std::int64_t nnz)
{
  return {static_cast<double>(counts.segments), static_cast<double>(counts.heavy_nnz),
          static_cast<double>(rows), static_cast<double>(nnz - counts.heavy_nnz)};
}

// Panels of the coarsening that is expected to take the least time. Waits for exec.
template <class Value, class Exec, class Entries>
std::int64_t cheapest_panels(Exec const& exec, Entries const& entries, std::int64_t rows,
                             std::int64_t threshold, RowSegmentModel::OfType const& model)
{
  std::int64_t width = panel_width_of(model.vertical, sizeof(Value));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < model.heavy.size(); ++n)
  {
    if (!model.heavy[n].is_known())
      continue;
    std::int64_t const panels = panel_width_of(RowSegmentModel::coarsenings[n], sizeof(Value));
    SegmentCounts const counts = count_segments(exec, entries.in_shape(panels, threshold));
    double const cost = model.cost(n, work_of(counts, rows, entries.size()));
    if (cost < least)
    {
      least = cost;
      width = panels;
    }
  }
  return width;
}

// shape with what the model says for zeros. Waits for exec.
template <class Value, class Exec, class Entries>
RowSegmentShape chosen_shape(Exec const& exec, Entries const& entries, std::int64_t rows,
                             RowSegmentShape shape, RowSegmentModel const& model)
{
  RowSegmentModel::OfType const& of = model.of(sizeof(Value));
  if (shape.threshold == 0)
  {
    std::int64_t const width =
        shape.panel_width > 0 ? shape.panel_width : panel_width_of(of.vertical, sizeof(Value));
    shape.threshold = of.threshold.label_of(of.threshold.is_leaf()
                                                ? RowSegmentFeatures{}
                                                : features_of(exec, entries.in_shape(width, 0)));
  }
  if (shape.panel_width == 0)
    shape.panel_width = cheapest_panels<Value>(exec, entries, rows, shape.threshold, of);
  return shape;
}

} // namespace heddle::impl
