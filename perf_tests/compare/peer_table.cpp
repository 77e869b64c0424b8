// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <compare/csv.hpp>
#include <compare/peer_table.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

// A row of the table, whose cells go by the names of their columns.
class NamedCells
{
public:
  NamedCells(CsvTable const& table, CsvRow const& row)
      : m_table(table)
      , m_row(row)
  {}

  bool has(std::string const& column) const { return m_table.find_column(column).has_value(); }

  // Empty where there is no such column.
  std::string text(std::string const& column) const
  {
    std::optional<std::size_t> const place = m_table.find_column(column);
    return place ? m_row.fields[*place] : std::string();
  }

  template <class Number>
  Number number(std::string const& column) const
  {
    std::string const cell = text(column);
    Number value = 0;
    auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() ||
        !(value > 0 && value <= std::numeric_limits<Number>::max()))
      fail(column + " is \"" + cell + "\", not a number above zero");
    return value;
  }

  [[noreturn]] void fail(std::string const& problem) const
  {
    throw ParseError(m_table.file, m_row.line, problem);
  }

private:
  CsvTable const& m_table;
  CsvRow const& m_row;
};

std::vector<std::string> words_of(std::string const& name)
{
  std::vector<std::string> words;
  std::istringstream stream(name);
  for (std::string word; std::getline(stream, word, '_');)
    words.push_back(word);
  return words;
}

bool has_word(std::vector<std::string> const& words, char const* word)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string operation_by_name(std::vector<std::string> const& words, bool has_k, std::int64_t k)
{
  if (!has_k)
    return !words.empty() && words.back() == "numeric" ? "spgemm_numeric" : "spgemm";
  return std::string(k == 1 ? "spmv" : "spmm") + (has_word(words, "T") ? "_t" : "");
}

Problem problem_of(NamedCells const& cells, std::string const& name,
                   PeerTableSettings const& settings)
{
  std::vector<std::string> const words = words_of(name);
  Problem problem;
  problem.k = cells.has("k") ? cells.number<std::int64_t>("k") : 1;
  problem.value_type = cells.has("type") ? cells.text("type") : settings.value_type;
  problem.operation = cells.text("operation");
  if (problem.operation.empty())
    problem.operation = operation_by_name(words, cells.has("k"), problem.k);
  problem.layout = cells.text("layout");
  if (problem.layout.empty() && problem.operation.starts_with("spmm"))
    problem.layout = has_word(words, "col") ? "col" : "row";
  else if (!problem.layout.empty() && problem.layout != "row" && problem.layout != "col")
    cells.fail("layout is \"" + problem.layout + "\", not row or col");
  return problem;
}

std::string why_skipped(NamedCells const& cells, PeerTableSettings const& settings)
{
  std::string check = cells.text("check");
  bool const needs_check =
      cells.has("check") && !is_like_any(cells.text("implementation"), settings.unchecked);
  if (!check.empty() && check != "ok")
    return check;
  if (cells.text("median_ms").empty())
    return "no time";
  return check.empty() && needs_check ? "not checked" : "";
}

Timing timing_of(NamedCells const& cells, PeerTableSettings const& settings)
{
  Timing timing;
  timing.implementation = cells.text("implementation");
  timing.matrix = cells.text("matrix");
  timing.problem = problem_of(cells, timing.implementation, settings);
  for (char const* const column : {"nnz", "nnz_a"})
    if (!cells.text(column).empty())
      timing.nnz = cells.number<std::int64_t>(column);
  timing.skipped = why_skipped(cells, settings);
  if (!timing.is_skipped())
    timing.median_ms = cells.number<double>("median_ms");
  return timing;
}

} // namespace

std::vector<Timing> read_peer_table(std::string const& file, PeerTableSettings const& settings)
{
  CsvTable const table = read_csv(file);
  for (char const* const column : {"implementation", "matrix", "median_ms"})
    if (!table.find_column(column))
      throw ParseError(file, 1, std::string("no column is called ") + column);
  std::vector<Timing> timings;
  for (CsvRow const& row : table.rows)
  {
    NamedCells const cells(table, row);
    if (!is_like_any(cells.text("implementation"), settings.excluded))
      timings.push_back(timing_of(cells, settings));
  }
  return timings;
}

} // namespace heddle::perf
