// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Memory of the program between cases, when every plan and matrix has been dropped: it must not
// grow with the number of cases.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test::random
{

struct MemoryUse
{
  std::int64_t host = 0;   // bytes of the heap that are in use
  std::int64_t device = 0; // bytes of the device that are not free, heddle's pool among them
};

// Now; 0 where the system does not say.
MemoryUse memory_use();

// "" or how much more memory there is in the second half of the samples than in the first. The heap
// must be back where it was, but for what tests count and what Kokkos keeps once per program; the
// pool of a device may keep what its largest case needed, of which there may be a larger one late.
inline std::string growth(std::vector<MemoryUse> const& samples)
{
  auto const most = [&](std::int64_t MemoryUse::*which, std::size_t first, std::size_t last) {
    std::int64_t bytes = 0;
    for (std::size_t n = first; n < last; ++n)
      bytes = std::max(bytes, samples[n].*which);
    return bytes;
  };
  constexpr std::int64_t mebibyte = 1 << 20;
  std::size_t const half = samples.size() / 2;
  std::int64_t const host = most(&MemoryUse::host, 0, half),
                     host_later = most(&MemoryUse::host, half, samples.size()),
                     device = most(&MemoryUse::device, 0, half),
                     device_later = most(&MemoryUse::device, half, samples.size());
  if (host_later > host + mebibyte)
    return "the heap grew from " + std::to_string(host) + " to " + std::to_string(host_later) +
           " bytes";
  if (device_later > device + device / 10 + 64 * mebibyte)
    return "device memory grew from " + std::to_string(device) + " to " +
           std::to_string(device_later) + " bytes";
  return "";
}

} // namespace heddle::test::random
