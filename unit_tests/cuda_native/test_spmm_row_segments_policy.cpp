// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm_row_segments_policy.hpp>

#include <catch2/catch_test_macros.hpp>

using Policy = heddle::cuda_native::SpmmRowSegmentsPolicyFor;

TEST_CASE("a warp takes no slices without columns, nor more than shared memory holds",
          "[cuda_native]")
{
  CHECK(Policy::within(4, 1, 4) == 1);
  CHECK(Policy::within(4, 32, 4) == 1);
  CHECK(Policy::within(4, 33, 4) == 2);
  CHECK(Policy::within(4, 64, 4) == 2);
  CHECK(Policy::within(4, 65, 4) == 4);
  CHECK(Policy::within(2, 1000, 4) == 2);
  CHECK(Policy::within(4, 1000, 3) == 2);
  CHECK(Policy::within(4, 1000, 1) == 1);
}

TEST_CASE("coarsening of light rows is that of paper 000", "[cuda_native]")
{
  CHECK(Policy::horizontal(4) == 2);
  CHECK(Policy::horizontal(8) == 1);
  CHECK(Policy::horizontal(16) == 1);
}

TEST_CASE("a heavy block has enough entries to pay for its panel", "[cuda_native]")
{
  CHECK(Policy::entries_per_block(1000, 226, 132) == 8 * 226);
  // 132 processors, two blocks on each, four times over.
  CHECK(Policy::entries_per_block(1056 * 5000, 226, 132) == 5001);
}
