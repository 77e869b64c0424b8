// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/dense_rows_policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;
using heddle::test::h200;
using namespace heddle::cuda_native;

namespace
{

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// A A^T of rows with so many entries.
DenseRowsSizes of_rows(std::int64_t rows, std::int64_t entries_of_row, std::int64_t cols)
{
  std::int64_t const nnz = rows * entries_of_row;
  return {{rows, nnz, cols, nnz}, rows, sizeof(double), sizeof(int)};
}
bool are_taken(DenseRowsSizes const& sizes, SpgemmOptions const& options = {},
               std::size_t room = no_limit)
{
  return choose_dense_rows(sizes, options, room, h200).lanes > 0;
}

} // namespace

TEST_CASE("few long rows have dense rows of C", "[cuda_native]")
{
  CHECK(are_taken(of_rows(30, 10000, 60000)));
  CHECK(are_taken(of_rows(70, 26000, 400000)));
  CHECK_FALSE(are_taken(of_rows(20000, 5, 20000)));
  CHECK_FALSE(are_taken(of_rows(30, 20, 600)));
  CHECK(are_taken(of_rows(1900, 180, 1900)));
  CHECK_FALSE(are_taken(of_rows(3400, 140, 3400))); // too few groups fit a multiprocessor
  CHECK_FALSE(are_taken({}));                       // nothing to multiply
}

TEST_CASE("dense rows are left out for options that they do not serve", "[cuda_native]")
{
  DenseRowsSizes const sizes = of_rows(30, 10000, 60000);
  CHECK_FALSE(are_taken(sizes, {.accumulator = SpgemmAccumulator::shared_hash}));
  CHECK_FALSE(are_taken(sizes, {.reuse = true}));
  CHECK(are_taken(sizes, {.deterministic = true}));
  std::size_t const needed =
      sizes.bytes_of_call(dense_rows_shape(sizes, h200)) + sizes.bytes_of_plan();
  CHECK(are_taken(sizes, {}, needed));
  CHECK_FALSE(are_taken(sizes, {}, needed - 1));
  SpgemmOptions const named{.accumulator = SpgemmAccumulator::dense_rows};
  CHECK(are_taken(of_rows(30, 20, 600), named));
  // More columns than shared memory has sums for, and more sums than a call may have.
  CHECK_FALSE(are_taken({{30, 3000, 60000, 3000}, 60000, sizeof(double), sizeof(int)}, named));
  CHECK_FALSE(
      are_taken({{1 << 20, 1 << 26, 5000, 1 << 16}, 1000, sizeof(double), sizeof(int)}, named));
}

TEST_CASE("the shape of dense rows covers all entries and fits the device", "[cuda_native]")
{
  for (std::int64_t const rows : {1, 30, 500, 2000})
    for (std::int64_t const entries : {1, 300, 40000})
      for (std::size_t const bytes : {4, 8, 16})
      {
        DenseRowsSizes sizes = of_rows(rows, entries, 50000);
        sizes.bytes_of_sum = bytes;
        DenseRowsShape const shape = dense_rows_shape(sizes, h200);
        if (shape.lanes == 0)
          continue;
        std::int64_t const nnz = sizes.factors.nnz_a;
        CHECK(shape.groups * shape.chunk >= nnz);
        CHECK((shape.groups - 1) * shape.chunk < nnz);
        std::size_t const groups = dense_rows_policy.threads_per_block / shape.lanes;
        CHECK(groups * sizes.bytes_of_group() <= h200.shared_bytes_of_block);
      }
  // Rows of B with 3 entries take groups of few lanes, with 100 whole warps where sums take the
  // shared memory.
  CHECK(dense_rows_shape(of_rows(60, 20000, 400000), h200).lanes == dense_rows_policy.short_lanes);
  CHECK(dense_rows_shape(of_rows(700, 10000, 70000), h200).lanes == dense_rows_policy.long_lanes);
}
