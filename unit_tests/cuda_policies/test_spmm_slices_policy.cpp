// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using heddle::cuda_native::SpmmSlicesPolicy;
using heddle::test::h200;

TEST_CASE("a group takes several rows where these are short and many", "[cuda_native]")
{
  auto const rows = [](std::int64_t count, double mean, int lanes) {
    return SpmmSlicesPolicy::rows_per_group(count, mean, lanes, h200);
  };
  CHECK(rows(1000000, 5.0, 32) == 8);
  CHECK(rows(1000000, 5.0, 8) == 4);
  CHECK(rows(1000000, 40.0, 8) == 1);
  CHECK(rows(1000, 5.0, 8) == 1);
  // A lane knows one row of its warp.
  for (int lanes = 4; lanes <= 32; lanes *= 2)
    CHECK(rows(100000000, 5.0, lanes) * 32 / lanes <= 32);
}
