// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmv/policy.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using heddle::cuda_native::SpmvRunsPolicyFor;
using heddle::cuda_native::SpmvStagingPolicy;
using heddle::cuda_native::SpmvTemplatesPolicyFor;

TEST_CASE("staged values are those of a block's rows, within shared memory", "[cuda_native]")
{
  CHECK(SpmvStagingPolicy::most_values(7, 128, sizeof(double)) == 1121); // 1.25 * 896 and one
  CHECK(SpmvStagingPolicy::most_values(0, 128, sizeof(double)) == 1);
  CHECK(SpmvStagingPolicy::most_values(1e6, 4, sizeof(double)) == 3840);
  CHECK(SpmvStagingPolicy::most_values(1e6, 4, sizeof(float)) == 7680);
  CHECK(SpmvStagingPolicy::fits(80, 48, sizeof(double)));
  CHECK_FALSE(SpmvStagingPolicy::fits(81, 48, sizeof(double)));
}

TEST_CASE("threads share rows of templates where one would have several batches", "[cuda_native]")
{
  auto const threads = [](double mean, std::size_t value_bytes = sizeof(double)) {
    return SpmvTemplatesPolicyFor::threads_per_row(mean, value_bytes);
  };
  CHECK(threads(0) == 1);
  CHECK(threads(5) == 1);
  CHECK(threads(14) == 1);
  CHECK(threads(26.5) == 2);
  CHECK(threads(50) == 4);
  CHECK(threads(63) == 8);
  CHECK(threads(77) == 8);
  CHECK(threads(127) == 8);
  CHECK(threads(240) == 8);
  CHECK(threads(241) == 32); // 16 rows take more than 30 KiB
  CHECK(threads(241, sizeof(float)) == 8);
  CHECK(threads(1000, sizeof(float)) == 32);
  CHECK(SpmvTemplatesPolicyFor::rows_at_once(1) == 128);
  CHECK(SpmvTemplatesPolicyFor::rows_at_once(32) == 4);
}

TEST_CASE("threads share blocks of rows by their runs and by what is staged", "[cuda_native]")
{
  auto const threads = [](double mean, int size, std::size_t value_bytes) {
    return SpmvRunsPolicyFor::threads_per_block_of_rows(mean, size, value_bytes);
  };
  CHECK(threads(0, 2, sizeof(float)) == 8);
  CHECK(threads(43.7, 3, sizeof(float)) == 8); // 15 runs
  CHECK(threads(43.7, 3, sizeof(double)) == 8);
  CHECK(threads(80.8, 3, sizeof(double)) == 16); // 27 runs
  CHECK(threads(42, 6, sizeof(float)) == 8);
  CHECK(threads(42, 6, sizeof(double)) == 16); // 48 bytes per run and row
  CHECK(threads(100, 6, sizeof(double)) == 32);
  CHECK(threads(1e5, 6, 2 * sizeof(double)) == 32);
  CHECK(SpmvRunsPolicyFor::rows_at_once(16, 3) == 24);
}
