// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace heddle::perf
{

// How many entries A may have; both ends belong to it.
struct EntryRange
{
  static constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

  std::int64_t least = 0, most = no_end;

  bool is_everything() const { return least == 0 && most == no_end; }
  bool has(std::int64_t entries) const { return least <= entries && entries <= most; }
};

// "1e5:2e8", "1e5:", ":2e8". Throws InvalidArgument where the text is none of these.
EntryRange parse_entry_range(std::string const& text);

} // namespace heddle::perf
