// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <cstdint>
#include <vector>

namespace heddle::perf
{

// Adds what the caches of this machine give: words a second, of 4 bytes, that all processors read
// of one region, which each reads from another place on, by its size; of shared memory, on CUDA;
// and where the sweep leaves the last cache. A few seconds.
void add_caches(MachineDescription& machine);

// The largest region that is read half as fast again as the largest of all, which no cache holds.
// 0 where there is none. Points by size.
std::int64_t last_cache_of(std::vector<CachePoint> const& sweep);

} // namespace heddle::perf
