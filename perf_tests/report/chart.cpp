// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <report/chart.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* grid_colour = "#e2e2e2";
constexpr char const* frame_colour = "#555555";
constexpr char const* reference_colour = "#444444";
constexpr double narrow_width = 620, wide_width = 1260;
constexpr double above_title = 18, legend_line = 19, right_margin = 20;

Look look_of_place(std::size_t look, std::size_t place)
{
  return look_of(look == look_by_place ? place : look);
}

// The rectangle in which data is drawn; title and legend stand above it, names of values and axes
// at its left and below.
struct Frame
{
  double left = 74, top = 0, width = 0, height = 300, below = 46;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double x(double share) const { return left + share * width; }
  double y(double share) const { return bottom() - share * height; }
};

struct LegendEntry
{
  std::string name;
  Look look;
  Style style = Style::marks;
  bool is_bar = false;
};

// Where entries stand: in rows from the left, as many as the width has room for.
std::vector<Place> places_of(std::vector<LegendEntry> const& entries, double width)
{
  constexpr double of_the_sign = 30, gap = 16;
  std::vector<Place> places;
  Place next{above_title - 6, above_title + 22};
  for (LegendEntry const& entry : entries)
  {
    double const needed = of_the_sign + text_width(entry.name) + gap;
    if (next.x + needed > width && next.x > above_title)
      next = {above_title - 6, next.y + legend_line};
    places.push_back(next);
    next.x += needed;
  }
  return places;
}

double below_legend(std::vector<Place> const& places)
{
  return (places.empty() ? above_title : places.back().y) + 18;
}

void draw_legend(Svg& svg, std::vector<LegendEntry> const& entries,
                 std::vector<Place> const& places)
{
  for (std::size_t n = 0; n < entries.size(); ++n)
  {
    LegendEntry const& entry = entries[n];
    auto const& [x, y] = places[n];
    if (entry.style == Style::lines || entry.style == Style::lines_and_marks)
      svg.path({{x, y}, {x + 24, y}}, entry.look);
    if (entry.style == Style::bounds)
      svg.bound({x + 12, y}, "");
    else if (entry.is_bar)
      svg.rectangle({x + 6, y - 6}, 16, 12, entry.look, "");
    else
      svg.mark({x + 12, y}, entry.look, "");
    svg.text({x + 30, y + 4}, "start", entry.name);
  }
}

void draw_vertical_axis(Svg& svg, Frame const& frame, Axis const& y)
{
  for (double const tick : y.ticks())
  {
    double const height = frame.y(y.share(tick));
    svg.line({frame.left, height}, {frame.right(), height}, grid_colour);
    svg.text({frame.left - 6, height + 4}, "end", axis_number(tick));
  }
  svg.text({18, frame.top + frame.height / 2}, "middle", y.label(), -90);
}

void draw_frame(Svg& svg, Frame const& frame)
{
  svg.line({frame.left, frame.top}, {frame.left, frame.bottom()}, frame_colour);
  svg.line({frame.left, frame.bottom()}, {frame.right(), frame.bottom()}, frame_colour);
}

// The name stands above the longest piece of the line, and leans as it does.
void draw_reference(Svg& svg, Frame const& frame, std::vector<Place> const& places,
                    std::string const& name)
{
  std::size_t longest = 0;
  auto const length = [&places](std::size_t n) {
    return std::hypot(places[n + 1].x - places[n].x, places[n + 1].y - places[n].y);
  };
  for (std::size_t n = 0; n + 1 < places.size(); ++n)
  {
    svg.line(places[n], places[n + 1], reference_colour, 1.3);
    longest = length(n) > length(longest) ? n : longest;
  }
  if (places.size() < 2 || name.empty())
    return;
  Place const &from = places[longest], &to = places[longest + 1];
  double const angle = std::atan2(to.y - from.y, to.x - from.x);
  double const share = to.x - from.x > 0.5 * frame.width ? 0.85 : 0.5; // marks are about the middle
  svg.text({from.x + share * (to.x - from.x) + 6 * std::sin(angle),
            from.y + share * (to.y - from.y) - 6 * std::cos(angle)},
           "middle", name, angle * 180 / std::numbers::pi);
}

// A few marks on a line, at other places for each series, so that lines differ in more than colour.
void draw_marks_on_line(Svg& svg, Frame const& frame, std::vector<Place> const& places,
                        Look const& look, std::size_t s, std::size_t count)
{
  constexpr int marks = 5;
  for (int n = 0; n < marks; ++n)
  {
    double const offset = (static_cast<double>(s) + 0.5) / static_cast<double>(count);
    double const x = frame.x((n + offset) / marks);
    for (std::size_t p = 0; p + 1 < places.size(); ++p)
      if (places[p].x <= x && x < places[p + 1].x)
      {
        double const share = (x - places[p].x) / (places[p + 1].x - places[p].x);
        double const y = places[p].y + share * (places[p + 1].y - places[p].y);
        if (y < frame.bottom() - 1) // along the axis marks of all would lie on each other
          svg.mark({x, y}, look, "");
      }
  }
}

// Of marks, in pixels: thousands of matrices would cover each other.
double radius_of(XyChart const& chart)
{
  std::size_t points = 0;
  for (Series const& series : chart.series)
    points += series.style == Style::marks ? series.points.size() : 0;
  constexpr std::size_t few = 300, many = 2000;
  return points <= few ? 3.8 : points <= many ? 2.6 : 1.7;
}

