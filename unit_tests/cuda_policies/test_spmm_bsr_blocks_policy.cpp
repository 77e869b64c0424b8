// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/policy.hpp>

#include <catch2/catch_test_macros.hpp>

using heddle::cuda_native::SpmmBsrPolicy;

TEST_CASE("pieces of a block row cover all rows of its blocks", "[cuda_native]")
{
  for (int height = 1; height <= 100; ++height)
  {
    INFO(height << " rows");
    int const pieces = SpmmBsrPolicy::pieces(height), rows = SpmmBsrPolicy::rows_of_piece(height);
    CHECK(pieces * rows >= height);
    CHECK((rows & (rows - 1)) == 0);
    CHECK(rows <= 8);
    // No piece is empty, and none has more rows than its kernel takes.
    for (int piece = 0; piece < pieces; ++piece)
    {
      int const here = (piece + 1) * height / pieces - piece * height / pieces;
      CHECK((here > 0 && here <= rows));
    }
  }
}

TEST_CASE("blocks come to shared memory in whole groups of those in flight", "[cuda_native]")
{
  for (int lanes = 4; lanes <= 32; lanes *= 2)
  {
    CHECK(SpmmBsrPolicy::staged_blocks<2, 1>(lanes) % SpmmBsrPolicy::blocks_in_flight<2, 1> == 0);
    CHECK(SpmmBsrPolicy::staged_blocks<3, 1>(lanes) % SpmmBsrPolicy::blocks_in_flight<3, 1> == 0);
    CHECK(SpmmBsrPolicy::staged_blocks<4, 1>(lanes) % SpmmBsrPolicy::blocks_in_flight<4, 1> == 0);
    CHECK(SpmmBsrPolicy::staged_blocks<2, 2>(lanes) % SpmmBsrPolicy::blocks_in_flight<2, 2> == 0);
    CHECK(SpmmBsrPolicy::staged_blocks<8, 1>(lanes) >= 1);
  }
}

TEST_CASE("a lane has two packets where enough lanes are left", "[cuda_native]")
{
  CHECK(!SpmmBsrPolicy::takes_two_packets(3, 8));
  CHECK(SpmmBsrPolicy::takes_two_packets(3, 16));
  CHECK(SpmmBsrPolicy::takes_two_packets(4, 32));
  CHECK(!SpmmBsrPolicy::takes_two_packets(5, 32));
}
