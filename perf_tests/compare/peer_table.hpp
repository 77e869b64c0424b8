// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <compare/timing.hpp>

namespace heddle::perf
{

// How a table of peers is read.
struct PeerTableSettings
{
  std::vector<std::string> excluded;  // patterns of names to leave out
  std::vector<std::string> unchecked; // patterns of names that need no check
  std::string value_type = "f64";     // where the table has no column type
};

// The rows of a CSV table of peers. Its columns are found by name: implementation, matrix,
// median_ms; where they are there also k, type, nnz or nnz_a, check, operation, layout. What a row
// does not say in the last two, the words of its name say (cut at underscores): T is a product with
// A^T, col column-major B and C, a last word numeric the numeric phase of a multiply whose pattern
// is known. k = 1 is SpMV, more is SpMM, a table without k has SpGEMM. A row without a time, or
// whose check is neither empty nor ok, is skipped with the reason. Throws as read_csv does, and
// ParseError where a cell should be a number or a needed column is not there.
std::vector<Timing> read_peer_table(std::string const& file, PeerTableSettings const& settings);

} // namespace heddle::perf
