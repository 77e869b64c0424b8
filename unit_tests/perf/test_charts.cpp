// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <report/axis.hpp>
#include <report/chart.hpp>
#include <report/charts.hpp>
#include <report/page.hpp>
#include <report/result.hpp>
#include <report/svg.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;

namespace
{

class File
{
public:
  explicit File(std::string const& content)
      : m_path((std::filesystem::temp_directory_path() / "heddle_test_charts.jsonl").string())
  {
    std::ofstream(m_path) << content;
  }
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  ~File() { std::filesystem::remove(m_path); }
  std::string const& path() const { return m_path; }

private:
  std::string m_path;
};

Result result(std::string const& matrix, std::string const& format, std::string const& name,
              double ms)
{
  Result r;
  r.operation = format.empty() ? "spmv" : "formats_spmm";
  r.matrix = matrix;
  r.format = format;
  r.implementation = name;
  r.value_type = "f64";
  r.layout = format.empty() ? "" : "row";
  r.device = "a device";
  r.rows = r.cols = 100;
  r.nnz = 1000;
  r.k = format.empty() ? 1 : 7;
  r.median_ms = ms;
  r.prologue_ms = 1;
  r.epilogue_ms = 1;
  r.serial_ms = 20;
  r.gflops = 2 / ms;
  r.gbytes_per_s = 4 / ms;
  r.machine_gbytes_per_s = 10;
  r.machine_gflops = 5;
  return r;
}

std::size_t count(std::string const& text, std::string const& part)
{
  std::size_t number = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++number;
  return number;
}

bool has_chart(std::vector<std::string> const& charts, std::string const& title)
{
  for (std::string const& chart : charts)
    if (chart.find(">" + title) != std::string::npos)
      return true;
  return false;
}

} // namespace

TEST_CASE("a linear axis has round ends and evenly spaced ticks", "[perf]")
{
  Axis axis("x", Scale::linear);
  axis.include(0.13);
  axis.include(0.87);
  axis.include(std::numeric_limits<double>::quiet_NaN());
  axis.fit();
  CHECK(axis.low() == Approx(0.0).margin(1e-12));
  CHECK(axis.high() == Approx(1.0));
  CHECK(axis.share(0.25) == Approx(0.25));
  auto const ticks = axis.ticks();
  REQUIRE(ticks.size() == 6);
  CHECK(ticks[1] == Approx(0.2));
}

TEST_CASE("a logarithmic axis ends at 1, 2 or 5 and leaves out what is not positive", "[perf]")
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

