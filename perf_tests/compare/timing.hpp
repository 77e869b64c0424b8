// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// What is computed with a matrix: times are comparable within one.
struct Problem
{
  std::string operation;  // spmv, spmm_t, ... as in JSON rows
  std::string value_type; // f32, f64, c32, c64
  std::int64_t k = 1;
  std::string layout; // of B and C: row, col, row to col; empty where there are none

  auto operator<=>(Problem const&) const = default;
};

// "spmm f64, k = 32, row-major"
std::string to_text(Problem const& problem);

// With four digits, of whatever size it is: times reach from microseconds to minutes.
std::string ms_text(double ms);

// What a row of results, or of a table of peers, says about one implementation and one matrix.
struct Timing
{
  Problem problem;
  std::string matrix, implementation;
  std::string index_types, format, parameters; // empty where a row has none
  std::int64_t nnz = 0;                        // 0: not known
  double median_ms = 0.0;
  std::string skipped; // why there is no time

  bool is_skipped() const { return !skipped.empty(); }
};

// Whose an implementation is: "cusparse" of cusparse::csr_alg2 and of cusparse_csr_alg2_row.
std::string family_of(std::string const& implementation);

// Which method of its family: the words of the name (cut at : and _) but for those that say what is
// computed. "csr alg2" of cusparse::csr_alg2 and of cusparse_csr_alg2_row; empty of a family with
// one method.
std::string algorithm_of(std::string const& implementation);

// Whether name is like one of the patterns of a shell, such as "cusparse_*".
bool is_like_any(std::string const& name, std::vector<std::string> const& patterns);

} // namespace heddle::perf
