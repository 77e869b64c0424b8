// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What validate finds in CSC, DCSR and BSR matrices: every rule broken, and the order of rules.

#include <heddle/validate.hpp>
#include <support/defects.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Ints = std::vector<int>;

template <class Space>
Kokkos::View<float*, Space> ones(std::size_t n)
{
  return to_view<float, Space>(std::vector<float>(n, 1.0F));
}

template <class Exec>
std::string csc_defect(int num_rows, Ints const& offsets, Ints const& rows)
{
  using Space = typename Exec::memory_space;
  using Matrix = CscMatrix<float, int, int, Space>;
  Matrix const a(num_rows, static_cast<int>(offsets.size()) - 1, to_view<int, Space>(offsets),
                 to_view<int, Space>(rows), ones<Space>(rows.size()));
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename Matrix::const_type(a))) == found);
  return found;
}

template <class Exec>
std::string dcsr_defect(int num_rows, int num_cols, Ints const& rows, Ints const& offsets,
                        Ints const& columns)
{
  using Space = typename Exec::memory_space;
  using Matrix = DcsrMatrix<float, int, int, Space>;
  Matrix const a(num_rows, num_cols, to_view<int, Space>(rows), to_view<int, Space>(offsets),
                 to_view<int, Space>(columns), ones<Space>(columns.size()));
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename Matrix::const_type(a))) == found);
  return found;
}

// 5 x 7 in blocks of 2 x 3: 3 x 3 blocks, the last row of blocks and column of blocks cut off.
template <class Exec>
std::string bsr_defect(Ints const& offsets, Ints const& columns, std::size_t nnz = 1)
{
  using Space = typename Exec::memory_space;
  using Matrix = BsrMatrix<float, int, int, Space>;
  Matrix const a(5, 7, {2, 3}, to_view<int, Space>(offsets), to_view<int, Space>(columns),
                 ones<Space>(6 * columns.size()), nnz);
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename Matrix::const_type(a))) == found);
  return found;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("validate looks at the columns of a CSC matrix", "[validate]", Spaces)
{
  CHECK(csc_defect<TestType>(9, {0, 2, 2, 4}, {8, 0, 8, 3}) == "");
  CHECK(csc_defect<TestType>(0, {0, 0}, {}) == "");
  CHECK(csc_defect<TestType>(9, {0}, {}) == "");
  CHECK(csc_defect<TestType>(9, {1, 2}, {0, 1}) == "column_offsets(0) is 1, expected 0 (-1, 0)");
  CHECK(csc_defect<TestType>(9, {0, 3, 2, 3}, {0, 1, 2}) ==
        "column_offsets falls from 3 to 2 in column 1 (-1, 2)");
  CHECK(csc_defect<TestType>(9, {0, 1, 4}, {0, 1, 2}) ==
        "column_offsets ends at 4 but there are 3 entries (-1, 2)");
  CHECK(csc_defect<TestType>(3, {0, 2, 2, 4}, {0, 2, 1, 3}) ==
        "row 3 at position 3 of column 2 is not in 0 .. 2 (3, 3)");
  CHECK(csc_defect<TestType>(3, {0, 2, 4}, {0, -2, 1, 3}) ==
        "row -2 at position 1 of column 0 is not in 0 .. 2 (-2, 1)");
  CHECK(csc_defect<TestType>(9, {0, 2, 6, 7}, {5, 0, 5, 8, 1, 5, 5}) ==
        "row 5 stands twice in column 1, again at position 5 (5, 5)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the rows of a DCSR matrix", "[validate]", Spaces)
{
  CHECK(dcsr_defect<TestType>(9, 4, {2, 8}, {0, 1, 3}, {3, 3, 0}) == "");
  CHECK(dcsr_defect<TestType>(9, 4, {}, {0}, {}) == "");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 9}, {0, 1, 3}, {3, 3, 0}) ==
        "row 9 at position 1 is not in 0 .. 8 (9, 1)");
  CHECK(dcsr_defect<TestType>(9, 4, {-1, 8}, {0, 1, 3}, {3, 3, 0}) ==
        "row -1 at position 0 is not in 0 .. 8 (-1, 0)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 5, 5}, {0, 1, 2, 3}, {3, 3, 0}) ==
        "rows does not ascend from 5 to 5 at position 2 (5, 2)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 1, 0}, {0, 1, 2, 3}, {3, 3, 0}) ==
        "rows does not ascend from 2 to 1 at position 1 (1, 1)");
}

