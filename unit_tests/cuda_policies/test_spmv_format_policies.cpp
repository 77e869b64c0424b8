// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using heddle::test::h200;
using namespace heddle::cuda_native;

TEST_CASE("lanes of a warp read neighbouring places of a slice", "[cuda_native]")
{
  auto const lanes = SpmvSlicesPolicyFor::lanes_per_row;
  CHECK(lanes(32, 5.0, 8) == 1);
  CHECK(lanes(32, 27.0, 8) == 2);
  CHECK(lanes(32, 27.0, 4) == 1); // half a warp of floats would not fill a line
  CHECK(lanes(16, 5.0, 8) == 2);
  CHECK(lanes(8, 5.0, 4) == 4);
  CHECK(lanes(5, 5.0, 8) == 4);
  CHECK(lanes(1, 5.0, 8) == 32);
  CHECK(lanes(1000, 5.0, 8) == 1);
}

TEST_CASE("warps share rows that are long or few", "[cuda_native]")
{
  auto const warps = [](std::int64_t rows, double mean, int lanes) {
    return SpmvSlicesPolicyFor::warps_per_row(rows, mean, lanes, h200);
  };
  CHECK(warps(1000000, 5.0, 1) == 1);
  CHECK(warps(1000000, 27.0, 1) == 1);
  CHECK(warps(1000000, 27.0, 2) == 1);
  CHECK(warps(1000000, 42.0, 2) == 2);
  CHECK(warps(1000000, 42.0, 1) == 4);
  CHECK(warps(20000, 27.0, 1) == 4); // few rows
  CHECK(warps(20000, 5.0, 1) == 1);  // but nothing to share
  CHECK(warps(0, 0.0, 1) == 1);
}

TEST_CASE("more blocks of a row get more threads", "[cuda_native]")
{
  CHECK(SpmvBsrBlocksPolicyFor::threads_per_row(0.0) == 2);
  CHECK(SpmvBsrBlocksPolicyFor::threads_per_row(8.0) == 2);
  CHECK(SpmvBsrBlocksPolicyFor::threads_per_row(15.0) == 8);
  CHECK(SpmvBsrBlocksPolicyFor::threads_per_row(27.0) == 8);
  CHECK(SpmvBsrBlocksPolicyFor::threads_per_row(1000.0) == 32);
}

TEST_CASE("tiles are whole words of all threads", "[cuda_native]")
{
  constexpr SpmvCsrTilesPolicy wide = SpmvCsrTilesPolicyFor<16>::value;
  constexpr SpmvCsrTilesPolicy narrow = SpmvCsrTilesPolicyFor<4>::value;
  for (SpmvCsrTilesPolicy const& policy : {wide, narrow})
    CHECK(policy.entries_per_tile % (4 * policy.threads_per_block) == 0);
  // One plan serves vectors of any type.
  CHECK(wide.entries_per_tile == narrow.entries_per_tile);
}

TEST_CASE("blocks share a row that would be waited for", "[cuda_native]")
{
  CHECK(blocks_per_long_row(1025, 100000) == 1);
  CHECK(blocks_per_long_row(10049, 1942523) == 1);
  CHECK(blocks_per_long_row(18343, 637880) == 2);
  CHECK(blocks_per_long_row(93261, 1211231) == 8);
  CHECK(blocks_per_long_row(23461, 8174823) == 1); // the matrix takes longer
  CHECK(blocks_per_long_row(100000000, 100000000) == 8);
}

