// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/row_random.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::impl
{

std::int32_t* draw_columns(RowRandom& random, std::int64_t n, std::int64_t count,
                           std::int32_t* columns)
{
  std::int32_t* const end = columns + count;
  if (count > n / 8)
  {
    // Selection sampling (Fan, Muller and Rezucha, JASA 57, 1962): one draw per candidate.
    for (std::int64_t j = 0; columns != end; ++j)
      if (random.below(n - j) < end - columns)
        *columns++ = static_cast<std::int32_t>(j);
    return end;
  }
  // Draw as many as are missing, until none repeats.
  for (std::int32_t* filled = columns; filled != end;)
  {
    std::generate(filled, end, [&] { return static_cast<std::int32_t>(random.below(n)); });
    std::sort(columns, end);
    filled = std::unique(columns, end);
  }
  return end;
}

} // namespace heddle::impl
