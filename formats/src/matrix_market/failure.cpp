// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matrix_market/failure.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace heddle::impl::matrix_market
{

namespace
{

constexpr char const* taken_by_option =
    " (MatrixMarketReadOptions::any_diagonal takes it as it stands)";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string found(std::string_view token)
{
  return token.empty() ? "found the end of the line" : "found " + quoted(token);
}

std::string outside(char const* what, std::string_view token, std::int64_t limit)
{
  return what + (" " + printable(token)) +
         (limit == 0 ? " in a matrix that has none" : " is not in 1 .. " + std::to_string(limit));
}

// The message for a token.
std::string describe(Problem problem, std::string_view token, MatrixMarketHeader const& header,
                     int bits_of_value)
{
  switch (problem)
  {
  case Problem::not_a_row:
    return "expected a row number, " + found(token);
  case Problem::not_a_column:
    return "expected a column number, " + found(token);
  case Problem::row_outside:
    return outside("row", token, header.rows);
  case Problem::column_outside:
    return outside("column", token, header.cols);
  case Problem::above_diagonal:
    return "the entry in column " + printable(token) + " is above the diagonal: a " +
           name_of(header.symmetry) + " file has the lower triangle only";
  case Problem::on_diagonal:
    return "the entry in column " + printable(token) + " is on the diagonal: a " +
           name_of(header.symmetry) + " file has only entries below it" + taken_by_option;
  case Problem::not_real:
    return "the imaginary part " + printable(token) + " is on the diagonal: that of a " +
           name_of(header.symmetry) + " matrix is real" + taken_by_option;
  case Problem::not_a_number:
    return "expected a number, " + found(token);
  case Problem::not_an_integer:
    return "expected an integer, " + found(token);
  case Problem::too_large:
    return "the value " + printable(token) + " does not fit into a " +
           std::to_string(bits_of_value) + "-bit floating-point number";
  case Problem::extra_text:
    return "unexpected " + quoted(token) + " at the end of the line";
  case Problem::none:
    break;
  }
  return {};
}

} // namespace

bool is_tiny(std::string_view number)
{
  constexpr std::int64_t huge = 100'000'000'000'000'000;
  std::size_t i = !number.empty() && (number[0] == '-' || number[0] == '+') ? 1 : 0;
  std::int64_t exponent = 0; // of the first digit that is not 0: 1 for 1 .. 9, 0 for 0.1 ..
  bool is_fraction = false, is_found = false;
  for (; i < number.size() && (is_digit(number[i]) || number[i] == '.'); ++i)
  {
    is_found = is_found || (number[i] >= '1' && number[i] <= '9');
    if (number[i] == '.')
      is_fraction = true;
    else if (is_found && !is_fraction)
      ++exponent;
    else if (!is_found && is_fraction)
      --exponent;
  }
  if (i == number.size())
    return exponent <= 0;
  ++i; // e
  bool const is_negative = i < number.size() && number[i] == '-';
  std::int64_t written = 0;
  for (; i < number.size(); ++i)
    if (is_digit(number[i]))
      written = std::min(huge, 10 * written + (number[i] - '0'));
  return exponent + (is_negative ? -written : written) <= 0;
}

void report(TextFile const& text, MatrixMarketHeader const& header, Failure const& failure,
            int bits_of_value)
{
  text.fail(failure.place,
            describe(failure.problem, token_at(failure.place, text.end()), header, bits_of_value));
}

} // namespace heddle::impl::matrix_market
