// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <report/axis.hpp>

namespace heddle::perf
{

struct Point
{
  double x = 0, y = 0;
  std::string tip; // shown under the pointer
};

enum class Style
{
  marks,           // a cloud of points
  lines,           // points joined in their order, with a few marks on the way
  lines_and_marks, // a mark at each
  bounds,          // a short level line at each
  reference        // a thin line through them, named beside it and not in the legend
};

// The look of a series that none was given: its place among the series.
inline constexpr std::size_t look_by_place = std::numeric_limits<std::size_t>::max();

struct Series
{
  std::string name;
  std::vector<Point> points;
  Style style = Style::marks;
  std::size_t look = look_by_place; // of look_of
};

// Series over a numeric axis.
struct XyChart
{
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

// Groups of bars side by side: values[g] of a series belongs to groups[g]; what an axis cannot
// show, such as NaN, has no bar.
struct BarSeries
{
  std::string name;
  std::vector<double> values;
  std::size_t look = look_by_place;
};
struct BarChart
{
  std::string title;
  Axis y;
  std::vector<std::string> groups; // named below their bars
  std::vector<BarSeries> series;
  // Of a histogram: what stands at the groups' ends, one more than there are groups; the groups'
  // names are then in the tips only.
  std::vector<std::string> edges = {};
  std::string x_label = "";
  bool is_wide = false;
  bool has_line_at_one = true; // where an end is 1: neither faster nor slower
};

std::string to_svg(XyChart chart);
std::string to_svg(BarChart chart);

} // namespace heddle::perf
