// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <compare/peer_table.hpp>

namespace heddle::perf
{

// What the command line of peers asks for.
struct PeersSettings
{
  std::vector<std::string> files; // tables (*.csv) and results, in any order
  PeerTableSettings table;
  std::string implementation = "heddle::auto";
  std::vector<std::string> families = {"cusparse", "kokkoskernels"}; // shown apart
  bool has_agreement = false; // compares our measurement of the families with the table's
  double tolerance = 0.1;
  std::string json;
};

// What makes a case slower or faster: more than noise.
struct CompareThresholds
{
  double ratio = 1.10;     // of the times, either way
  double least_ms = 0.005; // difference of the times
};

// What the command line of compare asks for.
struct CompareSettings
{
  std::string old_path, new_path;
  std::vector<std::string> implementations = {"*"}; // patterns of names
  CompareThresholds thresholds;
  bool allows_missing = false;
};

} // namespace heddle::perf
