// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RowSegmentedMatrix: sizes, sharing, what it takes, every refusal, and what validate finds in one
// where a number was changed. What lies where is in test_convert_row_segmented.cpp.

#include <heddle/concepts.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/storage.hpp>
#include <heddle/validate.hpp>
#include <support/defects.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

using Ints = std::vector<int>;

// Panels of 3 columns, threshold 1:
//     1  .  2 | 3  4
//     .  5  . | .  .
//     6  7  8 | .  9
struct Arrays
{
  RowSegmentShape shape{3, 1};
  int cols = 5;
  std::size_t heavy = 7;
  Ints panels{0, 2, 3};
  Ints rows{0, 2, 0};
  Ints offsets{0, 2, 5, 7};
  Ints light{0, 0, 1, 2};
  Ints columns{0, 2, 0, 1, 2, 0, 1, 1, 4};
  Ints row_offsets{0, 4, 5, 9};
  Ints row_columns{0, 2, 3, 4, 1, 0, 1, 2, 4};
  Ints places{0, 1, 5, 6, 7, 2, 3, 4, 8};
  std::size_t values = 9;
};
template <class Space>
auto make(Arrays const& a)
{
  using Matrix = RowSegmentedMatrix<double, int, int, Space>;
  auto const view = [](Ints const& numbers) { return to_view<int, Space>(numbers); };
  return Matrix(3, a.cols, a.heavy, a.shape, {view(a.panels), view(a.rows), view(a.offsets)},
                view(a.light), view(a.columns),
                to_view<double, Space>(std::vector<double>(a.values, 1.0)),
                {view(a.row_offsets), view(a.row_columns), view(a.places)});
}
std::string refusal(Arrays const& a)
{
  return message_of<InvalidArgument>([&] { make<Kokkos::HostSpace>(a); });
}
template <class Exec>
std::string defect(Arrays const& arrays)
{
  auto const a = make<typename Exec::memory_space>(arrays);
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename decltype(a)::const_type(a))) == found);
  return found;
}

using Matrix = RowSegmentedMatrix<double, int, int, Kokkos::HostSpace>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("a default RowSegmentedMatrix is 0 x 0", "[row_segmented]")
{
  static_assert(heddle::SparseMatrix<Matrix>);
  static_assert(heddle::SparseMatrix<Matrix::const_type>);
  static_assert(std::is_same_v<Matrix::const_type::non_const_type, Matrix>);
  static_assert(!std::is_convertible_v<Matrix::const_type, Matrix>);
  Matrix const a;
  CHECK(a.num_rows() == 0);
  CHECK(a.num_cols() == 0);
  CHECK(a.nnz() == 0);
  CHECK(a.num_panels() == 0);
  CHECK(a.num_segments() == 0);
  CHECK(a.light().nnz() == 0);
  Matrix::const_type const read_only = a;
  CHECK(read_only.nnz() == 0);
}

TEST_CASE("a RowSegmentedMatrix shares its Views and tells what it takes", "[row_segmented]")
{
  auto const a = make<Kokkos::HostSpace>({});
  CHECK(a.nnz() == 9);
  CHECK(a.heavy_nnz() == 7);
  CHECK(a.num_panels() == 2);
  CHECK(a.num_segments() == 3);
  CHECK(a.light().nnz() == 2);
  CHECK(a.light().values().data() == a.values().data() + 7);
  Matrix::const_type const read_only = a;
  CHECK(read_only.values().data() == a.values().data());
  CHECK(read_only.rows().places.data() == a.rows().places.data());
  // Offsets, rows and places: 3 + 3 + 4 + 4 + 4 + 9; columns: 9 + 9; values: 9.
  CHECK(heddle::storage_bytes(a) == 27 * 4 + 18 * 4 + 9 * 8);
  CHECK(heddle::fill_ratio(a) == 1);
}

TEST_CASE("RowSegmentedMatrix refuses arrays of other sizes", "[row_segmented]")
{
  std::string const name = "heddle::RowSegmentedMatrix: ";
  CHECK(refusal({}) == "no error");
  CHECK(refusal({.cols = -5}) == name + "negative size 3 x -5");
  CHECK(refusal({.shape = {0, 1}}) == name + "panels of 0 columns, threshold 1");
  CHECK(refusal({.shape = {3, -1}}) == name + "panels of 3 columns, threshold -1");
  CHECK(refusal({.cols = 7}) == name + "segments.panels has 3 entries, expected panels + 1 = 4");
  CHECK(refusal({.rows = {0, 2}}) ==
        name + "segments.offsets has 4 entries, expected one more than segments.rows: 3");
  CHECK(refusal({.light = {0, 2}}) ==
        name + "light_row_offsets has 2 entries, expected rows + 1 = 4");
  CHECK(refusal({.row_offsets = {0, 9}}) ==
        name + "rows.offsets has 2 entries, expected rows + 1 = 4");
  CHECK(refusal({.columns = {0}}) == name + "columns has 1 entries, expected as many as values: 9");
  CHECK(refusal({.row_columns = {0}}) ==
        name + "rows.columns has 1 entries, expected as many as values: 9");
  CHECK(refusal({.places = {0}}) ==
        name + "rows.places has 1 entries, expected as many as values: 9");
  CHECK(refusal({.heavy = 10}) == name + "10 heavy entries in 9 places");
}

