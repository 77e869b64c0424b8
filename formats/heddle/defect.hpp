// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace heddle
{

/// The first broken invariant of a matrix, as validate finds it. Row is the row of the matrix (of a
/// row of blocks, its first), position the place in the array that the sentence is about; each is
/// -1 where the defect has none.
struct Defect
{
  std::string what; ///< a sentence with the numbers
  std::int64_t row = -1;
  std::int64_t position = -1;
};

} // namespace heddle
