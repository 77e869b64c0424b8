// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/csr_tiles_policy.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using Policy = heddle::cuda_native::SpmmTilesPolicy;
using heddle::impl::RowStatistics;

namespace
{

constexpr int multiprocessors = heddle::test::h200.multiprocessors;

int length(RowStatistics const& rows, std::size_t value_bytes)
{
  return Policy::length(rows, value_bytes, multiprocessors);
}

} // namespace

TEST_CASE("tiles of SpMM are as long as there are entries for all multiprocessors", "[cuda_native]")
{
  CHECK(length({.rows = 10000, .nonzeros = 100000, .longest = 12}, 4) == 256);
  CHECK(length({.rows = 80000, .nonzeros = 800000, .longest = 12}, 4) == 512);
  CHECK(length({.rows = 1000000, .nonzeros = 10000000, .longest = 12}, 4) == 1024);
  // Four rows of the mean length, though there are few blocks.
  CHECK(length({.rows = 100, .nonzeros = 10000, .longest = 120}, 4) == 512);
}

TEST_CASE("tiles of SpMM leave room for the first-level cache", "[cuda_native]")
{
  RowStatistics rows{.rows = 1000000, .nonzeros = 10000000, .longest = 500};
  CHECK(length(rows, 4) == 1024);
  CHECK(length(rows, 8) == 512);
  CHECK(length(rows, 16) == 256);
  rows.longest = 100000; // a tile may have 2048 entries of 12 bytes
  CHECK(length(rows, 4) == 512);
  CHECK(Policy::most_entries(512, rows.longest) == 1024);
  CHECK(Policy::most_entries(512, 30) == 542);
}

TEST_CASE("tiles of SpMM are for many entries or long rows, not for the longest", "[cuda_native]")
{
  auto const are_enough = [](RowStatistics const& rows) {
    return Policy::are_enough(rows, multiprocessors);
  };
  CHECK_FALSE(are_enough({.rows = 10000, .nonzeros = 500000, .longest = 300}));
  CHECK(are_enough({.rows = 10000, .nonzeros = 500000, .longest = 1025}));
  CHECK(are_enough({.rows = 100000, .nonzeros = 1000000, .longest = 300}));
  // 35 rows of 1900 entries are shared, 106390 entries in one row are too many for a cluster.
  CHECK(Policy::shared_from(66000) < 1900);
  CHECK(Policy::longest_row(66000, true) > 1900);
  CHECK(Policy::longest_row(66000, false) < 1900);
  CHECK(Policy::longest_row(745000, true) < 106390);
  CHECK(Policy::shared_from(10000000) > 29337);
}

TEST_CASE("rows of SpMM that are alike and have a warp each need no tiles", "[cuda_native]")
{
  CHECK(Policy::has_longer_rows_alike({.rows = 4096, .nonzeros = 1679360, .longest = 410}));
  CHECK_FALSE(Policy::has_longer_rows_alike({.rows = 539379, .nonzeros = 19957023, .longest = 37}));
  CHECK_FALSE(Policy::has_longer_rows_alike({.rows = 34, .nonzeros = 124617, .longest = 3784}));
}

TEST_CASE("tiles of SpMM pay with a wider B where rows are short or long ones few", "[cuda_native]")
{
  auto const pay = [](RowStatistics const& rows, std::int64_t b_row_bytes,
                      bool has_clusters = true) {
    return Policy::pay(rows, 0, b_row_bytes, multiprocessors, has_clusters);
  };
  // A netlist; without clusters a block works on its longest row for too long.
  RowStatistics const nets{.rows = 207674, .nonzeros = 1013527, .longest = 4965};
  CHECK(pay(nets, 256));
  CHECK(pay(nets, 4096));
  CHECK_FALSE(pay(nets, 256, false));
  CHECK(pay(nets, 64, false));
  // Rows that are mostly empty.
  auto const pay_with_empty = [&](std::int64_t empty_rows, std::int64_t b_row_bytes) {
    return Policy::pay(nets, empty_rows, b_row_bytes, multiprocessors, true);
  };
  CHECK(pay_with_empty(nets.rows / 2, 256));
  CHECK_FALSE(pay_with_empty(nets.rows / 2 + 1, 256));
  CHECK(pay_with_empty(nets.rows - 1, 64));
  // No long row: where there is work enough.
  RowStatistics const lognormal{.rows = 44608, .nonzeros = 220093, .longest = 128};
  CHECK(pay(lognormal, 512));
  CHECK_FALSE(pay(lognormal, 128));
  CHECK_FALSE(pay(lognormal, 32));
  // Longer rows in the mean: a short call with a long row.
  RowStatistics const program{.rows = 7744, .nonzeros = 129937, .longest = 1500};
  CHECK(pay(program, 256));
  CHECK_FALSE(pay(program, 512));
  CHECK_FALSE(pay({.rows = 65536, .nonzeros = 1122953, .longest = 7107}, 256));
  // Rows alike, and rows of which one has a column in all rows.
  CHECK_FALSE(pay({.rows = 300000, .nonzeros = 2100000, .longest = 7}, 1024));
  CHECK_FALSE(pay({.rows = 106390, .nonzeros = 744730, .longest = 106390}, 1024));
}

TEST_CASE(
    "clusters share more rows of SpMM with a wider B, if one row is longer than the others take",
    "[cuda_native]")
{
  RowStatistics const nets{.rows = 207674, .nonzeros = 1013527, .longest = 4965};
  CHECK(Policy::shared_from_if_wide(nets) == 512 + 1013527 / 1024);
  CHECK(Policy::shared_from_if_wide(nets) < Policy::shared_from(nets.nonzeros));
  RowStatistics const many_nets{.rows = 900581, .nonzeros = 4500000, .longest = 4990};
  CHECK(Policy::shared_from_if_wide(many_nets) > many_nets.longest);
}

TEST_CASE("tiles of B are as wide as leaves a group of lanes few entries", "[cuda_native]")
{
  auto const b_tile = [](int length, std::int64_t tiles, std::int64_t b_row_bytes, int most = 512) {
    return Policy::b_tile(length, tiles, b_row_bytes, most, multiprocessors);
  };
  CHECK(b_tile(256, 1000, 4096) == 512);
  CHECK(b_tile(512, 1000, 4096) == 256);
  CHECK(b_tile(1024, 1000, 4096) == 128);
  CHECK(b_tile(256, 1000, 4096, 256) == 256); // by the second-level cache
  CHECK(b_tile(256, 1000, 32) == 128);
  // Few tiles: narrower ones are more blocks.
  CHECK(b_tile(256, 109, 512) == 128);
  CHECK(b_tile(256, 200, 512) == 256);
  CHECK(b_tile(256, 109, 4096) == 512);
}
