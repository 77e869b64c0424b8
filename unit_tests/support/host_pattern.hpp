// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/data_movement.hpp>
#include <support/structures.hpp>

#include <cstdint>

namespace heddle::test
{

inline HostPattern host_pattern(Structure const& s)
{
  HostPattern pattern{s.rows, s.cols, {0}, {}};
  for (auto const& row : s.columns)
  {
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
    pattern.offsets.push_back(static_cast<std::int64_t>(pattern.columns.size()));
  }
  return pattern;
}

} // namespace heddle::test
