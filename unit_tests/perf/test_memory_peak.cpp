// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/memory_peak.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <vector>

using heddle::perf::bytes_in_status;
using heddle::perf::memory_taken;

TEST_CASE("sizes are read from the status of a process", "[perf]")
{
  CHECK(bytes_in_status("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 8 kB\n", "VmHWM") == 1234 * 1024);
  CHECK(bytes_in_status("VmHWM:\t 1 kB\nVmRSS:\t 8 kB", "VmRSS") == 8192);
  CHECK_FALSE(bytes_in_status("VmHWM:\t 1 kB\n", "VmRSS").has_value());
  CHECK_FALSE(bytes_in_status("VmHWM:\t 1 MB\n", "VmHWM").has_value());
  CHECK_FALSE(bytes_in_status("", "VmHWM").has_value());
}

#if !defined(KOKKOS_ENABLE_CUDA) && defined(__linux__)
TEST_CASE("a call's memory is what it had at once, not what was there before", "[perf]")
{
  constexpr std::size_t size = 64 << 20;
  auto const bytes = [&](char value) { return std::make_unique<std::vector<char>>(size, value); };
  auto const before = bytes(1);
  auto const lost = memory_taken([&] {
    bytes(2);
    bytes(3);
  });
  if (!lost)
    SKIP("this system does not let a process measure its memory");
  CHECK(lost->peak > size * 9 / 10);
  CHECK(lost->peak < size * 3 / 2);
  CHECK(lost->kept < size / 2);
  std::unique_ptr<std::vector<char>> held;
  auto const kept = memory_taken([&] {
    held = bytes(4);
    bytes(5);
  });
  CHECK(kept->peak > 2 * size * 9 / 10);
  CHECK(kept->kept > size * 9 / 10);
  CHECK(kept->kept < size * 3 / 2);
}
#endif
