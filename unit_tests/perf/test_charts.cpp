// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include <report/axis.hpp>
#include <report/chart.hpp>
#include <report/svg.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace
{

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::size_t count(std::string const& text, std::string const& part)
{
  std::size_t number = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++number;
  return number;
}

XyChart chart_of(Series series)
{
  return {"title", Axis("x", Scale::linear), Axis("y", Scale::logarithmic), {std::move(series)}};
}

} // namespace

TEST_CASE("a linear axis has round ends and evenly spaced ticks", "[perf]")
{
  Axis axis("x", Scale::linear);
  axis.include(0.13);
  axis.include(0.87);
  axis.include(nothing);
  axis.fit();
  CHECK(axis.low() == Approx(0.0).margin(1e-12));
  CHECK(axis.high() == Approx(1.0));
  CHECK(axis.share(0.25) == Approx(0.25));
  auto const ticks = axis.ticks();
  REQUIRE(ticks.size() == 6);
  CHECK(ticks[1] == Approx(0.2));
}

TEST_CASE("a logarithmic axis has round ends and leaves out what is not positive", "[perf]")
{
  Axis axis("x", Scale::logarithmic);
  CHECK_FALSE(axis.shows(0.0));
  CHECK_FALSE(axis.shows(-3.0));
  CHECK_FALSE(axis.shows(std::numeric_limits<double>::infinity()));
  for (double const value : {0.0, -1.0, 0.3, 40.0})
    axis.include(value);
  axis.fit();
  CHECK(axis.low() == Approx(0.2));
  CHECK(axis.high() == Approx(50.0));
  CHECK(axis.share(0.2) == Approx(0.0).margin(1e-12));
  CHECK(axis.share(std::sqrt(0.2 * 50.0)) == Approx(0.5));
  auto const ticks = axis.ticks();
  REQUIRE(ticks.size() == 8); // 0.2 0.5 1 2 5 10 20 50
  CHECK(ticks.front() == Approx(0.2));
  CHECK(ticks.back() == Approx(50.0));

  Axis wide("x", Scale::logarithmic);
  wide.include(1e-3);
  wide.include(1e9);
  wide.fit();
  CHECK(wide.ticks().size() <= 8);

  Axis single("x", Scale::logarithmic);
  single.include(10.0);
  single.fit();
  CHECK(single.high() > single.low());
}

TEST_CASE("a short logarithmic axis ends close to its values and has ticks to read them by",
          "[perf]")
{
  Axis axis("x", Scale::logarithmic);
  axis.include(0.98);
  axis.include(2.3);
  axis.fit();
  CHECK(axis.low() == Approx(0.7));
  CHECK(axis.high() == Approx(3.0));
  REQUIRE(axis.ticks().size() == 6); // 0.7 1 1.2 1.5 2 3
  CHECK(axis.ticks()[2] == Approx(1.2));

  Axis below_one("x", Scale::logarithmic);
  below_one.include(0.095);
  below_one.include(0.11);
  below_one.fit();
  CHECK(below_one.low() == Approx(0.07));
  CHECK(below_one.high() == Approx(0.12));
}

TEST_CASE("numbers are short, and long ones can be read", "[perf]")
{
  CHECK(short_number(0.123456) == "0.1235");
  CHECK(short_number(12.0) == "12");
  CHECK(short_number(999.94) == "999.9");
  CHECK(short_number(999.96) == "1,000");
  CHECK(short_number(26463592) == "26,463,592");
  CHECK(short_number(-1234) == "-1,234");
  CHECK(short_number(1e-7) == "1e-07");
  CHECK(axis_number(0.5) == "0.5");
  CHECK(axis_number(5000) == "5000");
  CHECK(axis_number(20e3) == "20 k");
  CHECK(axis_number(100 * std::pow(10.0, 4)) == "1 M");
  CHECK(axis_number(5e9) == "5 G");
}

