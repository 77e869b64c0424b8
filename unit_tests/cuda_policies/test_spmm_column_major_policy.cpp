// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/column_major_policy.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>

using heddle::cuda_native::ColumnMajorPolicy;
using heddle::cuda_native::ColumnMajorRows;
using heddle::cuda_native::ColumnMajorShape;
using heddle::impl::RowStatistics;
using heddle::test::h200;

namespace
{

bool pays(ColumnMajorRows const& a, std::int64_t columns)
{
  return ColumnMajorPolicy::pays(a, columns, a.rows.rows, 8, h200);
}

} // namespace

TEST_CASE("column-major operands are multiplied as they stand where copies cost more",
          "[cuda_native]")
{
  RowStatistics const small{.rows = 1000, .nonzeros = 10000, .longest = 12};
  CHECK(pays({small, 1.0, true}, 32));
  CHECK_FALSE(pays({small, 1.0, false}, 32)); // a kernel was named, or nobody looked
  // Large, but neighbouring rows read neighbouring entries of B: not where they do not.
  RowStatistics const stencil{.rows = 1000000, .nonzeros = 7000000, .longest = 7};
  CHECK(pays({stencil, 0.1, true}, 32));
  CHECK_FALSE(pays({stencil, 1.0, true}, 32));
  // A row that a warp would add up alone.
  RowStatistics const arrow{.rows = 1000, .nonzeros = 10000, .longest = 1000000};
  CHECK_FALSE(pays({arrow, 0.1, true}, 32));
  // A few thousand entries are a block's, where the plan lists such rows.
  RowStatistics const nets{.rows = 1000, .nonzeros = 10000, .longest = 4000};
  CHECK_FALSE(pays({nets, 0.1, true}, 32));
  CHECK(pays({nets, 0.1, true, 6000}, 32));
  // More columns than a grid has rows of blocks.
  RowStatistics const tiny{.rows = 1, .nonzeros = 1, .longest = 1};
  CHECK(pays({tiny, 0.0, true}, 1));
  CHECK_FALSE(pays({tiny, 0.0, true}, std::numeric_limits<std::int32_t>::max()));
}

TEST_CASE("lanes of a column-major product follow the length of rows", "[cuda_native]")
{
  auto const shape = [](std::int64_t rows, std::int64_t mean, std::int64_t longest) {
    return ColumnMajorPolicy::shape({.rows = rows, .nonzeros = rows * mean, .longest = longest}, 32,
                                    h200);
  };
  CHECK(shape(100, 3, 5) == ColumnMajorShape{2, 1});
  CHECK(shape(1000000, 3, 5) == ColumnMajorShape{4, 1});
  CHECK(shape(100, 33, 40) == ColumnMajorShape{2, 8});
  CHECK(shape(100, 5000, 5000) == ColumnMajorShape{2, 32});
  CHECK(shape(1000000, 9, 5000) == ColumnMajorShape{4, 8});
  CHECK(shape(0, 0, 0) == ColumnMajorShape{2, 1});
}
