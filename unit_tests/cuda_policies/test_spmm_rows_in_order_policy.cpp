// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/csr_rows_in_order_policy.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <catch2/catch_test_macros.hpp>

#include <bit>
#include <cstdint>

using Policy = heddle::cuda_native::SpmmRowsInOrderPolicy;
using heddle::cuda_native::RowOverlap;
using heddle::cuda_native::RowsInOrderShape;
using heddle::impl::RowStatistics;

TEST_CASE("short rows go in their order where neighbours have columns near each other",
          "[cuda_native]")
{
  RowStatistics const nets{.rows = 207674, .nonzeros = 1013527, .longest = 4965};
  RowOverlap const neighbours{.alone = 0.92, .span = 111264};
  CHECK(Policy::may_pay(nets, neighbours));
  // No column of the five rows before, but columns near each other, or neither.
  CHECK(Policy::may_pay(nets, {.alone = 1.0, .span = 14155}));
  CHECK_FALSE(Policy::may_pay(nets, {.alone = 1.0, .span = 148264}));
  // Rows that are alike, few, or long, or one that would have very many segments.
  CHECK_FALSE(Policy::may_pay({.rows = 207674, .nonzeros = 1013527, .longest = 40}, neighbours));
  CHECK_FALSE(Policy::may_pay({.rows = 29162, .nonzeros = 145808, .longest = 29162}, neighbours));
  CHECK_FALSE(Policy::may_pay({.rows = 207674, .nonzeros = 2700000, .longest = 4965}, neighbours));
  CHECK(Policy::may_pay({.rows = 207674, .nonzeros = 1013527, .longest = 131072}, neighbours));
  CHECK_FALSE(
      Policy::may_pay({.rows = 207674, .nonzeros = 1013527, .longest = 131073}, neighbours));
}

TEST_CASE("short rows go in their order in wide calls that take some time", "[cuda_native]")
{
  CHECK(Policy::pays(207674, 512));
  CHECK_FALSE(Policy::pays(207674, 256));
  CHECK_FALSE(Policy::pays(36692, 512));
  CHECK(Policy::pays(36692, 1024));
}

TEST_CASE("short rows go in their order and not by tiles where they are many", "[cuda_native]")
{
  RowStatistics rows{.rows = 207674, .nonzeros = 1013527, .longest = 4965};
  CHECK(Policy::pays_beside_tiles(rows, {.alone = 0.92}));
  CHECK_FALSE(Policy::pays_beside_tiles(rows, {.alone = 1.0, .span = 14155}));
  rows.rows = 47889;
  CHECK_FALSE(Policy::pays_beside_tiles(rows, {.alone = 0.92}));
}

TEST_CASE("lanes of rows in their order have two packets of a row of B", "[cuda_native]")
{
  auto const is = [](RowsInOrderShape const& shape, int tile_bytes, int rounds) {
    return shape.tile_bytes == tile_bytes && shape.rounds == rounds &&
           shape.long_from == Policy::long_from;
  };
  CHECK(is(Policy::shape(207674, 4096), 512, 4));
  CHECK(is(Policy::shape(207674, 512), 256, 4));
  CHECK(is(Policy::shape(36692, 1024), 512, 2));
  CHECK(is(Policy::shape(36692, 2048), 512, 4)); // two tiles
  CHECK(is(Policy::shape(207674, 768), 512, 4)); // some lanes have one packet
  CHECK(is(Policy::shape(207674, 528), 512, 4));
  for (std::int64_t bytes = 512; bytes <= 5000; bytes += 16)
    CHECK(std::has_single_bit(static_cast<unsigned>(Policy::shape(207674, bytes).tile_bytes)));
}
