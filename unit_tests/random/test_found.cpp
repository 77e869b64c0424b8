// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What random cases have found, shrunk.

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

#include <random/problem.hpp>
#include <random/subjects.hpp>

using namespace heddle;
using namespace heddle::test::random;

TEST_CASE("slices whose rows are not sorted are multiplied from a copy, too", "[random]")
{
  for (Operation const operation : {Operation::spmv, Operation::spmm})
    for (Op const op : {Op::none, Op::transpose})
      CHECK(check(Problem{.operation = operation,
                          .format = Format::sell,
                          .shape = {4, 1, 1},
                          .a = {3, 3, {{0, 1, 2}, {1, 0, 3}, {2, 2, 4}}},
                          .op = op,
                          .extra = Extra::copy}) == "");
}

// The number of products of a row that a kernel has room for is mostly a power of 2.
TEST_CASE("rows of C whose products fill what a kernel has are multiplied", "[random]")
{
  for (std::int64_t power = 1; power <= 4096; power *= 2)
    for (std::int64_t const products : {power - 1, power, power + 1})
    {
      EntryList b{1, products};
      for (std::int64_t j = 0; j < products; ++j)
        b.entries.push_back({0, j, 1});
      EntryList two = b; // the same in two rows of B
      two.rows = 2;
      for (std::int64_t j = 0; j < products; ++j)
        two.entries.push_back({1, j, 1});
      for (Operation const operation : {Operation::spgemm, Operation::associate})
      {
        INFO(products);
        CHECK(check(Problem{.operation = operation, .a = {1, 1, {{0, 0, 1}}}, .b = b}) == "");
        CHECK(check(Problem{
                  .operation = operation, .a = {1, 2, {{0, 0, 1}, {0, 1, 2}}}, .b = two}) == "");
      }
    }
}

TEST_CASE("columns for which a cap leaves no room are found a second time", "[random]")
{
  EntryList b{3, 31};
  for (std::int64_t i = 0; i < b.rows; ++i)
    for (std::int64_t j = 0; j < b.cols; ++j)
      b.entries.push_back({i, j, 1});
  for (std::int64_t const rows : {30, 44, 100, 300})
    for (std::size_t cap = 4000; cap < 200000; cap += cap / 6)
    {
      EntryList a{rows, 3};
      for (std::int64_t i = 0; i < rows; ++i)
        a.entries.push_back({i, i % 3, 1});
      INFO(rows << " rows, " << cap << " bytes");
      CHECK(check(Problem{
                .operation = Operation::spgemm, .a = a, .b = b, .max_workspace_bytes = cap}) == "");
    }
}