TEST_CASE("RowSegmentedMatrix and its validate take the largest numbers there are",
          "[row_segmented]")
{
  using Large = heddle::RowSegmentedMatrix<double, std::int64_t, int, Kokkos::HostSpace>;
  using Memory = Kokkos::HostSpace;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  auto const ints = [](Ints const& numbers) { return to_view<int, Memory>(numbers); };
  auto const wide = [](std::vector<std::int64_t> const& numbers) {
    return to_view<std::int64_t, Memory>(numbers);
  };
  auto const refused = [&](std::int64_t rows, std::int64_t cols) {
    return message_of<heddle::InvalidArgument>([&] {
      Large(rows, cols, 0, {1, 0}, {ints({0}), wide({}), ints({0})}, ints({0}), wide({}), {},
            {ints({0}), wide({}), ints({})});
    });
  };
  std::string const name = "heddle::RowSegmentedMatrix: ";
  CHECK(refused(0, most) ==
        name + "segments.panels has 1 entries, expected panels + 1 = 9223372036854775808");
  CHECK(refused(most, 0) ==
        name + "light_row_offsets has 1 entries, expected rows + 1 = 9223372036854775808");
  // Two panels of two columns, one heavy entry in the second.
  Large const a(1, 4, 1, {2, 0}, {ints({0, 0, 1}), wide({0}), ints({0, 1})}, ints({0, 0}),
                wide({most}), to_view<double, Memory>(std::vector<double>{1}),
                {ints({0, 1}), wide({3}), ints({0})});
  CHECK(text_of(validate(Kokkos::DefaultHostExecutionSpace{}, a)) ==
        "entry 0, column 3 of row 0, does not stand at its place 0 (0, 0)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the rows of a row-segmented matrix", "[validate]",
                        Spaces)
{
  CHECK(defect<TestType>({}) == "");
  CHECK(defect<TestType>({.row_offsets = {0, 5, 4, 9}}) ==
        "rows.offsets falls from 5 to 4 in row 1 (1, 2)");
  CHECK(defect<TestType>({.row_columns = {0, 2, 3, 5, 1, 0, 1, 2, 4}}) ==
        "column 5 at position 3 of row 0 is not in 0 .. 4 (0, 3)");
  CHECK(defect<TestType>({.row_columns = {0, 2, 3, 3, 1, 0, 1, 2, 4}}) ==
        "column 3 stands twice in row 0, again at position 3 (0, 3)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the segments of a row-segmented matrix", "[validate]",
                        Spaces)
{
  CHECK(defect<TestType>({.panels = {0, 2, 4}}) ==
        "segments.panels ends at 4 but there are 3 segments (-1, 2)");
  CHECK(defect<TestType>({.panels = {1, 2, 3}}) == "segments.panels(0) is 1, expected 0 (-1, 0)");
  CHECK(defect<TestType>({.offsets = {0, 5, 2, 7}}) ==
        "segments.offsets falls from 5 to 2 in segment 1 (-1, 2)");
  CHECK(defect<TestType>({.offsets = {0, 2, 5, 8}}) ==
        "segments.offsets ends at 8 but there are 7 heavy entries (-1, 3)");
  CHECK(defect<TestType>({.rows = {0, 3, 0}}) == "row 3 of segment 1 is not in 0 .. 2 (3, 1)");
  CHECK(defect<TestType>({.rows = {2, 2, 0}}) ==
        "segments.rows does not ascend from 2 to 2 at position 1, within a panel (2, 1)");
  CHECK(defect<TestType>({.shape = {3, 2}}) ==
        "segment 0 has 2 entries, not more than the threshold 2 (0, 0)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the places of a row-segmented matrix", "[validate]",
                        Spaces)
{
  CHECK(defect<TestType>({.light = {0, 0, 2, 1}}) ==
        "light_row_offsets falls from 2 to 1 in row 2 (2, 3)");
  CHECK(defect<TestType>({.light = {0, 0, 1, 3}}) ==
        "light_row_offsets ends at 3 but there are 2 light entries (2, 3)");
  // The light entries of rows 1 and 2 change rows.
  CHECK(defect<TestType>({.light = {0, 1, 1, 2}}) ==
        "entry 4, column 1 of row 1, does not stand at its place 7 (1, 4)");
  CHECK(defect<TestType>({.columns = {0, 2, 0, 1, 2, 1, 1, 1, 4}}) ==
        "entry 2, column 3 of row 0, does not stand at its place 5 (0, 2)");
  CHECK(defect<TestType>({.columns = {0, 2, 0, 1, 2, 0, 1, 1, 3}}) ==
        "entry 8, column 4 of row 2, does not stand at its place 8 (2, 8)");
  CHECK(defect<TestType>({.places = {0, 1, 5, 6, 7, 2, 3, 4, 9}}) ==
        "entry 8, column 4 of row 2, does not stand at its place 9 (2, 8)");
  CHECK(defect<TestType>({.places = {0, 1, 5, 6, 7, 2, 3, 3, 8}}) ==
        "entry 7, column 2 of row 2, does not stand at its place 3 (2, 7)");
}
