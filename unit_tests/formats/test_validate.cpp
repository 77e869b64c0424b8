// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/validate.hpp>
#include <support/defects.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

template <class Exec, class Ordinal = int, class Offset = std::size_t>
std::string csr_defect(std::int64_t cols, std::vector<Offset> const& offsets,
                       std::vector<Ordinal> const& columns)
{
  using Space = typename Exec::memory_space;
  using Matrix = CsrMatrix<float, Ordinal, Offset, Space>;
  Matrix const a(static_cast<Ordinal>(offsets.size()) - 1, static_cast<Ordinal>(cols),
                 to_view<Offset, Space>(offsets), to_view<Ordinal, Space>(columns),
                 to_view<float, Space>(std::vector<float>(columns.size(), 1.0F)));
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  typename Matrix::const_type const read_only = a;
  CHECK(text_of(validate(Exec{}, read_only)) == found);
  return found;
}

template <class Exec>
std::string coo_defect(int num_rows, int num_cols, std::vector<int> const& rows,
                       std::vector<int> const& columns)
{
  using Space = typename Exec::memory_space;
  using Matrix = CooMatrix<float, int, std::size_t, Space>;
  return text_of(
      validate(instance_of_five<Exec>(),
               Matrix(num_rows, num_cols, to_view<int, Space>(rows), to_view<int, Space>(columns),
                      to_view<float, Space>(std::vector<float>(rows.size(), 1.0F)))));
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("validate finds nothing in good matrices", "[validate]", Spaces)
{
  for (Structure const& s : structures())
  {
    INFO(s.name);
    auto const a = make_csr<Case<TestType, float, int, std::size_t>>(s);
    CHECK(text_of(heddle::validate(TestType{}, a)) == "");
    auto const b = make_csr<Case<TestType, float, std::int64_t, int>>(shuffled(s, 3));
    CHECK(text_of(heddle::validate(TestType{}, b)) == "");
  }
  CHECK(text_of(heddle::validate(TestType{}, CsrOf<Case<TestType, float, int, int>>{})) == "");
  CHECK(text_of(heddle::validate(TestType{}, CooOf<Case<TestType, float, int, int>>{})) == "");
}

TEMPLATE_LIST_TEST_CASE("validate finds wrong row offsets", "[validate]", Spaces)
{
  CHECK(csr_defect<TestType>(9, {1, 2, 3}, {0, 1, 2}) == "row_offsets(0) is 1, expected 0 (-1, 0)");
  CHECK(csr_defect<TestType, int, int>(9, {-4, 2, 3}, {0, 1, 2}) ==
        "row_offsets(0) is -4, expected 0 (-1, 0)");
  CHECK(csr_defect<TestType>(9, {0, 3, 2, 1, 3}, {0, 1, 2}) ==
        "row_offsets falls from 3 to 2 in row 1 (1, 2)");
  CHECK(csr_defect<TestType, int, int>(9, {0, 2, -1, 3}, {0, 1, 2}) ==
        "row_offsets falls from 2 to -1 in row 1 (1, 2)");
  CHECK(csr_defect<TestType>(9, {0, 1, 2}, {0, 1, 2}) ==
        "row_offsets ends at 2 but there are 3 entries (1, 2)");
  CHECK(csr_defect<TestType>(9, {0, 1, 5}, {0, 1, 2}) ==
        "row_offsets ends at 5 but there are 3 entries (1, 2)");
  CHECK(csr_defect<TestType>(9, {0}, {0, 1}) ==
        "row_offsets ends at 0 but there are 2 entries (-1, 0)");
}

TEMPLATE_LIST_TEST_CASE("validate finds columns out of range", "[validate]", Spaces)
{
  CHECK(csr_defect<TestType>(3, {0, 2, 2, 4}, {0, 2, 1, 3}) ==
        "column 3 at position 3 of row 2 is not in 0 .. 2 (2, 3)");
  CHECK(csr_defect<TestType>(3, {0, 2, 2, 4}, {0, -1, 1, 3}) ==
        "column -1 at position 1 of row 0 is not in 0 .. 2 (0, 1)");
  CHECK(csr_defect<TestType>(0, {0, 0, 1}, {0}) ==
        "column 0 at position 0 of row 1 is not in 0 .. -1 (1, 0)");
  CHECK(csr_defect<TestType, std::int64_t, int>(5000000000, {0, 2}, {4999999999, 5000000000}) ==
        "column 5000000000 at position 1 of row 0 is not in 0 .. 4999999999 (0, 1)");
}

TEMPLATE_LIST_TEST_CASE("validate finds columns that stand twice in a row", "[validate]", Spaces)
{
  CHECK(csr_defect<TestType>(9, {0, 2, 5}, {0, 3, 1, 3, 3}) ==
        "column 3 stands twice in row 1, again at position 4 (1, 4)");
  // Unsorted rows, the two far apart; the same column in the rows around is legal.
  CHECK(csr_defect<TestType>(9, {0, 2, 6, 7}, {5, 0, 5, 8, 1, 5, 5}) ==
        "column 5 stands twice in row 1, again at position 5 (1, 5)");
  // The first that repeats another, not the least column.
  CHECK(csr_defect<TestType>(9, {0, 6}, {7, 1, 8, 7, 7, 1}) ==
        "column 7 stands twice in row 0, again at position 3 (0, 3)");
  CHECK(csr_defect<TestType>(9, {0, 2, 4, 6}, {1, 0, 4, 4, 2, 2}) ==
        "column 4 stands twice in row 1, again at position 3 (1, 3)");
}

TEMPLATE_LIST_TEST_CASE("validate names the first broken invariant", "[validate]", Spaces)
{
  CHECK(csr_defect<TestType>(3, {0, 3, 2, 4}, {0, 0, 9, 3}) ==
        "row_offsets falls from 3 to 2 in row 1 (1, 2)");
  CHECK(csr_defect<TestType>(3, {0, 2, 3}, {0, 0, 9, 3}) ==
        "row_offsets ends at 3 but there are 4 entries (1, 2)");
  CHECK(csr_defect<TestType>(3, {0, 2, 4}, {0, 0, 9, 3}) ==
        "column 9 at position 2 of row 1 is not in 0 .. 2 (1, 2)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at every entry of a large matrix", "[validate]", Spaces)
{
  Structure s = structure("more than 2^16 rows");
  using C = Case<TestType, float, int, std::size_t>;
  for (std::int64_t const row : {std::int64_t(7), s.rows - 2})
  {
    INFO("row " << row);
    Structure twice = s;
    twice.columns[row] = {10, 20, 20};
    auto const found = heddle::validate(TestType{}, make_csr<C>(twice));
    REQUIRE(found);
    CHECK(found->row == row);
    twice.columns[row] = {10, 20, 65000};
    auto const outside = heddle::validate(TestType{}, make_csr<C>(twice));
    REQUIRE(outside);
    CHECK(outside->row == row);
    CHECK(outside->what.find("column 65000 at position ") == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("validate looks at coordinates", "[validate]", Spaces)
{
  CHECK(coo_defect<TestType>(3, 4, {2, 0, 2, 2}, {3, 0, 3, 3}) == ""); // duplicates are legal
  CHECK(coo_defect<TestType>(3, 4, {}, {}) == "");
  CHECK(coo_defect<TestType>(3, 4, {2, 3, 4}, {3, 0, 3}) ==
        "row 3 at position 1 is not in 0 .. 2 (3, 1)");
  CHECK(coo_defect<TestType>(3, 4, {2, -7, 1}, {3, 0, 3}) ==
        "row -7 at position 1 is not in 0 .. 2 (-7, 1)");
  CHECK(coo_defect<TestType>(3, 4, {2, 1, 0}, {3, 0, 4}) ==
        "column 4 at position 2 is not in 0 .. 3 (0, 2)");
  CHECK(coo_defect<TestType>(3, 4, {2, 1, 9}, {3, -1, 3}) ==
        "column -1 at position 1 is not in 0 .. 3 (1, 1)");
  CHECK(coo_defect<TestType>(3, 4, {2, 9, 0}, {3, 9, 3}) ==
        "row 9 at position 1 is not in 0 .. 2 (9, 1)"); // of two at one place, the row
  CHECK(coo_defect<TestType>(0, 4, {0}, {0}) == "row 0 at position 0 is not in 0 .. -1 (0, 0)");
}
