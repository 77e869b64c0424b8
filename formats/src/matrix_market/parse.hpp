// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/matrix_market.hpp>
#include <matrix_market/entry.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/pieces.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::impl::matrix_market
{

// Reads a line "row column value" and stores it as entry k.
template <MatrixMarketField field, class Value, class Ordinal>
struct CoordinateLine
{
  std::int64_t num_rows, num_cols;
  bool is_lower_triangle;
  Ordinal* rows;
  Ordinal* columns;
  Value* values;

  Problem operator()(char const*& p, char const* end, std::int64_t k) const
  {
    std::int64_t row = 0, column = 0;
    Problem const row_problem =
        read_index(p, end, num_rows, Problem::not_a_row, Problem::row_outside, row);
    if (row_problem != Problem::none)
      return row_problem;
    char const* const column_token = skip_blanks(p, end);
    Problem const column_problem =
        read_index(p, end, num_cols, Problem::not_a_column, Problem::column_outside, column);
    if (column_problem != Problem::none)
      return column_problem;
    if (is_lower_triangle && column > row)
    {
      p = column_token;
      return Problem::above_diagonal;
    }
    rows[k] = static_cast<Ordinal>(row);
    columns[k] = static_cast<Ordinal>(column);
    return read_value<field>(p, end, values[k]);
  }
};

// Reads a line "value" and stores it as value k.
template <MatrixMarketField field, class Value>
struct ArrayLine
{
  Value* values;

  Problem operator()(char const*& p, char const* end, std::int64_t k) const
  {
    return read_value<field>(p, end, values[k]);
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
