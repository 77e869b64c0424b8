// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <cstdint>
#include <vector>

namespace heddle::perf
{

// How many entries lie in each of equal pieces of a matrix, row by row: a spy plot that a matrix of
// any size can have.
struct Density
{
  std::int64_t height = 0, width = 0; // in pieces
  std::vector<std::int64_t> entries{};
  std::int64_t most = 0; // entries that a piece could have

  std::int64_t at(std::int64_t row, std::int64_t column) const
  {
    return entries[row * width + column];
  }
};

// The longer side has as many pieces as asked for, or one for each row or column where these are
// fewer; the other in proportion.
Density density_of(HostMatrix<double> const& a, std::int64_t pieces);

} // namespace heddle::perf
