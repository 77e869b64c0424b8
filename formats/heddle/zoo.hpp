// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle
{

/// A family of matrices of one structure with drawn parameters: zoo_NAME_1, zoo_NAME_2, ... are
/// names of the gallery, the same matrices everywhere. docs/zoo.md. Library heddle::gallery.
struct ZooFamily
{
  std::string name;
  std::string description;
  std::int64_t least_entries, most_entries; ///< between which sizes are spread, about
  bool has_large; ///< zoo_NAME_100 and above are there, of 5 10^7 to 2 10^8 entries
};

/// All of them, in the order of docs/zoo.md.
std::vector<ZooFamily> zoo_families();

/// What a matrix of the zoo will be, before it is made.
struct ZooMatrix
{
  std::string name, family;
  std::string stands_for; ///< the name of the gallery with the drawn parameters
  std::int64_t rows, cols, entries;
  bool is_exact; ///< whether `entries` is exact; else it is an estimate
};

/// Throws InvalidArgument where there is no matrix of this name: numbers are 1 to 99 and, in
/// families that have large matrices, 100 to 199.
ZooMatrix zoo_matrix(std::string const& name);

} // namespace heddle
