// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/row_segment_model.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

using heddle::test::h200;
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

TEST_CASE("heavy segments are coarsened as the model expects the least time", "[cuda_native]")
{
  heddle::RowSegmentModel::OfType model;
  model.vertical = 4;
  CHECK(Policy::vertical(model, {1, 1, 1, 1}, 1024, h200) == 4); // no cost is known
  model.heavy = {{{1, 4}, {3, 3}, {9, 2}}};
  CHECK(Policy::vertical(model, {10, 1, 0, 0}, 1024, h200) == 1);
  CHECK(Policy::vertical(model, {1, 3, 0, 0}, 1024, h200) == 2);
  CHECK(Policy::vertical(model, {1, 100, 0, 0}, 1024, h200) == 4);
  CHECK(Policy::vertical(model, {1, 100, 0, 0}, 113 * 256, h200) ==
        4); // a block of two has 113 KiB
  CHECK(Policy::vertical(model, {1, 100, 0, 0}, 113 * 256 + 1, h200) == 2); // no room for four
  CHECK(Policy::vertical(model, {1, 100, 0, 0}, 200 << 10, h200) == 1);
}

TEST_CASE("a heavy block has enough entries to pay for its panel", "[cuda_native]")
{
  CHECK(Policy::entries_per_block(1000, 226, h200) == 8 * 226);
  // 132 processors, two blocks on each, four times over.
  CHECK(Policy::entries_per_block(1056 * 5000, 226, h200) == 5001);
}
