// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What validate finds in ELL, SELL and HYB matrices: a good matrix with one number changed.

#include <heddle/validate.hpp>
#include <support/defects.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Ints = std::vector<int>;
using Values = std::vector<Complex64>; // padding of complex matrices has to be 0 in both parts

//     .  2  .  1
//     .  .  .  .
//     3  4  5  .
// with a stride of 4.
struct EllArrays
{
  Ints lengths{2, 0, 3};
  Ints columns{3, -1, 0, -1, 1, -1, 1, -1, -1, -1, 2, -1};
  Values values{1, 0, 3, 0, 2, 0, 4, 0, 0, 0, 5, 0};
  std::size_t nnz = 5;
};
template <class Space>
auto make_ell(EllArrays const& e)
{
  using Matrix = heddle::EllMatrix<Complex64, int, std::size_t, Space>;
  return Matrix(3, 4, e.nnz, 3, 4, to_view<int, Space>(e.lengths), to_view<int, Space>(e.columns),
                to_view<Complex64, Space>(e.values));
}
template <class Exec>
std::string ell_defect(EllArrays const& e)
{
  auto const a = make_ell<typename Exec::memory_space>(e);
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename decltype(a)::const_type(a))) == found);
  return found;
}

// The matrix of docs/formats.md, sorted within windows of three rows; rows of a slice are padded to
// even lengths.
struct SellArrays
{
  SellShape shape{2, 2, 3};
  Ints slice_offsets{0, 8, 12, 16};
  Ints lengths{3, 2, 0, 1, 1};
  Ints rows{2, 0, 1, 3, 4};
  Ints columns{0, 3, 1, 1, 2, -1, -1, -1, -1, 3, -1, -1, 0, -1, -1, -1};
  Values values{3, 1, 4, 2, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0, 0, 0};
  std::size_t nnz = 7;
};
template <class Exec>
std::string sell_defect(SellArrays const& s)
{
  using Space = typename Exec::memory_space;
  using Matrix = SellMatrix<Complex64, int, int, Space>;
  Matrix const a(5, 4, s.nnz, s.shape, to_view<int, Space>(s.slice_offsets),
                 to_view<int, Space>(s.lengths), to_view<int, Space>(s.rows),
                 to_view<int, Space>(s.columns), to_view<Complex64, Space>(s.values));
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename Matrix::const_type(a))) == found);
  return found;
}

