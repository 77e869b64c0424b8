// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <report/chart.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

// Tell apart with common kinds of colour blindness: P. Tol, "Colour schemes", SRON/EPS/TN/09-002.
constexpr std::array palette{"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                             "#aa3377", "#777777", "#004488", "#bb5566", "#997700"};
constexpr char const* grid_colour = "#dddddd";
constexpr char const* frame_colour = "#555555";

std::string colour_of(std::size_t series) { return palette[series % palette.size()]; }

// The rectangle in which data is drawn, with the title above and the legend at its right.
struct Frame
{
  double left = 78, top = 34, width = 620, height = 300, below = 52;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double x(double share) const { return left + share * width; }
  double y(double share) const { return bottom() - share * height; }
};

constexpr double legend_line = 17, legend_width = 300;

Svg picture(Frame const& frame, std::size_t series)
{
  double const legend_height = frame.top + legend_line * static_cast<double>(series + 1);
  return {frame.right() + legend_width, std::max(frame.bottom() + frame.below, legend_height)};
}

void draw_vertical_axis(Svg& svg, Frame const& frame, std::string const& title, Axis const& y)
{
  svg.text({frame.left, frame.top - 14}, "start", title);
  for (double const tick : y.ticks())
  {
    double const height = frame.y(y.share(tick));
    svg.line({frame.left, height}, {frame.right(), height}, grid_colour);
    svg.text({frame.left - 6, height + 4}, "end", short_number(tick));
  }
  svg.text({frame.left - 58, frame.top + frame.height / 2}, "middle", y.label(), -90);
}

void draw_frame(Svg& svg, Frame const& frame)
{
  svg.line({frame.left, frame.top}, {frame.left, frame.bottom()}, frame_colour);
  svg.line({frame.left, frame.bottom()}, {frame.right(), frame.bottom()}, frame_colour);
}

void draw_legend(Svg& svg, Frame const& frame, std::size_t s, std::string const& name, Style style)
{
  double const y = frame.top + legend_line * (static_cast<double>(s) + 0.5);
  if (style != Style::marks)
    svg.path({{frame.right() + 8, y}, {frame.right() + 26, y}}, colour_of(s));
  if (style != Style::lines)
    svg.mark({frame.right() + 17, y}, s, colour_of(s), "");
  svg.text({frame.right() + 32, y + 4}, "start", name);
}

void draw_series(Svg& svg, Frame const& frame, XyChart const& chart, std::size_t s)
{
  std::vector<Place> places;
  for (Point const& point : chart.series[s].points)
  {
    if (!chart.x.shows(point.x) || !chart.y.shows(point.y))
      continue;
    places.push_back({frame.x(chart.x.share(point.x)), frame.y(chart.y.share(point.y))});
    if (chart.series[s].style != Style::lines)
      svg.mark(places.back(), s, colour_of(s), point.tip);
  }
  if (chart.series[s].style != Style::marks)
    svg.path(places, colour_of(s));
}

// Names under bars; the whole is in the tips.
std::string shortened(std::string const& name)
{
  constexpr std::size_t most = 28;
  return name.size() <= most ? name : name.substr(0, most - 2) + "..";
}

} // namespace

std::string to_svg(XyChart chart)
{
  for (Series const& series : chart.series)
    for (Point const& point : series.points)
      if (chart.x.shows(point.x) && chart.y.shows(point.y))
      {
        chart.x.include(point.x);
        chart.y.include(point.y);
      }
  chart.x.fit();
  chart.y.fit();
  Frame const frame;
  Svg svg = picture(frame, chart.series.size());
  draw_vertical_axis(svg, frame, chart.title, chart.y);
  for (double const tick : chart.x.ticks())
  {
    double const x = frame.x(chart.x.share(tick));
    svg.line({x, frame.top}, {x, frame.bottom()}, grid_colour);
    svg.text({x, frame.bottom() + 16}, "middle", short_number(tick));
  }
  svg.text({frame.left + frame.width / 2, frame.bottom() + 38}, "middle", chart.x.label());
  draw_frame(svg, frame);
  for (std::size_t s = 0; s < chart.series.size(); ++s)
  {
    draw_series(svg, frame, chart, s);
    draw_legend(svg, frame, s, chart.series[s].name, chart.series[s].style);
  }
  return svg.str();
}

std::string to_svg(BarChart chart)
{
  for (BarSeries const& series : chart.series)
    for (double const value : series.values)
    {
      chart.y.include(value);
      chart.y.include(value / 2); // a logarithmic axis ends below the shortest bar
    }
  chart.y.fit();
  Frame frame;
  frame.below = 130; // for names that are turned
  auto const groups = static_cast<double>(std::max<std::size_t>(chart.groups.size(), 1));
  double const group_width = frame.width / groups;
  double const bar_width =
      0.84 * group_width / static_cast<double>(std::max<std::size_t>(chart.series.size(), 1));
  Svg svg = picture(frame, chart.series.size());
  draw_vertical_axis(svg, frame, chart.title, chart.y);
  for (std::size_t g = 0; g < chart.groups.size(); ++g)
  {
    double const left = frame.left + group_width * (static_cast<double>(g) + 0.08);
    for (std::size_t s = 0; s < chart.series.size(); ++s)
    {
      double const value = chart.series[s].values.at(g);
      if (!chart.y.shows(value) || value <= chart.y.low())
        continue;
      double const top = frame.y(chart.y.share(value));
      svg.rectangle({left + bar_width * static_cast<double>(s), top}, bar_width,
                    std::max(frame.bottom() - top, 1.0), colour_of(s),
                    chart.groups[g] + ", " + chart.series[s].name + ": " + short_number(value));
    }
    svg.text({left + 0.42 * group_width, frame.bottom() + 14}, "end", shortened(chart.groups[g]),
             -35);
  }
  draw_frame(svg, frame);
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    draw_legend(svg, frame, s, chart.series[s].name, Style::marks);
  return svg.str();
}

} // namespace heddle::perf
