// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <compare/csv.hpp>

namespace heddle::perf
{

namespace
{

class CsvParser
{
public:
  CsvParser(std::string const& file, std::string_view text)
      : m_file(file)
      , m_text(text)
  {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (m_text.starts_with(byte_order_mark))
      m_at = byte_order_mark.size();
  }

  // The next row that is not an empty line, none at the end of the file.
  std::optional<CsvRow> next_row()
  {
    while (is_at_end_of_line() && !is_at_end())
      skip_end_of_line();
    if (is_at_end())
      return std::nullopt;
    CsvRow row{m_line, {next_field()}};
    while (!is_at_end_of_line())
    {
      ++m_at; // a comma: nothing else ends a field
      row.fields.push_back(next_field());
    }
    skip_end_of_line();
    return row;
  }

private:
  bool is_at_end() const { return m_at >= m_text.size(); }
  bool is_at(char c) const { return !is_at_end() && m_text[m_at] == c; }
  bool is_at_end_of_line() const
  {
    return is_at_end() || is_at('\n') || m_text.substr(m_at).starts_with("\r\n");
  }

  void skip_end_of_line()
  {
    if (is_at('\r'))
      ++m_at;
    if (!is_at_end())
      ++m_at;
    ++m_line;
  }

  std::string next_field()
  {
    if (is_at('"'))
      return next_quoted_field();
    std::size_t const begin = m_at;
    while (!is_at_end_of_line() && !is_at(','))
    {
      if (is_at('"'))
        throw ParseError(m_file, m_line, "a quote inside a field that does not begin with one");
      ++m_at;
    }
    return std::string(m_text.substr(begin, m_at - begin));
  }

  std::string next_quoted_field()
  {
    std::int64_t const first_line = m_line;
    std::string field;
    for (++m_at;; ++m_at)
    {
      if (is_at_end())
        throw ParseError(m_file, first_line, "a quote that is not closed");
      if (is_at('"'))
      {
        ++m_at;
        if (!is_at('"'))
          break;
      }
      else if (is_at('\n'))
        ++m_line;
      field.push_back(m_text[m_at]);
    }
    if (!is_at_end_of_line() && !is_at(','))
      throw ParseError(m_file, m_line, "text between a closing quote and the next comma");
    return field;
  }

  std::string const& m_file;
  std::string_view m_text;
  std::size_t m_at = 0;
  std::int64_t m_line = 1;
};

std::string content_of(std::string const& file)
{
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) // << takes an empty file for a failure
    text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || text.fail())
    throw FileError(file + ": cannot be read");
  return std::move(text).str();
}

void require_distinct(CsvTable const& table, std::int64_t line)
{
  for (auto column = table.columns.begin(); column != table.columns.end(); ++column)
    if (std::find(table.columns.begin(), column, *column) != column)
      throw ParseError(table.file, line, "two columns are called " + *column);
}

} // namespace

std::optional<std::size_t> CsvTable::find_column(std::string const& name) const
{
  auto const place = std::find(columns.begin(), columns.end(), name);
  if (place == columns.end())
    return std::nullopt;
  return static_cast<std::size_t>(place - columns.begin());
}

CsvTable read_csv(std::string const& file)
{
  std::string const text = content_of(file);
  CsvParser parser(file, text);
  std::optional<CsvRow> header = parser.next_row();
  if (!header)
    throw ParseError(file, 1, "no row that names the columns");
  CsvTable table{file, std::move(header->fields), {}};
  require_distinct(table, header->line);
  while (std::optional<CsvRow> row = parser.next_row())
  {
    if (row->fields.size() != table.columns.size())
      throw ParseError(file, row->line,
                       std::to_string(row->fields.size()) + " fields, but the header names " +
                           std::to_string(table.columns.size()) + " columns");
    table.rows.push_back(std::move(*row));
  }
  return table;
}

} // namespace heddle::perf
