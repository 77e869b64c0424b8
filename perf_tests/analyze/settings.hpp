// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// What the command line of analyze asks for.
struct AnalyzeSettings
{
  std::vector<std::string> files, gallery; // one matrix
  std::string out;                         // the page, which Python draws; empty: none
  std::string machine;                     // a file of write_machine; empty: this one, measured
  AnalysisSettings analysis;
  bool has_upper_bound = false;      // of what A x and A A move, by hypergraphs
  std::int64_t cache_bytes = 0;      // 0: the machine's
  double most_vertices = 2e6;        // products, above which rows are the vertices
  std::string partitioner;           // a command; empty: that of the build
  std::vector<std::string> measured; // files and folders of results, shown beside the bounds
  std::string json;                  // figures are added to this file
};

// And that of reorder.
struct ReorderSettings
{
  std::vector<std::string> files, gallery;
  std::vector<std::string> orders;
  std::string out; // the folder of the matrices in their orders
  std::string machine;
  std::int64_t cache_bytes = 0;
  double most_vertices = 2e6;
  std::string partitioner;
  std::string json;
};

} // namespace heddle::perf
