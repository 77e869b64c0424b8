// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <report/grouping.hpp>
#include <report/svg.hpp>
#include <report/tables.hpp>

namespace heddle::perf
{

namespace
{

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Column
{
  std::string head;
  bool is_text = false;
  std::vector<std::string> cells; // HTML
};

void add_text(Column& column, std::string const& text) { column.cells.push_back(escaped(text)); }

void add_number(Column& column, double value)
{
  column.cells.push_back(std::isfinite(value) ? short_number(value) : "");
}

bool is_empty(Column const& column)
{
  return std::all_of(column.cells.begin(), column.cells.end(),
                     [](std::string const& cell) { return cell.empty(); });
}

std::string html_of(std::vector<Column> columns)
{
  std::erase_if(columns, is_empty);
  if (columns.empty())
    return "";
  std::ostringstream html;
  html << "<div class='scroll'><table class='sortable'>\n<thead><tr>";
  for (Column const& column : columns)
    html << "<th scope='col'" << (column.is_text ? " class='text'" : "")
         << "><button type='button'>" << escaped(column.head) << "</button></th>";
  html << "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row)
  {
    html << "<tr>";
    for (Column const& column : columns)
      html << (column.is_text ? "<td class='text'>" : "<td>") << column.cells[row] << "</td>";
    html << "</tr>\n";
  }
  html << "</tbody>\n</table></div>\n";
  return html.str();
}

// A head and what a row has below it.
template <class Row>
struct Description
{
  std::string head;
  bool is_text = false;
  std::function<void(Column&, Row const&)> add;
};

template <class Row>
std::vector<Column> columns_of(std::vector<Description<Row>> const& descriptions,
                               std::vector<Row> const& rows)
{
  std::vector<Column> columns;
  for (auto const& description : descriptions)
  {
    Column column{description.head, description.is_text, {}};
    for (Row const& row : rows)
      description.add(column, row);
    columns.push_back(std::move(column));
  }
  return columns;
}

template <class Row>
Description<Row> number(std::string head, std::function<double(Row const&)> value)
{
  return {std::move(head), false,
          [value](Column& column, Row const& row) { add_number(column, value(row)); }};
}

template <class Row>
Description<Row> text(std::string head, std::function<std::string(Row const&)> value)
{
  return {std::move(head), true,
          [value](Column& column, Row const& row) { add_text(column, value(row)); }};
}

struct SummaryRow
{
  std::string section, anchor;
  Speedups const* speedups = nullptr;
  Summary summary;
};

std::vector<Description<SummaryRow>> summary_columns()
{
  using Row = SummaryRow;
  return {text<Row>("speed of", [](Row const& r) { return r.speedups->of; }),
          text<Row>("over", [](Row const& r) { return r.speedups->over; }),
          number<Row>("matrices", [](Row const& r) { return double(r.summary.problems); }),
          number<Row>("geometric mean", [](Row const& r) { return r.summary.geometric; }),
          number<Row>("harmonic mean", [](Row const& r) { return r.summary.harmonic; }),
          number<Row>("maximum", [](Row const& r) { return r.summary.most; }),
          number<Row>("minimum", [](Row const& r) { return r.summary.least; }),
          number<Row>("faster on", [](Row const& r) { return double(r.summary.faster_on); })};
}

std::string implementation_name(Result const& r)
{
  std::string name =
      r.is_of_formats() ? r.format + " " + r.parameters + " " + r.implementation : series_name(r);
  if (r.implementation == "heddle::auto_size_t" || r.index_types.empty() ||
      r.index_types == "int32,int32")
    return name;
  return name + " (" + r.index_types + ")";
}

// Time of heddle::auto on each problem; of formats each is an automatic choice.
std::map<std::string, double> automatic_times(Section const& section)
{
  std::map<std::string, double> times;
  for (Result const& r : section.results)
    if (!r.is_skipped() && !r.is_of_formats() && r.implementation == "heddle::auto")
      times[problem_name(r)] = r.median_ms;
  return times;
}

std::vector<Description<Result>> case_columns(std::map<std::string, double> const& automatic)
{
  using R = Result;
  auto const ratio = [automatic](R const& r) {
    auto const found = automatic.find(problem_name(r));
    return found == automatic.end() ? nothing : r.median_ms / found->second;
  };
  return {text<R>("matrix", [](R const& r) { return r.matrix; }),
          number<R>("rows", [](R const& r) { return double(r.rows); }),
          number<R>("columns", [](R const& r) { return double(r.cols); }),
          number<R>("entries", [](R const& r) { return double(r.nnz); }),
          number<R>("entries of C", [](R const& r) { return r.products_nnz; }),
          number<R>("k", [](R const& r) { return r.is_of_formats() ? double(r.k) : nothing; }),
          text<R>("implementation", implementation_name),
          number<R>("ms", [](R const& r) { return r.median_ms; }),
          number<R>("mean ms", [](R const& r) { return r.mean_ms; }),
          number<R>("x heddle::auto", ratio),
          number<R>("GFLOPS", [](R const& r) { return r.gflops; }),
          number<R>("GB/s", [](R const& r) { return r.gbytes_per_s; }),
          number<R>("% of roofline", [](R const& r) { return r.roofline_percent(); }),
          number<R>("plan ms", [](R const& r) { return r.plan_ms; }),
          number<R>("plan in calls", [](R const& r) { return r.plan_calls(); }),
          number<R>("heavy share", [](R const& r) { return r.heavy_share; }),
          number<R>("prologue ms", [](R const& r) { return r.prologue_ms; }),
          number<R>("epilogue ms", [](R const& r) { return r.epilogue_ms; }),
          number<R>("serial ms", [](R const& r) { return r.serial_ms; })};
}

} // namespace

std::string anchor_of(std::size_t part) { return "section-" + std::to_string(part + 1); }

std::string overview_table(std::vector<Part> const& parts)
{
  std::vector<SummaryRow> rows;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (Speedups const& speedups : parts[p].speedups)
      rows.push_back({parts[p].section.title, anchor_of(p), &speedups, summary_of(speedups)});
  auto columns = summary_columns();
  columns.insert(columns.begin(), {"section", true, [](Column& column, SummaryRow const& r) {
                                     column.cells.push_back("<a href='#" + r.anchor + "'>" +
                                                            escaped(r.section) + "</a>");
                                   }});
  return html_of(columns_of(columns, rows));
}

std::string speedup_table(Part const& part)
{
  std::vector<SummaryRow> rows;
  for (Speedups const& speedups : part.speedups)
    rows.push_back({"", "", &speedups, summary_of(speedups)});
  return html_of(columns_of(summary_columns(), rows));
}

std::string cases_table(Section const& section)
{
  auto const ran = filtered(section.results, [](Result const& r) { return !r.is_skipped(); });
  return html_of(columns_of(case_columns(automatic_times(section)), ran));
}

std::string skipped_table(Section const& section)
{
  auto const skipped = filtered(section.results, [](Result const& r) { return r.is_skipped(); });
  std::vector<Description<Result>> const columns{
      text<Result>("matrix", problem_name), text<Result>("implementation", implementation_name),
      text<Result>("reason", [](Result const& r) { return r.skipped; })};
  return html_of(columns_of(columns, skipped));
}

} // namespace heddle::perf
