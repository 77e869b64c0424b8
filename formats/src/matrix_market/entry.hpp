// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/matrix_market.hpp>
#include <matrix_market/lexer.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace heddle::impl::matrix_market
{

// What may be wrong with a token. Parsing runs in parallel regions, which must not throw: it leaves
// the kind and the place, and the message is made later for the first of them (failure.hpp).
enum class Problem
{
  none,
  not_a_row,
  not_a_column,
  row_outside,
  column_outside,
  above_diagonal,
  on_diagonal,
  not_real,
  not_a_number,
  not_an_integer,
  too_large,
  extra_text
};

struct Failure
{
  Problem problem = Problem::none;
  char const* place = nullptr; // the token that is to blame, or the end of its line
};

// Whether a number that std::from_chars finds out of range is too small rather than too large:
// its first digit that is not 0 stands for less than 1.
bool is_tiny(std::string_view number);

// A row or column number, 1-based in the file.
inline Problem read_index(char const*& p, char const* end, std::int64_t limit, Problem malformed,
                          Problem outside, std::int64_t& index)
{
  p = skip_blanks(p, end);
  auto [last, error] = std::from_chars(skip_plus(p, end), end, index);
  if (error == std::errc::invalid_argument || !is_token_end(last, end)) [[unlikely]]
    return malformed;
  if (error != std::errc{} || index < 1 || index > limit) [[unlikely]]
    return outside;
  p = last;
  --index;
  return Problem::none;
}

template <class Real>
Problem read_real(char const*& p, char const* end, Real& value)
{
  p = skip_blanks(p, end);
  char const* const first = skip_plus(p, end);
  auto [last, error] = std::from_chars(first, end, value);
  if (error == std::errc::invalid_argument || !is_token_end(last, end)) [[unlikely]]
    return Problem::not_a_number;
  if (error == std::errc::result_out_of_range) [[unlikely]]
  {
    if (!is_tiny(token_at(first, end)))
      return Problem::too_large;
    value = *first == '-' ? -Real(0) : Real(0);
  }
  p = last;
  return Problem::none;
}

// A whole number, rounded to the value type like any other.
template <class Real>
Problem read_integer(char const*& p, char const* end, Real& value)
{
  p = skip_blanks(p, end);
  std::int64_t number = 0;
  auto [last, error] = std::from_chars(skip_plus(p, end), end, number);
  if (error == std::errc::invalid_argument || !is_token_end(last, end)) [[unlikely]]
    return Problem::not_an_integer;
  if (error == std::errc::result_out_of_range) [[unlikely]]
    return read_real(p, end, value);
  value = static_cast<Real>(number);
  p = last;
  return Problem::none;
}

template <MatrixMarketField field, class Value>
Problem read_value(char const*& p, char const* end, Value& value)
{
  using Real = real_t<Value>;
  Real real(1);
  Problem problem = Problem::none;
  if constexpr (field == MatrixMarketField::integer)
    problem = read_integer(p, end, real);
  else if constexpr (field != MatrixMarketField::pattern)
    problem = read_real(p, end, real);
  if constexpr (field == MatrixMarketField::complex)
  {
    Real imaginary(0);
    if (problem == Problem::none)
      problem = read_real(p, end, imaginary);
    value = Value(real, imaginary);
  }
  else
    value = real;
  return problem;
}

// Nothing but blanks may follow; moves on to the end of the line.
inline Problem finish_line(char const*& p, char const* end)
{
  p = skip_blanks(p, end);
  return is_line_end(p, end) ? Problem::none : Problem::extra_text;
}

} // namespace heddle::impl::matrix_market
