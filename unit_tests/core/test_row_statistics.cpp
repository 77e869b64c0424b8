// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/row_statistics.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace heddle::test;
using heddle::impl::RowStatistics;

TEMPLATE_LIST_TEST_CASE("row_statistics counts entries and finds the longest row",
                        "[row_statistics]", Spaces)
{
  for (Structure const& s : structures())
  {
    INFO(s.name);
    auto const a = make_csr<Case<TestType, float, int, std::size_t>>(s);
    RowStatistics const found = heddle::impl::row_statistics(
        instance_of_five<TestType>(), a.row_offsets(), a.num_rows(), a.nnz());
    std::size_t longest = 0;
    for (auto const& row : s.columns)
      longest = std::max(longest, row.size());
    CHECK(found.rows == s.rows);
    CHECK(found.nonzeros == s.nnz());
    CHECK(found.longest == static_cast<std::int64_t>(longest));
    CHECK(found.mean() ==
          (s.rows == 0 ? 0.0 : static_cast<double>(s.nnz()) / static_cast<double>(s.rows)));
  }
}