TEMPLATE_LIST_TEST_CASE("validate names the rows of a DCSR matrix by their numbers", "[validate]",
                        Spaces)
{
  CHECK(dcsr_defect<TestType>(9, 4, {2, 8}, {1, 1, 3}, {3, 3, 0}) ==
        "row_offsets(0) is 1, expected 0 (-1, 0)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 4, 8}, {0, 2, 1, 3}, {3, 2, 0}) ==
        "row_offsets falls from 2 to 1 in row 4 (4, 2)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 8}, {0, 1, 2}, {3, 3, 0}) ==
        "row_offsets ends at 2 but there are 3 entries (8, 2)");
  CHECK(dcsr_defect<TestType>(9, 4, {}, {0}, {3}) ==
        "row_offsets ends at 0 but there are 1 entries (-1, 0)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 4, 8}, {0, 1, 1, 3}, {3, 3, 0}) ==
        "row 4 at position 1 of rows has no entries (4, 1)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 8}, {0, 1, 3}, {3, 0, 4}) ==
        "column 4 at position 2 of row 8 is not in 0 .. 3 (8, 2)");
  CHECK(dcsr_defect<TestType>(9, 4, {2, 8}, {0, 1, 4}, {3, 2, 3, 2}) ==
        "column 2 stands twice in row 8, again at position 3 (8, 3)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the blocks of a BSR matrix", "[validate]", Spaces)
{
  CHECK(bsr_defect<TestType>({0, 2, 2, 3}, {2, 0, 2}) == "");
  CHECK(bsr_defect<TestType>({1, 2, 2, 3}, {2, 0, 2}) == "row_offsets(0) is 1, expected 0 (-1, 0)");
  CHECK(bsr_defect<TestType>({0, 2, 1, 3}, {2, 0, 2}) ==
        "row_offsets falls from 2 to 1 in block row 1 (2, 2)");
  CHECK(bsr_defect<TestType>({0, 2, 2, 2}, {2, 0, 2}) ==
        "row_offsets ends at 2 but there are 3 blocks (4, 3)");
  CHECK(bsr_defect<TestType>({0, 2, 2, 3}, {2, 0, 3}) ==
        "block column 3 at position 2 of block row 2 is not in 0 .. 2 (4, 2)");
  CHECK(bsr_defect<TestType>({0, 2, 3, 3}, {2, -1, 0}) ==
        "block column -1 at position 1 of block row 0 is not in 0 .. 2 (0, 1)");
  CHECK(bsr_defect<TestType>({0, 1, 4, 4}, {2, 2, 0, 2}) ==
        "block column 2 stands twice in block row 1, again at position 3 (2, 3)");
}

TEMPLATE_LIST_TEST_CASE("validate counts the values of a BSR matrix that are inside", "[validate]",
                        Spaces)
{
  // Inside are 2 x 1 of the block at the right edge, 2 x 3, and 1 x 1 of the one in the corner.
  CHECK(bsr_defect<TestType>({0, 2, 2, 3}, {2, 0, 2}, 9) == "");
  CHECK(bsr_defect<TestType>({0, 2, 2, 3}, {2, 0, 2}, 10) ==
        "there are 10 entries but the blocks have 9 values inside the matrix (-1, -1)");
}

TEMPLATE_LIST_TEST_CASE("validate takes default-constructed CSC, DCSR and BSR matrices",
                        "[validate]", Spaces)
{
  using Space = typename TestType::memory_space;
  TestType const exec{};
  CHECK(text_of(heddle::validate(exec, heddle::CscMatrix<float, int, int, Space>{})) == "");
  CHECK(text_of(heddle::validate(exec, heddle::DcsrMatrix<float, int, int, Space>{})) == "");
  CHECK(text_of(heddle::validate(exec, heddle::BsrMatrix<float, int, int, Space>{})) == "");
}
