// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::perf
{

// What a matrix of the zoo may be used for: whatever is chosen, fitted or looked at comes from the
// tuning part; the validation part only says how good the choice is.
enum class ZooPart
{
  tuning,
  validation
};

std::string_view to_string(ZooPart part);

// A family of heddle::zoo_families() and its part, with the matrices zoo_FAMILY_1 to
// zoo_FAMILY_COUNT, and zoo_FAMILY_100, a large one, where has_large.
struct ZooSplit
{
  std::string_view family;
  ZooPart part;
  int count;
  bool has_large;
};

std::vector<ZooSplit> const& zoo_split();

// The part of a real matrix, from its name alone (of its file, without folder and suffix).
ZooPart part_of_real(std::string_view name);

} // namespace heddle::perf
