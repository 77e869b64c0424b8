// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/search.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using heddle::impl::find_ascending;
using heddle::impl::last_not_above;
using heddle::impl::last_not_above_from;
using heddle::impl::lower_bound;
using heddle::impl::partition_point;

namespace
{

// Numbers that do not fall, some of them equal: 0 0 2 2 4 4 ...
std::vector<std::int64_t> pairs(std::int64_t count)
{
  std::vector<std::int64_t> values;
  for (std::int64_t n = 0; n < count; ++n)
    values.push_back(n / 2 * 2);
  return values;
}

} // namespace

TEST_CASE("binary searches agree with the standard library", "[search]")
{
  for (std::int64_t count = 0; count <= 40; ++count)
  {
    std::vector<std::int64_t> const values = pairs(count);
    auto const at = [&](std::int64_t n) { return values.at(static_cast<std::size_t>(n)); };
    for (std::int64_t key = -1; key <= count + 1; ++key)
    {
      INFO(count << " values, key " << key);
      auto const lower = std::lower_bound(values.begin(), values.end(), key) - values.begin();
      auto const upper = std::upper_bound(values.begin(), values.end(), key) - values.begin();
      CHECK(lower_bound(at, std::int64_t(0), count, key) == lower);
      CHECK(partition_point(std::int64_t(0), count, [&](std::int64_t n) { return at(n) <= key; }) ==
            upper);
      CHECK(find_ascending(at, std::int64_t(0), count, key) == (lower < upper ? lower : count));
      CHECK(last_not_above(at, count, key) == std::max<std::int64_t>(upper - 1, 0));
      for (std::int64_t from = 0; from < upper; ++from)
        CHECK(last_not_above_from(from, at, count, key) == upper - 1);
    }
  }
}

TEST_CASE("a search begins where it is told to", "[search]")
{
  std::vector<std::int64_t> const values = pairs(20);
  auto const at = [&](std::int64_t n) { return values.at(static_cast<std::size_t>(n)); };
  CHECK(lower_bound(at, std::int64_t(7), std::int64_t(20), 2) == 7);
  CHECK(lower_bound(at, std::int64_t(7), std::int64_t(9), 100) == 9);
  CHECK(find_ascending(at, std::int64_t(7), std::int64_t(20), 2) == 20);
}