TEST_CASE("parts of a long row are few, and not small", "[cuda_native]")
{
  using Policy = SpmvLongRowsPolicy;
  CHECK(Policy::parts(1) == 1);
  CHECK(Policy::parts(4096) == 1);
  CHECK(Policy::parts(4097) == 2);
  CHECK(Policy::parts(100'000) == 25);
  CHECK(Policy::parts(4'000'000'000) == 32);
  // Rows that a cluster of blocks is done with before the matrix is.
  CHECK(Policy::most_of_cluster(0) == 98304);
  CHECK(Policy::most_of_cluster(32'000'000) == 1'098'304);
}

TEST_CASE("a thread has a short row where neighbours have columns in common", "[cuda_native]")
{
  auto const has_one = [](double same_share, std::int64_t mean, std::int64_t longest,
                          std::size_t value_bytes, double next_share = 0.0) {
    std::int64_t const rows = 1'000'000;
    return SpmvScatterPolicyFor::has_thread_per_row(
        {.rows = rows, .nonzeros = rows * mean, .longest = longest}, next_share, same_share,
        value_bytes);
  };
  CHECK(has_one(0.1, 2, 2, 8));
  CHECK_FALSE(has_one(0.09, 2, 2, 8));
  CHECK(has_one(0.5, 6, 20, 8));
  CHECK_FALSE(has_one(0.5, 7, 7, 8));
  CHECK_FALSE(has_one(0.5, 2, 2000, 8)); // the others would wait
  // Small values, whatever the columns are.
  CHECK(has_one(0.0, 3, 3, 4));
  CHECK_FALSE(has_one(0.0, 4, 4, 4));
  CHECK_FALSE(has_one(0.0, 3, 2000, 4));
  // Rows that have the next column.
  CHECK(has_one(0.0, 3, 3, 8, 0.5));
  CHECK_FALSE(has_one(0.0, 3, 3, 8, 0.4));
  CHECK_FALSE(has_one(0.0, 4, 4, 8, 0.9));
}

TEST_CASE("panels pay where many entries share an x that the cache does not hold", "[cuda_native]")
{
  auto const can_pay = [](std::int64_t cols, std::int64_t nonzeros, std::size_t value_bytes) {
    return SpmvCsrPanelsPolicyFor::can_pay({.rows = cols, .nonzeros = nonzeros, .longest = 1}, cols,
                                           value_bytes, h200);
  };
  CHECK(can_pay(40000, 5075968, 8));
  CHECK_FALSE(can_pay(40000, 5075968, 4)); // one panel: the cache holds it
  CHECK_FALSE(can_pay(40000, 367662, 8));  // too few entries for reading x everywhere
  CHECK_FALSE(can_pay(400000, 50759680, 8));
  CHECK_FALSE(can_pay(0, 0, 8));
}

TEST_CASE("threads per row of A^T x go by lengths and by what neighbouring rows repeat",
          "[cuda_native]")
{
  using Policy = SpmvScatterPolicyFor;
  auto const threads = [](std::int64_t rows, std::int64_t nonzeros, std::int64_t longest,
                          double next = 0, double same = 0) {
    return Policy::threads_per_row({.rows = rows, .nonzeros = nonzeros, .longest = longest}, next,
                                   same);
  };
  CHECK(threads(1000, 5000, 5) == 2);
  CHECK(threads(1000, 5001, 6) == 4);
  CHECK(threads(1000, 20000, 20) == 8);
  CHECK(threads(1000, 250000, 250) == 32);
  CHECK(threads(1000, 250001, 251) == 0); // blocks of entries
  CHECK(threads(1000, 5000, 40) == 2);
  CHECK(threads(1000, 5000, 41) == 4);  // the others would wait
  CHECK(threads(1000, 5000, 160) == 8); // four times as many as the mean asks for
  CHECK(threads(1000, 5000, 161) == 0);
  CHECK(threads(0, 0, 0) == 2);
  CHECK(threads(1000, 27000, 27) == 16);
  CHECK(threads(1000, 27000, 27, 0.5) == 2); // a grid
  CHECK(threads(1000, 27000, 27, 0.49) == 16);
  CHECK(threads(1000, 60001, 61, 0.9) == 32);
  CHECK(threads(1000, 27000, 45, 0.5) == 4); // the longest row
  // Rows with the columns of the row before: not where two threads do them in one batch.
  CHECK(threads(1000, 5000, 5, 0, 0.5) == 2);
  CHECK(threads(1000, 5001, 6, 0, 0.25) == 8);
  CHECK(threads(1000, 5001, 6, 0, 0.24) == 4);
  CHECK(threads(1000, 27000, 27, 0.5, 0.25) == 8);
  CHECK(threads(1000, 77000, 81, 0, 0.7) == 32);
  CHECK(Policy::is_hot(0.01, 204800));
  CHECK_FALSE(Policy::is_hot(0.01, 204799));
  CHECK_FALSE(Policy::is_hot(1.0 / 385, 100000000));
}

TEST_CASE("building a compressed pattern is charged as it was measured", "[cuda_native]")
{
  // Calls of 20 and 40 are what plans allow unasked and asked. Bytes: values, x and y.
  auto const& policy = heddle::cuda_native::spmv_compression;
  std::int64_t const stencil = 26463592, elasticity = 14787288;
  CHECK(policy.templates.calls(stencil, 8.0 * (stencil + 2e6)) < 20);
  CHECK(policy.templates.calls(elasticity, 4.0 * (elasticity + 384000)) < 20);
  CHECK(policy.runs.calls(elasticity, 8.0 * (elasticity + 384000)) < 20);
  CHECK(policy.runs.calls(elasticity, 4.0 * (elasticity + 384000)) < 20);
  std::int64_t const small = 1 << 20; // calls are launches more than bytes
  CHECK(policy.runs.calls(small, 4.0 * (small + 28000)) > 20);
  CHECK(policy.runs.calls(small, 4.0 * (small + 28000)) < 40);
  CHECK(policy.assumed_calls == 20);
  CHECK(policy.most_calls == 40);
  CHECK(policy.least_entries == 2 * policy.least_entries_announced);
}

TEST_CASE("lanes add up first where short rows have the column of the row before",
          "[cuda_native][spmv]")
{
  CHECK(SpmvScatterPolicyFor::has_lanes_alike(0.5, 10));
  CHECK_FALSE(SpmvScatterPolicyFor::has_lanes_alike(0.1, 10));
  CHECK_FALSE(SpmvScatterPolicyFor::has_lanes_alike(0.9, 100)); // a warp has entries of one row
}