TEST_CASE("text is escaped", "[perf]")
{
  CHECK(escaped("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  XyChart chart = chart_of({"<b>", {{1, 1, "<i>"}}, Style::marks});
  chart.title = "<u>";
  std::string const svg = to_svg(chart);
  for (char const* const tag : {"<b>", "<i>", "<u>"})
    CHECK_THAT(svg, !ContainsSubstring(tag));
  CHECK_THAT(svg, ContainsSubstring("<title>&lt;i&gt;</title>"));
}

TEST_CASE("sixteen series look different", "[perf]")
{
  std::set<std::pair<std::string, bool>> colours;
  std::set<std::pair<std::size_t, bool>> shapes;
  for (std::size_t n = 0; n < 2 * filled_looks; ++n)
  {
    colours.emplace(look_of(n).colour, look_of(n).is_hollow);
    shapes.emplace(look_of(n).shape, look_of(n).is_hollow);
  }
  CHECK(colours.size() == 2 * filled_looks);
  CHECK(shapes.size() == 2 * filled_looks);
}

TEST_CASE("a chart has a mark for each point that its axes show", "[perf]")
{
  XyChart chart = chart_of({"first", {{1, 1, ""}, {2, 10, ""}, {3, 0, ""}}, Style::marks});
  std::string const svg = to_svg(chart);
  CHECK(count(svg, "<circle") == 3); // two points and the legend's
  CHECK(count(svg, "<polyline") == 0);
  chart.series[0].style = Style::lines_and_marks;
  CHECK(count(to_svg(chart), "<circle") == 3);
  CHECK(count(to_svg(chart), "<polyline") == 2);
  chart.series[0].look = 1; // squares
  CHECK(count(to_svg(chart), "<circle") == 0);
  CHECK(count(to_svg(chart), "<rect") == 3);
}

TEST_CASE("marks of many points are small", "[perf]")
{
  Series cloud{"cloud", {{1, 1, ""}, {2, 2, ""}}, Style::marks};
  CHECK(count(to_svg(chart_of(cloud)), " r='3.8'") == 3);
  cloud.points.resize(5000, {1, 1, ""});
  CHECK(count(to_svg(chart_of(cloud)), " r='1.7'") == 5000);
  CHECK(count(to_svg(chart_of(cloud)), " r='3.8'") == 1); // the legend's
}

TEST_CASE("a line has few marks, a reference none and no place in the legend", "[perf]")
{
  Series line{"line", {}, Style::lines};
  for (int n = 1; n <= 100; ++n)
    line.points.push_back({double(n), double(n), ""});
  std::size_t const marks = count(to_svg(chart_of(line)), "<circle");
  CHECK(marks >= 3);
  CHECK(marks <= 6);

  std::string const svg = to_svg(chart_of({"ceiling", {{1, 1, ""}, {2, 2, ""}}, Style::reference}));
  CHECK(count(svg, "<circle") == 0);
  CHECK(count(svg, ">ceiling<") == 1); // beside the line
}

TEST_CASE("axes are labelled, and a screen reader is told the title", "[perf]")
{
  std::string const svg = to_svg(chart_of({"s", {{1, 1, ""}, {2, 2, ""}}, Style::marks}));
  CHECK_THAT(svg, ContainsSubstring(">x</text>"));
  CHECK_THAT(svg, ContainsSubstring(">y</text>"));
  CHECK_THAT(svg, ContainsSubstring("role='img' aria-label='title'"));
}

TEST_CASE("a bar chart has a bar for each value that is there", "[perf]")
{
  BarChart const chart{"title",
                       Axis("y", Scale::logarithmic),
                       {"a", "b"},
                       {{"first", {1, 4}}, {"second", {nothing, 2}}}};
  std::string const svg = to_svg(chart);
  CHECK(count(svg, "<title>") == 3);
  CHECK_THAT(svg, ContainsSubstring("<title>b, second: 2</title>"));
}

TEST_CASE("a histogram names the ends of its bins, not the bins", "[perf]")
{
  BarChart chart{"title", Axis("y", Scale::linear), {"1 to 2", "2 to 4"}, {{"first", {3, 1}}}};
  CHECK_THAT(to_svg(chart), ContainsSubstring(">1 to 2</text>"));
  chart.edges = {"1", "2", "4"};
  CHECK_THAT(to_svg(chart), !ContainsSubstring(">1 to 2</text>"));
  CHECK_THAT(to_svg(chart), ContainsSubstring(">4</text>"));
}