// 3 x 9: rows of 2, 3 and 4 entries, two of each in the ELL part.
struct HybArrays
{
  Ints lengths{2, 2, 2};
  Ints ell_columns{0, 5, 3, 1, 0, 8};
  Ints rows{1, 2, 2};
  Ints columns{8, 1, 0};
};
template <class Exec>
std::string hyb_defect(HybArrays const& h)
{
  using Space = typename Exec::memory_space;
  using Matrix = HybMatrix<Complex64, int, int, Space>;
  std::size_t nnz = 0;
  Values ell_values(6, Complex64(1));
  for (std::size_t i = 0; i < h.lengths.size(); ++i)
  {
    nnz += static_cast<std::size_t>(h.lengths[i]);
    if (h.lengths[i] < 2)
      ell_values[i + 3] = 0;
  }
  typename Matrix::ell_type const ell(3, 9, nnz, 2, 3, to_view<int, Space>(h.lengths),
                                      to_view<int, Space>(h.ell_columns),
                                      to_view<Complex64, Space>(ell_values));
  typename Matrix::rest_type const rest(
      3, 9, to_view<int, Space>(h.rows), to_view<int, Space>(h.columns),
      to_view<Complex64, Space>(Values(h.rows.size(), Complex64(1))));
  Matrix const a(ell, rest);
  auto const found = text_of(validate(instance_of_five<Exec>(), a));
  CHECK(text_of(validate(Exec{}, typename Matrix::const_type(a))) == found);
  return found;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("validate looks at the row lengths of an ELL matrix", "[validate]", Spaces)
{
  CHECK(ell_defect<TestType>({}) == "");
  CHECK(ell_defect<TestType>({.lengths = {2, 0, 4}}) ==
        "row_lengths(2) is 4, not in 0 .. 3 (2, 2)");
  CHECK(ell_defect<TestType>({.lengths = {2, -1, 3}}) ==
        "row_lengths(1) is -1, not in 0 .. 3 (1, 1)");
  CHECK(ell_defect<TestType>({.lengths = {2, 0, 2}}) ==
        "row_lengths add up to 4 but there are 5 entries (-1, -1)");
  CHECK(ell_defect<TestType>({.nnz = 6}) ==
        "row_lengths add up to 5 but there are 6 entries (-1, -1)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the columns of an ELL matrix", "[validate]", Spaces)
{
  EllArrays e;
  e.columns[10] = 4;
  CHECK(ell_defect<TestType>(e) == "column 4 at position 10 of row 2 is not in 0 .. 3 (2, 10)");
  e.columns[4] = -1; // an entry, though it looks like padding
  CHECK(ell_defect<TestType>(e) == "column -1 at position 4 of row 0 is not in 0 .. 3 (0, 4)");
  e = {};
  e.columns[10] = 0;
  CHECK(ell_defect<TestType>(e) == "column 0 stands twice in row 2, again at position 10 (2, 10)");
  e.columns[4] = 3;
  CHECK(ell_defect<TestType>(e) == "column 3 stands twice in row 0, again at position 4 (0, 4)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the padding of an ELL matrix", "[validate]", Spaces)
{
  EllArrays e;
  e.columns[8] = 2; // legal, were it an entry
  CHECK(ell_defect<TestType>(e) == "column 2 at position 8, padding of row 0, is not -1 (0, 8)");
  e.columns[1] = -2;
  CHECK(ell_defect<TestType>(e) == "column -2 at position 1, padding of row 1, is not -1 (1, 1)");
  e = {};
  e.columns[7] = 0;
  CHECK(ell_defect<TestType>(e) ==
        "column 0 at position 7, padding behind the last row, is not -1 (-1, 7)");
  e = {};
  e.values[9] = Complex64(0, 1);
  CHECK(ell_defect<TestType>(e) == "the value at position 9, padding of row 1, is not 0 (1, 9)");
  e.values[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(ell_defect<TestType>(e) ==
        "the value at position 3, padding behind the last row, is not 0 (-1, 3)");
}

TEMPLATE_LIST_TEST_CASE("validate takes no time for the stride of an ELL matrix without places",
                        "[validate]", Spaces)
{
  using Space = typename TestType::memory_space;
  using Matrix = heddle::EllMatrix<Complex64, int, std::size_t, Space>;
  std::size_t const stride = std::numeric_limits<std::int64_t>::max();
  auto const defect_with = [&](int length) {
    return text_of(heddle::validate(
        TestType{}, Matrix(2, 4, 0, 0, stride, to_view<int, Space>({0, length}), {}, {})));
  };
  CHECK(defect_with(0) == "");
  CHECK(defect_with(1) == "row_lengths(1) is 1, not in 0 .. 0 (1, 1)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the slice offsets of a SELL matrix", "[validate]",
                        Spaces)
{
  CHECK(sell_defect<TestType>({}) == "");
  CHECK(sell_defect<TestType>({.slice_offsets = {4, 8, 12, 16}}) ==
        "slice_offsets(0) is 4, expected 0 (-1, 0)");
  CHECK(sell_defect<TestType>({.slice_offsets = {0, 12, 8, 16}}) ==
        "slice_offsets falls from 12 to 8 in slice 1 (-1, 2)");
  CHECK(sell_defect<TestType>({.slice_offsets = {0, 8, 12, 20}}) ==
        "slice_offsets ends at 20 but there are 16 places (-1, 3)");
  CHECK(sell_defect<TestType>({.slice_offsets = {0, 8, 14, 16}}) ==
        "slice 1 has 6 places, no multiple of height * alignment = 4 (-1, 2)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the order of rows in a SELL matrix", "[validate]",
                        Spaces)
{
  CHECK(sell_defect<TestType>({.rows = {}}) == ""); // another matrix, but a good one
  CHECK(sell_defect<TestType>({.rows = {2, 0, 5, 3, 4}}) ==
        "row 5 at position 2 is not in 0 .. 4 (5, 2)");
  CHECK(sell_defect<TestType>({.rows = {2, -1, 0, 3, 4}}) ==
        "row -1 at position 1 is not in 0 .. 4 (-1, 1)");
  CHECK(sell_defect<TestType>({.rows = {2, 0, 3, 1, 4}}) ==
        "row 3 at position 2 is not in its window 0 .. 2 (3, 2)");
  CHECK(sell_defect<TestType>({.rows = {2, 0, 1, 4, 2}}) ==
        "row 2 at position 4 is not in its window 3 .. 4 (2, 4)");
  CHECK(sell_defect<TestType>({.rows = {2, 0, 2, 3, 4}}) ==
        "row 2 at position 2 is at position 0 already (2, 2)");
  CHECK(sell_defect<TestType>({.shape = {2, 2, 1}}) ==
        "row 2 at position 0 is not in its window 0 .. 0 (2, 0)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the row lengths of a SELL matrix", "[validate]", Spaces)
{
  CHECK(sell_defect<TestType>({.lengths = {3, 2, 0, 1, 3}}) ==
        "row_lengths(4) is 3, not in 0 .. 2 (4, 4)");
  CHECK(sell_defect<TestType>({.lengths = {3, 5, 0, 1, 1}}) ==
        "row_lengths(1) is 5, not in 0 .. 4 (0, 1)"); // row 0 is at position 1
  CHECK(sell_defect<TestType>({.lengths = {3, 1, 0, 1, 1}}) ==
        "row_lengths add up to 6 but there are 7 entries (-1, -1)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at the places of a SELL matrix", "[validate]", Spaces)
{
  SellArrays s;
  s.columns[9] = 4;
  CHECK(sell_defect<TestType>(s) == "column 4 at position 9 of row 3 is not in 0 .. 3 (3, 9)");
  s = {};
  s.columns[3] = 3;
  CHECK(sell_defect<TestType>(s) == "column 3 stands twice in row 0, again at position 3 (0, 3)");
  s.columns[4] = 0;
  CHECK(sell_defect<TestType>(s) == "column 0 stands twice in row 2, again at position 4 (2, 4)");
  s = {};
  s.columns[8] = 1;
  CHECK(sell_defect<TestType>(s) == "column 1 at position 8, padding of row 1, is not -1 (1, 8)");
  s = {};
  s.columns[15] = 0;
  CHECK(sell_defect<TestType>(s) ==
        "column 0 at position 15, padding behind the last row, is not -1 (-1, 15)");
  s = {};
  s.values[7] = 1;
  CHECK(sell_defect<TestType>(s) == "the value at position 7, padding of row 0, is not 0 (0, 7)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at both parts of a HYB matrix", "[validate]", Spaces)
{
  CHECK(hyb_defect<TestType>({}) == "");
  CHECK(hyb_defect<TestType>({.rows = {}, .columns = {}}) == "");
  CHECK(hyb_defect<TestType>({.lengths = {1, 3, 2}}) ==
        "ell: row_lengths(1) is 3, not in 0 .. 2 (1, 1)");
  CHECK(hyb_defect<TestType>({.ell_columns = {0, 5, 3, 1, 0, 3}}) ==
        "ell: column 3 stands twice in row 2, again at position 5 (2, 5)");
  CHECK(hyb_defect<TestType>({.rows = {1, 3, 2}}) ==
        "rest: row 3 at position 1 is not in 0 .. 2 (3, 1)");
  CHECK(hyb_defect<TestType>({.columns = {8, 1, 9}}) ==
        "rest: column 9 at position 2 is not in 0 .. 8 (2, 2)");
}

TEMPLATE_LIST_TEST_CASE("validate looks at how the parts of a HYB matrix belong together",
                        "[validate]", Spaces)
{
  CHECK(hyb_defect<TestType>({.rows = {2, 1, 1}}) ==
        "rest: rows falls from 2 to 1 at position 1 (1, 1)");
  CHECK(hyb_defect<TestType>({.lengths = {2, 1, 2}, .ell_columns = {0, 5, 3, 1, -1, 8}}) ==
        "row 1 has entries in the rest but only 1 of 2 in the ELL part (1, -1)");
  CHECK(hyb_defect<TestType>({.lengths = {1, 2, 2}, .ell_columns = {0, 5, 3, -1, 0, 8}}) == "");
  CHECK(hyb_defect<TestType>({.columns = {8, 1, 3}}) ==
        "column 3 stands twice in row 2, again at position 2 of the rest (2, 2)");
  CHECK(hyb_defect<TestType>({.columns = {5, 1, 0}}) ==
        "column 5 stands twice in row 1, again at position 0 of the rest (1, 0)");
  CHECK(hyb_defect<TestType>({.columns = {8, 1, 1}}) ==
        "column 1 stands twice in row 2, again at position 2 of the rest (2, 2)");
}

TEMPLATE_LIST_TEST_CASE("validate takes default-constructed ELL, SELL and HYB matrices",
                        "[validate]", Spaces)
{
  using Space = typename TestType::memory_space;
  TestType const exec{};
  CHECK(text_of(heddle::validate(exec, heddle::EllMatrix<float, int, int, Space>{})) == "");
  CHECK(text_of(heddle::validate(exec, heddle::SellMatrix<float, int, int, Space>{})) == "");
  CHECK(text_of(heddle::validate(exec, heddle::HybMatrix<float, int, int, Space>{})) == "");
}
