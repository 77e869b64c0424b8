// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matrix_market/header.hpp>
#include <matrix_market/lexer.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace heddle::impl::matrix_market
{

namespace
{

// In the order of the enumerators.
constexpr std::array format_names{"coordinate", "array"};
constexpr std::array field_names{"real", "complex", "integer", "pattern"};
constexpr std::array symmetry_names{"general", "symmetric", "skew-symmetric", "hermitian"};

bool equal_but_for_case(std::string_view a, std::string_view b)
{
  auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

// Walks over the tokens of one line.
class Line
{
public:
  Line(TextFile const& text, char const* begin)
      : m_text(text)
      , m_place(begin)
  {}

  std::string_view next(std::string const& expected)
  {
    m_place = skip_blanks(m_place + m_token.size(), m_text.end());
    m_token = token_at(m_place, m_text.end());
    if (m_token.empty())
      fail("expected " + expected + ", found the end of the line");
    return m_token;
  }
  // One of the names, in any case; its number.
  template <std::size_t n>
  std::size_t next_of(std::string const& what, std::array<char const*, n> const& names)
  {
    std::string expected = what + " (";
    for (std::size_t i = 0; i < n; ++i)
      expected += std::string(i == 0 ? "" : i + 1 < n ? ", " : " or ") + names[i];
    expected += ')';
    std::string_view const token = next(expected);
    for (std::size_t i = 0; i < n; ++i)
      if (equal_but_for_case(token, names[i]))
        return i;
    fail("expected " + expected + ", found " + quoted(token));
  }
  std::int64_t next_size(std::string const& what)
  {
    std::string_view const token = next(what);
    std::int64_t value = 0;
    char const* const end = token.data() + token.size();
    auto const [last, error] = std::from_chars(skip_plus(token.data(), end), end, value);
    if (last != end || error == std::errc::invalid_argument)
      fail("expected " + what + ", found " + quoted(token));
    if (error == std::errc::result_out_of_range)
      fail(what + ", " + printable(token) + ", does not fit into 64 bits");
    if (value < 0)
      fail(what + " is " + printable(token) + ", it must not be negative");
    return value;
  }
  // What follows the line.
  char const* finish(std::string const& what)
  {
    m_place = skip_blanks(m_place + m_token.size(), m_text.end());
    m_token = token_at(m_place, m_text.end());
    if (!m_token.empty())
      fail("unexpected " + quoted(m_token) + " after " + what);
    return m_place == m_text.end() ? m_place : m_place + 1;
  }
  [[noreturn]] void fail(std::string const& problem) const { m_text.fail(m_place, problem); }

private:
  TextFile const& m_text;
  char const* m_place;
  std::string_view m_token;
};

char const* parse_banner(TextFile const& text, MatrixMarketHeader& header)
{
  if (text.size() == 0)
    text.fail(text.begin(), "the file is empty");
  Line line(text, text.begin());
  std::string_view const banner = line.next("%%MatrixMarket");
  if (!equal_but_for_case(banner, "%%MatrixMarket"))
    line.fail("expected %%MatrixMarket, found " + quoted(banner));
  std::string_view const object = line.next("the object (matrix)");
  if (!equal_but_for_case(object, "matrix"))
    line.fail("the object is " + quoted(object) + ": only 'matrix' can be read");
  header.format = static_cast<MatrixMarketFormat>(line.next_of("the format", format_names));
  header.field = static_cast<MatrixMarketField>(line.next_of("the field", field_names));
  header.symmetry = static_cast<MatrixMarketSymmetry>(line.next_of("the symmetry", symmetry_names));
  std::string const problem = conflict(header.format, header.field, header.symmetry);
  if (!problem.empty())
    line.fail(problem);
  return line.finish("the symmetry");
}

std::int64_t stored_values(MatrixMarketHeader const& header)
{
  if (header.symmetry == MatrixMarketSymmetry::general)
    return header.rows * header.cols;
  std::int64_t const square = header.rows * header.rows;
  bool const has_diagonal = header.symmetry != MatrixMarketSymmetry::skew_symmetric;
  return (square - header.rows) / 2 + (has_diagonal ? header.rows : 0);
}

} // namespace

char const* name_of(MatrixMarketFormat format)
{
  return format_names[static_cast<std::size_t>(format)];
}

char const* name_of(MatrixMarketField field)
{
  return field_names[static_cast<std::size_t>(field)];
}

char const* name_of(MatrixMarketSymmetry symmetry)
{
  return symmetry_names[static_cast<std::size_t>(symmetry)];
}

std::string conflict(MatrixMarketFormat format, MatrixMarketField field,
                     MatrixMarketSymmetry symmetry)
{
  bool const is_pattern = field == MatrixMarketField::pattern;
  if (is_pattern && format == MatrixMarketFormat::array)
    return "an array has values, its field cannot be pattern";
  if (symmetry == MatrixMarketSymmetry::hermitian && field != MatrixMarketField::complex)
    return std::string("a hermitian matrix is complex, its field cannot be ") + name_of(field);
  if (is_pattern && symmetry == MatrixMarketSymmetry::skew_symmetric)
    return "a skew-symmetric matrix has signs, its field cannot be pattern";
  return {};
}

ParsedHeader parse_header(TextFile const& text)
{
  ParsedHeader result;
  MatrixMarketHeader& header = result.header;
  result.size_line = next_data(parse_banner(text, header), text.end());
  if (result.size_line == text.end())
    text.fail(text.last_line(), "the file ends before the line with the size of the matrix");
  Line line(text, result.size_line);
  header.rows = line.next_size("the number of rows");
  header.cols = line.next_size("the number of columns");
  bool const is_array = header.format == MatrixMarketFormat::array;
  if (!is_array)
    header.entries = line.next_size("the number of entries");
  result.body = line.finish("the size of the matrix");
  std::string const size = std::to_string(header.rows) + " x " + std::to_string(header.cols);
  if (header.symmetry != MatrixMarketSymmetry::general && header.rows != header.cols)
    text.fail(result.size_line, std::string("a ") + name_of(header.symmetry) +
                                    " matrix is square, this one is " + size);
  if (is_array)
  {
    if (header.rows != 0 && header.cols > std::numeric_limits<std::int64_t>::max() / header.rows)
      text.fail(result.size_line,
                "an array of " + size + " has more values than 64 bits can count");
    header.entries = stored_values(header);
  }
  return result;
}

} // namespace heddle::impl::matrix_market