void draw_series(Svg& svg, Frame const& frame, XyChart const& chart, std::size_t s)
{
  Series const& series = chart.series[s];
  Look const look = look_of_place(series.look, s);
  std::vector<std::pair<Place, std::string>> points;
  std::vector<Place> places;
  for (Point const& point : series.points)
  {
    if (!chart.x.shows(point.x) || !chart.y.shows(point.y))
      continue;
    places.push_back({frame.x(chart.x.share(point.x)), frame.y(chart.y.share(point.y))});
    points.emplace_back(places.back(), point.tip);
  }
  if (series.style == Style::reference)
    return draw_reference(svg, frame, places, series.name);
  if (series.style == Style::lines || series.style == Style::lines_and_marks)
    svg.path(places, look);
  if (series.style == Style::lines)
    return draw_marks_on_line(svg, frame, places, look, s, chart.series.size());
  double const radius = radius_of(chart);
  for (auto const& [place, tip] : points)
    if (series.style == Style::bounds)
      svg.bound(place, tip, 1.3 * radius);
    else
      svg.mark(place, look, tip, radius);
}

std::vector<LegendEntry> legend_of(XyChart const& chart)
{
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    if (chart.series[s].style != Style::reference)
      legend.push_back(
          {chart.series[s].name, look_of_place(chart.series[s].look, s), chart.series[s].style});
  return legend;
}

// Names under bars; the whole is in the tips.
std::string shortened(std::string const& name)
{
  constexpr std::size_t most = 28;
  return name.size() <= most ? name : name.substr(0, most - 2) + "..";
}

constexpr double lean = 40 * std::numbers::pi / 180; // of names under bars

// Room for the names of groups, which lean to the lower left.
void make_room(Frame& frame, BarChart const& chart, double total)
{
  auto const groups = static_cast<double>(chart.groups.size());
  for (std::size_t g = 0; g < chart.groups.size(); ++g)
  {
    double const length = text_width(shortened(chart.groups[g]));
    double const place = (total - right_margin - frame.left) * (static_cast<double>(g) + 0.5);
    frame.left = std::max(frame.left, length * std::cos(lean) - place / groups);
    frame.below = std::max(frame.below, length * std::sin(lean) + 26);
  }
}

void draw_groups(Svg& svg, Frame const& frame, BarChart const& chart)
{
  double const group_width = frame.width / static_cast<double>(chart.groups.size());
  for (std::size_t g = 0; g < chart.groups.size() && chart.edges.empty(); ++g)
    svg.text({frame.left + group_width * (static_cast<double>(g) + 0.5) + 4, frame.bottom() + 14},
             "end", shortened(chart.groups[g]), -lean * 180 / std::numbers::pi);
  for (std::size_t e = 0; e < chart.edges.size(); ++e)
  {
    double const x = frame.left + group_width * static_cast<double>(e);
    svg.line({x, frame.bottom()}, {x, frame.bottom() + 5}, frame_colour);
    if (chart.has_line_at_one && chart.edges[e] == "1")
      svg.line({x, frame.top}, {x, frame.bottom()}, reference_colour, 1.3);
    svg.text({x, frame.bottom() + 18}, "middle", chart.edges[e]);
  }
  svg.text({frame.left + frame.width / 2, frame.bottom() + frame.below - 8}, "middle",
           chart.x_label);
}

void draw_bars(Svg& svg, Frame const& frame, BarChart const& chart)
{
  double const group_width = frame.width / static_cast<double>(chart.groups.size());
  double const bar_width = 0.84 * group_width / static_cast<double>(chart.series.size());
  for (std::size_t g = 0; g < chart.groups.size(); ++g)
    for (std::size_t s = 0; s < chart.series.size(); ++s)
    {
      double const value = chart.series[s].values.at(g);
      if (!chart.y.shows(value) || value <= chart.y.low())
        continue;
      double const left = frame.left + group_width * (static_cast<double>(g) + 0.08);
      double const top = frame.y(chart.y.share(value));
      svg.rectangle({left + bar_width * static_cast<double>(s), top}, bar_width,
                    std::max(frame.bottom() - top, 1.0), look_of_place(chart.series[s].look, s),
                    chart.groups[g] + ", " + chart.series[s].name + ": " + short_number(value));
    }
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
  auto const legend = legend_of(chart);
  auto const places = places_of(legend, narrow_width);
  Frame frame;
  frame.top = below_legend(places);
  frame.width = narrow_width - frame.left - right_margin;
  Svg svg(narrow_width, frame.bottom() + frame.below, chart.title);
  svg.title({12, above_title}, chart.title);
  draw_legend(svg, legend, places);
  draw_vertical_axis(svg, frame, chart.y);
  for (double const tick : chart.x.ticks())
  {
    double const x = frame.x(chart.x.share(tick));
    svg.line({x, frame.top}, {x, frame.bottom()}, grid_colour);
    svg.text({x, frame.bottom() + 17}, "middle", axis_number(tick));
  }
  svg.text({frame.left + frame.width / 2, frame.bottom() + 38}, "middle", chart.x.label());
  draw_frame(svg, frame);
  for (std::size_t s = chart.series.size(); s > 0; --s) // the first is on top
    draw_series(svg, frame, chart, s - 1);
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
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    legend.push_back(
        {chart.series[s].name, look_of_place(chart.series[s].look, s), Style::marks, true});
  double const total = chart.is_wide ? wide_width : narrow_width;
  auto const places = places_of(legend, total);
  Frame frame;
  frame.top = below_legend(places);
  if (chart.edges.empty())
    make_room(frame, chart, total);
  frame.width = total - frame.left - right_margin;
  Svg svg(total, frame.bottom() + frame.below, chart.title);
  svg.title({12, above_title}, chart.title);
  draw_legend(svg, legend, places);
  draw_vertical_axis(svg, frame, chart.y);
  if (!chart.groups.empty() && !chart.series.empty())
  {
    draw_bars(svg, frame, chart);
    draw_groups(svg, frame, chart);
  }
  draw_frame(svg, frame);
  return svg.str();
}

} // namespace heddle::perf
