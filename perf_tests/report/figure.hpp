// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <report/chart.hpp>

namespace heddle::perf
{

using Chart = std::variant<XyChart, BarChart>;

// A chart with a sentence on how to read it, or the reason why there is none.
struct Figure
{
  std::string title, about;
  std::optional<Chart> chart;
  std::string missing;
};

inline bool has_points(XyChart const& chart)
{
  for (Series const& series : chart.series)
    for (Point const& point : series.points)
      if (series.style != Style::reference && chart.x.shows(point.x) && chart.y.shows(point.y))
        return true;
  return false;
}

// The chart, or why it would be empty.
inline Figure figure_of(std::string about, XyChart chart, std::string missing)
{
  std::string title = chart.title;
  if (!has_points(chart))
    return {std::move(title), "", std::nullopt, std::move(missing)};
  return {std::move(title), std::move(about), std::move(chart), ""};
}

inline bool has_bars(BarChart const& chart)
{
  for (BarSeries const& series : chart.series)
    for (double const value : series.values)
      if (chart.y.shows(value))
        return true;
  return false;
}

inline Figure figure_of(std::string about, BarChart chart, std::string missing)
{
  std::string title = chart.title;
  if (!has_bars(chart))
    return {std::move(title), "", std::nullopt, std::move(missing)};
  return {std::move(title), std::move(about), std::move(chart), ""};
}

} // namespace heddle::perf
