// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <report/charts.hpp>
#include <report/page.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* head =
    R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>heddle-perf</title>
<style>
body { font: 15px sans-serif; margin: 2em auto; max-width: 70em; color: #222; }
figure { margin: 1.5em 0; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 0.15em 0.7em; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child, td.text { text-align: left; }
summary { cursor: pointer; margin: 0.5em 0; }
</style>
</head>
<body>
<h1>heddle-perf</h1>
)";

std::string cell(double value)
{
  return "<td>" + (std::isfinite(value) ? short_number(value) : "") + "</td>";
}

std::string name_of(Result const& r)
{
  return r.is_of_formats() ? r.format + " " + r.parameters + " " + r.implementation
                           : r.implementation;
}

void add_numbers(std::ostringstream& page, Section const& section)
{
  page << "<details><summary>Numbers</summary>\n<table>\n<tr><th>matrix</th><th>rows</th>"
          "<th>columns</th><th>entries</th><th>k</th><th>implementation</th><th>ms</th>"
          "<th>GFLOPS</th><th>GB/s</th><th>prologue ms</th><th>epilogue ms</th><th>serial ms</th>"
          "</tr>\n";
  for (Result const& r : section.results)
    if (!r.is_skipped())
      page << "<tr><td>" << escaped(r.matrix) << "</td><td>" << r.rows << "</td><td>" << r.cols
           << "</td><td>" << r.nnz << "</td><td>" << r.k << "</td><td class='text'>"
           << escaped(name_of(r)) << "</td>" << cell(r.median_ms) << cell(r.gflops)
           << cell(r.gbytes_per_s) << cell(r.prologue_ms) << cell(r.epilogue_ms)
           << cell(r.serial_ms) << "</tr>\n";
  page << "</table>\n</details>\n";
}

void add_skipped(std::ostringstream& page, Section const& section)
{
  std::ostringstream lines;
  std::size_t count = 0;
  for (Result const& r : section.results)
    if (r.is_skipped())
    {
      ++count;
      lines << "<tr><td>" << escaped(r.matrix) << "</td><td class='text'>" << escaped(name_of(r))
            << "</td><td class='text'>" << escaped(r.skipped) << "</td></tr>\n";
    }
  if (count > 0)
    page << "<details><summary>Skipped: " << count << "</summary>\n<table>\n"
         << lines.str() << "</table>\n</details>\n";
}

} // namespace

std::string page_of(std::vector<Result> const& results)
{
  std::ostringstream page;
  page << head;
  for (Section const& section : sections_of(results))
  {
    page << "<h2>" << escaped(section.title) << "</h2>\n";
    for (std::string const& chart : charts_of(section))
      page << "<figure>\n" << chart << "</figure>\n";
    add_numbers(page, section);
    add_skipped(page, section);
  }
  page << "</body>\n</html>\n";
  return page.str();
}

} // namespace heddle::perf
