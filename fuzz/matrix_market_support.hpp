// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the targets of text and of compressed text share: readings and how they compare.

#include <heddle/error.hpp>
#include <heddle/matrix_market.hpp>
#include <matrix_market/piece_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <fuzz/support.hpp>

namespace heddle::fuzz
{

using Real = test::HostCooMatrix<double>;
using Complex = test::HostCooMatrix<Kokkos::complex<double>, std::int64_t>;

// What was read, or why it was not: the words of the ParseError without the path.
template <class T>
struct Outcome
{
  std::optional<T> value;
  std::string problem;
  explicit operator bool() const { return value.has_value(); }
  T const& operator*() const { return *value; }
};

// Any error but a ParseError ends the program.
template <class Read>
auto outcome_of(std::string const& path, Read const& read)
{
  Outcome<decltype(read(path))> outcome;
  try
  {
    outcome.value = read(path);
  }
  catch (ParseError const& error)
  {
    check(error.line() >= 1 && error.file() == path, "an error names the file and a line");
    outcome.problem = std::string(error.what()).substr(path.size());
  }
  return outcome;
}

template <class Matrix>
auto read_sparse(std::string const& path, MatrixMarketReadOptions const& options = {})
{
  return outcome_of(
      path, [&](std::string const& file) { return read_matrix_market<Matrix>(file, options); });
}

inline auto read_header(std::string const& path, MatrixMarketReadOptions const& options = {})
{
  return outcome_of(
      path, [&](std::string const& file) { return read_matrix_market_header(file, options); });
}

template <class Matrix>
bool is_same_matrix(Matrix const& a, Matrix const& b)
{
  if (a.num_rows() != b.num_rows() || a.num_cols() != b.num_cols() || a.nnz() != b.nnz())
    return false;
  for (std::size_t k = 0; k < a.nnz(); ++k)
    if (a.rows()(k) != b.rows()(k) || a.columns()(k) != b.columns()(k) ||
        !is_same(a.values()(k), b.values()(k)))
      return false;
  return true;
}

// The same entries in the same order, or the same words.
template <class Matrix>
bool is_same_outcome(Outcome<Matrix> const& a, Outcome<Matrix> const& b)
{
  if (!a || !b)
    return !a && !b && a.problem == b.problem;
  return is_same_matrix(*a, *b);
}

// The header is that of the whole file, or is wrong with the same words.
template <class Matrix>
void check_header(Outcome<MatrixMarketHeader> const& header, Outcome<Matrix> const& whole)
{
  if (header)
    check(!whole || (whole.value->num_rows() == header.value->rows &&
                     whole.value->num_cols() == header.value->cols),
          "the matrix has the size that its header says");
  else
    check(!whole && whole.problem == header.problem, "a bad header is a bad file");
}

} // namespace heddle::fuzz
