// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/load.hpp>
#include <harness/row_parts.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <cstdint>
#include <variant>
#include <vector>

using namespace heddle::perf;
using Numbers = std::vector<std::int64_t>;

TEST_CASE("equal parts differ by a row at most", "[row_parts]")
{
  CHECK(equal_rows(6, 2) == Numbers{0, 3, 6});
  CHECK(equal_rows(0, 2) == Numbers{0, 0, 0});
  CHECK(equal_rows(5, 1) == Numbers{0, 5});
  for (std::int64_t const rows : {1, 7, 100, 65537})
    for (std::int64_t const parts : {1, 2, 3, 8})
    {
      Numbers const cuts = equal_rows(rows, parts);
      REQUIRE(cuts.size() == static_cast<std::size_t>(parts) + 1);
      CHECK(cuts.front() == 0);
      CHECK(cuts.back() == rows);
      for (std::size_t p = 0; p + 1 < cuts.size(); ++p)
      {
        CHECK(cuts[p + 1] - cuts[p] >= rows / parts);
        CHECK(cuts[p + 1] - cuts[p] <= rows / parts + 1);
      }
    }
}

TEST_CASE("a part has its rows and all columns", "[row_parts]")
{
  auto const a = std::get<HostMatrix<double>>(load_gallery("stencil9_20_15").matrix);
  std::int64_t const rows = a.num_rows();
  for (auto const& [first, last] : {std::pair<std::int64_t, std::int64_t>(0, rows),
                                    {0, 1},
                                    {17, 203},
                                    {rows - 1, rows},
                                    {40, 40}})
  {
    auto const part = rows_between(a, first, last);
    REQUIRE(part.num_rows() == last - first);
    CHECK(part.num_cols() == a.num_cols());
    std::size_t entry = a.row_offsets()(static_cast<std::size_t>(first)), at = 0;
    int wrong = 0;
    for (std::int64_t i = first; i < last; ++i)
    {
      wrong += part.row_offsets()(static_cast<std::size_t>(i - first)) == at ? 0 : 1;
      for (; entry < a.row_offsets()(static_cast<std::size_t>(i) + 1); ++entry, ++at)
        wrong += part.columns()(at) == a.columns()(entry) && part.values()(at) == a.values()(entry)
                     ? 0
                     : 1;
    }
    CHECK(wrong == 0);
    CHECK(part.nnz() == at);
  }
  CHECK_THROWS_WITH(rows_between(a, 3, rows + 1), "heddle::perf: rows 3 to 301 of a matrix of 300");
}
