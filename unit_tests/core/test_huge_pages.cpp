// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/views.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace
{

using Host = Kokkos::DefaultHostExecutionSpace;
using Bytes = Kokkos::View<char*, Kokkos::HostSpace>;

// What Linux notes of the mapping that an address is in (proc_pid_smaps(5)): " hg" stands for
// advice to take huge pages.
std::string flags_of_mapping(void const* address)
{
  auto const wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream smaps("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(smaps, line);)
  {
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> first >> dash >> last && dash == '-')
      is_it = first <= wanted && wanted < last;
    else if (is_it && line.starts_with("VmFlags:"))
      return line + " ";
  }
  return "";
}

} // namespace

TEST_CASE("large arrays of hosts ask for huge pages", "[memory]")
{
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
    SKIP("this system has no transparent huge pages");
  Host const exec{};
  constexpr std::size_t mib = std::size_t(1) << 20;
  auto const large = heddle::impl::uninitialized<Bytes>(exec, "large", 64 * mib);
  std::string const flags = flags_of_mapping(large.data() + 32 * mib);
  if (flags.empty())
    SKIP("/proc/self/smaps has no flags");
  INFO(flags);
  CHECK(flags.find(" hg ") != std::string::npos);
  // The ends belong to pages that others may have, too.
  large(0) = 1;
  large(64 * mib - 1) = 2;
  CHECK(large(0) + large(64 * mib - 1) == 3);
}
