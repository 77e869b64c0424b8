// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/coo_matrix.hpp>
#include <support/kernels.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Coordinates = CooMatrix<double, int, std::size_t, Kokkos::HostSpace>;

std::string message(int num_rows, int num_cols, std::size_t rows, std::size_t columns,
                    std::size_t values)
{
  return message_of<InvalidArgument>([&] {
    Coordinates(num_rows, num_cols, Coordinates::indices_view("rows", rows),
                Coordinates::indices_view("columns", columns),
                Coordinates::values_view("values", values));
  });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("a default CooMatrix is 0 x 0", "[coo]")
{
  Coordinates const a;
  CHECK(a.num_rows() == 0);
  CHECK(a.num_cols() == 0);
  CHECK(a.nnz() == 0);
}

TEST_CASE("a CooMatrix shares the Views it is made of", "[coo]")
{
  Coordinates::indices_view const rows("rows", 5), columns("columns", 5);
  Coordinates::values_view const values("values", 5);
  Coordinates const a(3, 7, rows, columns, values);
  CHECK(a.num_rows() == 3);
  CHECK(a.num_cols() == 7);
  CHECK(a.nnz() == 5);
  CHECK(a.rows().data() == rows.data());
  CHECK(a.columns().data() == columns.data());
  CHECK(a.values().data() == values.data());
  Coordinates const copy = a;
  Coordinates::const_type const read_only = a;
  CHECK(read_only.num_rows() == 3);
  CHECK(read_only.num_cols() == 7);
  CHECK(read_only.rows().data() == rows.data());
  CHECK(read_only.columns().data() == columns.data());
  a.values()(4) = 17;
  CHECK(copy.values()(4) == 17);
  CHECK(read_only.values()(4) == 17);
}

TEST_CASE("a CooMatrix compares sizes", "[coo]")
{
  CHECK(message(2, 3, 4, 4, 4) == "no error");
  CHECK(message(0, 0, 0, 0, 0) == "no error");
  CHECK(message(-2, 3, 0, 0, 0) == "heddle::CooMatrix: negative size -2 x 3");
  CHECK(message(2, -3, 0, 0, 0) == "heddle::CooMatrix: negative size 2 x -3");
  CHECK(message(2, 3, 5, 4, 4) == "heddle::CooMatrix: rows has 5 entries, columns 4, values 4");
  CHECK(message(2, 3, 4, 5, 4) == "heddle::CooMatrix: rows has 4 entries, columns 5, values 4");
  CHECK(message(2, 3, 4, 4, 5) == "heddle::CooMatrix: rows has 4 entries, columns 4, values 5");
}

TEMPLATE_LIST_TEST_CASE("kernels read a CooMatrix", "[coo]", Spaces)
{
  using Space = typename TestType::memory_space;
  heddle::CooMatrix<float, std::int64_t, int, Space> const a(
      5, 9, to_view<std::int64_t, Space>({4, 0, 2}), to_view<std::int64_t, Space>({8, 0, 1}),
      to_view<float, Space>({1, 2, 3}));
  heddle::CooMatrix<float const, std::int64_t, int, Space> const read_only = a;
  CHECK(sum_of_coordinates(TestType{}, a) == 5 * 9 + 1 + 3 * 2);
  CHECK(sum_of_coordinates(TestType{}, read_only) == 5 * 9 + 1 + 3 * 2);
}
