// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zoo/settings.hpp>
#include <zoo/split.hpp>

namespace heddle::perf
{

// The family of matrices that are files.
inline constexpr char const* real_family = "real";

// A matrix of the zoo before it is made or read.
struct ZooEntry
{
  std::string name, family;
  ZooPart part = ZooPart::tuning;
  std::int64_t rows = 0, cols = 0, entries = 0;
  bool is_exact = false;  // so many entries, not about so many
  std::string stands_for; // the name of the gallery with the drawn parameters; of a file its path
};

// All that are generated, in the order of zoo_split().
std::vector<ZooEntry> generated_zoo();

// The .mtx, .mtx.gz and .bin files of a folder (not of folders in it), by name. Reads their headers
// alone. Throws FileError where the folder cannot be read or has none, or two of one name.
std::vector<ZooEntry> real_zoo(std::string const& folder);

// Those that the settings ask for. Throws InvalidArgument where a family is not known.
std::vector<ZooEntry> chosen_zoo(ZooSettings const& settings);

} // namespace heddle::perf