TEST_CASE("charts escape what they show", "[perf]")
{
  CHECK(escaped("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  std::string const page = page_of({result("<script>alert(1)</script>", "", "heddle::auto", 1)});
  CHECK_THAT(page, !ContainsSubstring("<script>"));
  CHECK_THAT(page, ContainsSubstring("&lt;script&gt;alert(1)"));
}

TEST_CASE("a chart has a mark for each point that its axes show", "[perf]")
{
  XyChart chart{"title", Axis("x", Scale::linear), Axis("y", Scale::logarithmic), {}};
  chart.series.push_back({"first", {{1, 1, ""}, {2, 10, ""}, {3, 0, ""}}, Style::marks});
  std::string const svg = to_svg(chart);
  CHECK(count(svg, "<circle") == 3); // two points and the legend's
  CHECK(count(svg, "<polyline") == 0);
  chart.series[0].style = Style::lines;
  CHECK(count(to_svg(chart), "<circle") == 0);
  CHECK(count(to_svg(chart), "<polyline") == 2);
}

TEST_CASE("a bar chart has a bar for each value that is there", "[perf]")
{
  double const nothing = std::numeric_limits<double>::quiet_NaN();
  BarChart const chart{"title",
                       Axis("y", Scale::logarithmic),
                       {"a", "b"},
                       {{"first", {1, 4}}, {"second", {nothing, 2}}}};
  std::string const svg = to_svg(chart);
  CHECK(count(svg, "<title>") == 3);
  CHECK_THAT(svg, ContainsSubstring("<title>b, second: 2</title>"));
}

TEST_CASE("results are read line by line, and a malformed one is named", "[perf]")
{
  std::string const good =
      R"({"operation":"spmv","matrix":"m","rows":3,"cols":4,"nnz":5,"k":1,"value_type":"f64",)"
      R"("implementation":"heddle::auto","median_ms":0.5,"gflops":null,"gbytes_per_s":3.0,"device":"d"})"
      "\n";
  std::string const read = R"({"operation":"read","file":"f"})"
                           "\n";
  {
    File const file(good + read + good);
    auto const results = read_results(file.path());
    REQUIRE(results.size() == 2);
    CHECK(results[1].matrix == "m");
    CHECK(results[1].nnz == 5);
    CHECK(results[1].median_ms == 0.5);
    CHECK(results[1].gbytes_per_s == 3.0);
    CHECK(std::isnan(results[1].gflops));
    CHECK(std::isnan(results[1].serial_ms));
  }
  std::vector<std::string> const malformed{"{\"operation\":",
                                           "[]",
                                           "{}",
                                           "",
                                           R"({"operation":"spmv","matrix":5})",
                                           "null",
                                           good.substr(0, good.size() - 2) + R"(,"gflops":"2"})"};
  for (std::string const& bad : malformed)
  {
    CAPTURE(bad);
    File const file(good + bad + "\n" + good);
    CHECK_THROWS_MATCHES(read_results(file.path()), heddle::ParseError,
                         MessageMatches(StartsWith(file.path() + ":2: ")));
  }
  CHECK_THROWS_AS(read_results("no/such/file.jsonl"), heddle::FileError);
}

TEST_CASE("results of one operation, type and device make a section", "[perf]")
{
  Result const a = result("a", "", "heddle::auto", 1);
  Result b = a;
  b.value_type = "f32";
  Result wide = a;
  wide.k = 32;
  auto const sections = sections_of({a, b, a, wide});
  REQUIRE(sections.size() == 3);
  CHECK(sections[0].title == "spmv f64 on a device");
  CHECK(sections[0].results.size() == 2);
  CHECK(sections[2].title == "spmv f64, k = 32 on a device");
  // Formats are measured with a k for each matrix.
  Result first = result("a", "csr", "heddle::auto", 1), second = first;
  second.k = 9;
  CHECK(sections_of({first, second}).size() == 1);
}

TEST_CASE("a section has the charts that its results allow", "[perf]")
{
  std::vector<Result> some{result("a", "", "heddle::auto", 1), result("a", "", "kk::x", 3),
                           result("b", "", "heddle::auto", 2), result("b", "", "kk::x", 1)};
  auto const charts = charts_of({"t", some});
  CHECK(has_chart(charts, "GFLOPS by entries"));
  CHECK(has_chart(charts, "Roofline"));
  CHECK(has_chart(charts, "Performance profile"));
  CHECK(has_chart(charts, "Speedups over the fastest baseline"));
  CHECK_FALSE(has_chart(charts, "Execution"));

  Result skipped = some[0];
  skipped.skipped = "no way";
  CHECK(charts_of({"t", {skipped}}).empty());
  CHECK_THAT(page_of({skipped}), ContainsSubstring("no way"));

  // The speedups 3 and 1/2, in bins of a factor of the root of 2.
  std::string const& histogram = charts.back();
  CHECK_THAT(histogram, ContainsSubstring("2.828 to 4, heddle::auto: 1"));
  CHECK_THAT(histogram, ContainsSubstring("0.5 to 0.7071, heddle::auto: 1"));
}

TEST_CASE("formats have bars by matrix, and lines where only the density differs", "[perf]")
{
  std::vector<Result> formats{result("a", "csr", "heddle::auto", 2),
                              result("a", "csr", "serial::csr", 20),
                              result("a", "ell", "heddle::auto", 4)};
  auto const charts = charts_of({"t", formats});
  CHECK(has_chart(charts, "Execution<"));
  CHECK(has_chart(charts, "Total speedup"));
  CHECK_FALSE(has_chart(charts, "Execution over density"));
  // 20 ms of serial code over 2 ms, and over 2 ms with 1 ms before and 1 ms after.
  CHECK_THAT(charts[2], ContainsSubstring("<title>a, k = 7, csr: 10</title>"));
  CHECK_THAT(charts[3], ContainsSubstring("<title>a, k = 7, csr: 5</title>"));
  CHECK_THAT(charts[0], !ContainsSubstring("serial"));

  std::vector<Result> sweep;
  for (int const entries : {1000, 2000, 3000})
  {
    sweep.push_back(result("m" + std::to_string(entries), "csr", "heddle::auto", 2));
    sweep.back().nnz = entries;
  }
  auto const lines = charts_of({"t", sweep});
  CHECK(has_chart(lines, "Execution over density, 100 x 100, k = 7"));
  CHECK(has_chart(lines, "Total speedup over density"));
  CHECK_FALSE(has_chart(lines, "Execution<"));
}
