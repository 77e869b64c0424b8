// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/csr_matrix.hpp>
#include <support/kernels.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::test
{

namespace
{

using Matrix = CsrMatrix<double, int, std::size_t, Kokkos::HostSpace>;

// Views of these sizes.
Matrix sized(int rows, int cols, std::size_t offsets, std::size_t columns, std::size_t values)
{
  return {rows, cols, Kokkos::View<std::size_t*, Kokkos::HostSpace>("offsets", offsets),
          Matrix::columns_view("columns", columns), Matrix::values_view("values", values)};
}

std::string message(int rows, int cols, std::size_t offsets, std::size_t columns,
                    std::size_t values)
{
  return message_of<InvalidArgument>([&] { sized(rows, cols, offsets, columns, values); });
}

std::int64_t expected_sum_of_places(Structure const& s)
{
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      sum += (i + 1) * (j + 1);
  return sum;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("a default CsrMatrix is 0 x 0", "[csr]")
{
  Matrix const a;
  CHECK(a.num_rows() == 0);
  CHECK(a.num_cols() == 0);
  CHECK(a.nnz() == 0);
  Matrix::const_type const read_only = a;
  CHECK(read_only.num_rows() == 0);
  CHECK(read_only.nnz() == 0);
}

TEST_CASE("a CsrMatrix shares the Views it is made of", "[csr]")
{
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("offsets", 4);
  Matrix::columns_view const columns("columns", 5);
  Matrix::values_view const values("values", 5);
  Matrix const a(3, 7, offsets, columns, values);
  CHECK(a.num_rows() == 3);
  CHECK(a.num_cols() == 7);
  CHECK(a.nnz() == 5);
  CHECK(a.row_offsets().data() == offsets.data());
  CHECK(a.columns().data() == columns.data());
  CHECK(a.values().data() == values.data());
  SECTION("its types can be left to the Views")
  {
    heddle::CsrMatrix const b(3, 7, offsets, columns, values);
    static_assert(std::is_same_v<decltype(b), Matrix const>);
    CHECK(b.num_cols() == 7);
    CHECK(b.row_offsets().data() == offsets.data());
    CHECK(b.columns().data() == columns.data());
    CHECK(b.values().data() == values.data());
    CHECK(message_of<heddle::InvalidArgument>([&] {
            heddle::CsrMatrix(4, 7, offsets, columns, values);
          }) == "heddle::CsrMatrix: row_offsets has 4 entries, expected rows + 1 = 5");
  }
  SECTION("copies are shallow")
  {
    Matrix const b = a;
    Matrix c;
    c = a;
    a.values()(2) = 42;
    CHECK(b.values()(2) == 42);
    CHECK(c.values()(2) == 42);
    CHECK(values.use_count() == 4);
  }
  SECTION("so is the read-only view")
  {
    Matrix::const_type const read_only = a;
    CHECK(read_only.num_rows() == 3);
    CHECK(read_only.num_cols() == 7);
    CHECK(read_only.row_offsets().data() == offsets.data());
    CHECK(read_only.columns().data() == columns.data());
    CHECK(read_only.values().data() == values.data());
    a.values()(4) = 17;
    CHECK(read_only.values()(4) == 17);
  }
}

TEST_CASE("a CsrMatrix keeps its storage alive", "[csr]")
{
  Matrix::const_type read_only;
  {
    Matrix const a = sized(2, 2, 3, 1, 1);
    a.values()(0) = 5;
    read_only = a;
  }
  CHECK(read_only.values()(0) == 5);
  CHECK(read_only.row_offsets().use_count() == 1);
}

TEST_CASE("a CsrMatrix compares sizes", "[csr]")
{
  CHECK(message(2, 3, 3, 4, 4) == "no error");
  CHECK(message(0, 3, 1, 0, 0) == "no error");
  CHECK(message(2, 0, 3, 0, 0) == "no error");
  CHECK(message(-1, 3, 0, 0, 0) == "heddle::CsrMatrix: negative size -1 x 3");
  CHECK(message(2, -3, 3, 0, 0) == "heddle::CsrMatrix: negative size 2 x -3");
  CHECK(message(2, 3, 2, 4, 4) ==
        "heddle::CsrMatrix: row_offsets has 2 entries, expected rows + 1 = 3");
  CHECK(message(2, 3, 4, 4, 4) ==
        "heddle::CsrMatrix: row_offsets has 4 entries, expected rows + 1 = 3");
  CHECK(message(2, 3, 3, 4, 5) == "heddle::CsrMatrix: columns has 4 entries but values has 5");
  CHECK(message(std::numeric_limits<int>::max(), 3, 3, 4, 4) ==
        "heddle::CsrMatrix: row_offsets has 3 entries, expected rows + 1 = 2147483648");
}

// As default-constructed matrices are, and those of KokkosSparse.
TEST_CASE("a CsrMatrix without rows and entries needs no row offsets", "[csr]")
{
  CHECK(message(0, 3, 0, 0, 0) == "no error");
  CHECK(message(0, 3, 0, 2, 2) ==
        "heddle::CsrMatrix: row_offsets has 0 entries, expected rows + 1 = 1");
  CHECK(message(1, 3, 0, 0, 0) ==
        "heddle::CsrMatrix: row_offsets has 0 entries, expected rows + 1 = 2");
}

TEMPLATE_LIST_TEST_CASE("kernels read a CsrMatrix", "[csr]", Spaces)
{
  using C = Case<TestType, float, std::int64_t, int>;
  for (char const* const name : {"0 x 7", "empty rows", "power law", "more than 2^16 rows"})
  {
    Structure const& s = structure(name);
    auto const a = make_csr<C>(s);
    typename CsrOf<C>::const_type const read_only = a;
    CHECK(sum_of_places(TestType{}, a) == expected_sum_of_places(s));
    CHECK(sum_of_places(TestType{}, read_only) == expected_sum_of_places(s));
  }
}
