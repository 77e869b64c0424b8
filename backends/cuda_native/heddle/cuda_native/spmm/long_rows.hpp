// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// The rows of a matrix that have `least` entries and more, of which a plan has a list, and about
// how many entries these are; none where it has no list.
template <class Ordinal>
struct LongRows
{
  Ordinal const* rows = nullptr; // on the device
  std::int64_t count = 0, entries = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
};

} // namespace heddle::cuda_native
