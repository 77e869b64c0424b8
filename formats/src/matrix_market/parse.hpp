// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/matrix_market.hpp>
#include <matrix_market/entry.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/pieces.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace heddle::impl::matrix_market
{

// What the symmetry of a file says of an entry's row and column, but for their range.
inline Problem check_triangle(MatrixMarketSymmetry symmetry, bool any_diagonal, std::int64_t row,
                              std::int64_t column)
{
  if (symmetry == MatrixMarketSymmetry::general || column < row) [[likely]]
    return Problem::none;
  if (column > row)
    return Problem::above_diagonal;
  bool const is_zero = symmetry == MatrixMarketSymmetry::skew_symmetric && !any_diagonal;
  return is_zero ? Problem::on_diagonal : Problem::none;
}

// What it says of a value on the diagonal, which ends at p; moves p back to the token to blame.
template <class Value>
Problem check_diagonal(MatrixMarketSymmetry symmetry, bool any_diagonal, Value const& value,
                       char const*& p)
{
  if constexpr (is_complex_v<Value>)
    if (symmetry == MatrixMarketSymmetry::hermitian && !any_diagonal &&
        (value.imag() < 0 || value.imag() > 0)) // the conjugate of NaN is NaN
    {
      while (!is_blank(p[-1]))
        --p;
      return Problem::not_real;
    }
  return Problem::none;
}

// Reads a line "row column value" and stores it as entry k.
template <MatrixMarketField field, class Value, class Ordinal>
struct CoordinateLine
{
  MatrixMarketHeader const& header;
  bool any_diagonal;
  Ordinal* rows;
  Ordinal* columns;
  Value* values;

  Problem operator()(char const*& p, char const* end, std::int64_t k) const
  {
    std::int64_t row = 0, column = 0;
    Problem const row_problem =
        read_index(p, end, header.rows, Problem::not_a_row, Problem::row_outside, row);
    if (row_problem != Problem::none)
      return row_problem;
    char const* const column_token = skip_blanks(p, end);
    Problem const column_problem =
        read_index(p, end, header.cols, Problem::not_a_column, Problem::column_outside, column);
    if (column_problem != Problem::none)
      return column_problem;
    Problem const triangle_problem = check_triangle(header.symmetry, any_diagonal, row, column);
    if (triangle_problem != Problem::none) [[unlikely]]
    {
      p = column_token;
      return triangle_problem;
    }
    rows[k] = static_cast<Ordinal>(row);
    columns[k] = static_cast<Ordinal>(column);
    Problem const value_problem = read_value<field>(p, end, values[k]);
    if (value_problem == Problem::none && row == column)
      return check_diagonal(header.symmetry, any_diagonal, values[k], p);
    return value_problem;
  }
};

// Whether value k of the lower triangle of a matrix, column after column, is on the diagonal. From
// the last of all values on, those of the diagonal are number 1, 3, 6, ..., m (m + 1) / 2.
inline bool is_on_diagonal(std::int64_t k, std::int64_t num_values)
{
  std::int64_t const number = num_values - k;
  auto const m = std::llround((std::sqrt(8.0 * static_cast<double>(number) + 1) - 1) / 2);
  return m * (m + 1) / 2 == number;
}

// Reads a line "value" and stores it as value k.
template <MatrixMarketField field, class Value>
struct ArrayLine
{
  MatrixMarketHeader const& header;
  bool any_diagonal;
  Value* values;

  Problem operator()(char const*& p, char const* end, std::int64_t k) const
  {
    Problem const problem = read_value<field>(p, end, values[k]);
    bool const is_hermitian = header.symmetry == MatrixMarketSymmetry::hermitian;
    if (problem == Problem::none && is_hermitian && is_on_diagonal(k, header.entries))
      return check_diagonal(header.symmetry, any_diagonal, values[k], p);
    return problem;
  }
};

// The data lines of a piece that are among the first n of all, up to the first bad one.
template <class ReadLine>
Failure parse_piece(Piece const& piece, std::int64_t n, ReadLine const& read_line)
{
  char const* p = piece.begin;
  std::int64_t const last = std::min(n, piece.first + piece.count);
  for (std::int64_t k = piece.first; k < last; ++k)
  {
    p = next_data(p, piece.end);
    Problem problem = read_line(p, piece.end, k);
    if (problem == Problem::none)
      problem = finish_line(p, piece.end);
    if (problem != Problem::none) [[unlikely]]
      return {problem, p};
  }
  return {};
}

// The first n data lines; the first failure in the order of the file, if any.
template <class ReadLine>
Failure parse_pieces(Pieces const& pieces, std::int64_t n, ReadLine const& read_line)
{
  std::vector<Failure> failures(static_cast<std::size_t>(pieces.size()));
  Failure* const failure = failures.data();
  for_each_piece("heddle::read_matrix_market::parse", pieces.size(), [=, &pieces](std::int64_t i) {
    failure[i] = parse_piece(pieces[i], n, read_line);
  });
  auto const first = std::find_if(failures.begin(), failures.end(),
                                  [](Failure const& f) { return f.problem != Problem::none; });
  return first == failures.end() ? Failure{} : *first;
}

} // namespace heddle::impl::matrix_market
