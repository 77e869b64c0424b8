// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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
  marks, // a cloud of points
  lines, // points joined in their order
  lines_and_marks
};

struct Series
{
  std::string name;
  std::vector<Point> points;
  Style style = Style::marks;
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
};
struct BarChart
{
  std::string title;
  Axis y;
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
};

std::string to_svg(XyChart chart);
std::string to_svg(BarChart chart);

} // namespace heddle::perf
