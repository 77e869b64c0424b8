// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::impl
{

// The pattern of a square matrix on the host.
struct Graph
{
  std::vector<std::int64_t> offsets{0}, columns; // of row i: offsets[i] .. offsets[i + 1] - 1

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

// Reverse Cuthill-McKee on the pattern of A + A^T: place i has row order[i]. Library
// heddle::reorder.
std::vector<std::int64_t> reverse_cuthill_mckee(Graph const& pattern);

} // namespace heddle::impl
