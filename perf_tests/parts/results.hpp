// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/json_lines.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <parts/part_times.hpp>

namespace heddle::perf
{

// A matrix in a format and an operation: what its cases have in common.
struct PartsProblem
{
  std::string operation, matrix, format;
  std::int64_t rows = 0, cols = 0, nnz = 0, k = 1;
  std::string device;
};

// One way to cut the rows, and how many processes take part.
struct PartsCase
{
  std::string cut; // whole, rows, entries, places
  std::vector<std::int64_t> cuts;

  int parts() const { return static_cast<int>(cuts.size()) - 1; }
};

// The table and the JSON lines of a problem, by the process that writes them.
class PartsTable
{
public:
  PartsTable(PartsProblem problem, JsonLines& json);

  // A case as the group's slots have it; median_ms: of a call, from the first part's begin to the
  // last one's end. 0 where a slot has a problem. The first case is the whole matrix.
  void add(PartsCase const& c, PartGroup const& group, double median_ms, int rounds);
  void print() const;
  bool has_wrong_results() const { return m_has_wrong_results; }

private:
  PartsProblem m_problem;
  JsonLines& m_json;
  std::vector<std::vector<std::string>> m_lines;
  double m_whole_ms = 0;
  bool m_has_wrong_results = false;
};

} // namespace heddle::perf
