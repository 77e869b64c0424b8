// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using heddle::cuda_native::SpmvCsrRowsPolicyFor;

namespace
{

heddle::impl::RowStatistics rows_of(std::int64_t rows, std::int64_t mean, std::int64_t longest)
{
  return {.rows = rows, .nonzeros = rows * mean, .longest = longest};
}

int threads(std::int64_t rows, std::int64_t mean)
{
  return SpmvCsrRowsPolicyFor::threads_per_row(rows_of(rows, mean, mean));
}

} // namespace

TEST_CASE("a row of mean length takes one batch of loads", "[cuda_native]")
{
  CHECK(threads(1000000, 1) == 2);
  CHECK(threads(1000000, 8) == 2);
  CHECK(threads(1000000, 9) == 4);
  CHECK(threads(1000000, 27) == 8);
  CHECK(threads(190000, 42) == 16);
  CHECK(threads(190000, 77) == 16);
  CHECK(threads(40000, 127) == 32);
  CHECK(threads(10, 100000) == 32);
}

TEST_CASE("rows are regular where the longest is not waited for", "[cuda_native]")
{
  CHECK(SpmvCsrRowsPolicyFor::is_regular(rows_of(1000000, 5, 5)));
  CHECK(SpmvCsrRowsPolicyFor::is_regular(rows_of(1000000, 80, 510)));
  CHECK_FALSE(SpmvCsrRowsPolicyFor::is_regular(rows_of(36692, 10, 1383)));
  CHECK_FALSE(SpmvCsrRowsPolicyFor::is_regular(rows_of(93279, 13, 93261)));
  CHECK(SpmvCsrRowsPolicyFor::is_regular(rows_of(100000000, 13, 50000))); // the others hide it
}

TEST_CASE("matrices without rows or entries are regular", "[cuda_native]")
{
  CHECK(threads(0, 0) == 2);
  CHECK(threads(10, 0) == 2);
  CHECK(SpmvCsrRowsPolicyFor::is_regular(rows_of(0, 0, 0)));
  CHECK(SpmvCsrRowsPolicyFor::is_regular(rows_of(10, 0, 0)));
}

TEST_CASE("the second-level cache keeps what half of it holds", "[cuda_native]")
{
  heddle::cuda_native::DeviceShape device{};
  device.l2_bytes = 50 << 20;
  CHECK(SpmvCsrRowsPolicyFor::stays_cached(25.0 * (1 << 20), device));
  CHECK_FALSE(SpmvCsrRowsPolicyFor::stays_cached(25.0 * (1 << 20) + 1, device));
}
