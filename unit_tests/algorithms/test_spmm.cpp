// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/environment.hpp>
#include <support/spmm.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

// Neither rows nor columns contiguous.
template <class Value, class Space>
auto strided(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::subview(
      Kokkos::View<Value***, Kokkos::LayoutRight, Space>("heddle::test::operand", rows, cols, 2),
      Kokkos::ALL, Kokkos::ALL, 1);
}
// A piece of a larger array of the layout: the leading dimension is not the size.
template <class Value, class Layout, class Space>
auto padded(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::subview(
      Kokkos::View<Value**, Layout, Space>("heddle::test::operand", rows + 3, cols + 5),
      Kokkos::make_pair(std::int64_t(2), rows + 2), Kokkos::make_pair(std::int64_t(1), cols + 1));
}

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("spmm agrees with the oracle on row-major operands", "[spmm]", Types)
{
  using Value = typename TestType::value;
  using Space = typename TestType::space;
  check_all_spmm<TestType, Value>(small_structures(), {0, 1, 3, 37, 40},
                                  plain<Value, Kokkos::LayoutRight, Space>,
                                  plain<Value, Kokkos::LayoutRight, Space>);
}

TEMPLATE_LIST_TEST_CASE("spmm agrees with the oracle on column-major operands", "[spmm]", Types)
{
  using Value = typename TestType::value;
  using Space = typename TestType::space;
  check_all_spmm<TestType, Value>(small_structures(), {1, 19},
                                  plain<Value, Kokkos::LayoutLeft, Space>,
                                  plain<Value, Kokkos::LayoutLeft, Space>);
}

TEST_CASE("spmm takes more than 2^16 rows", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_all_spmm<C, double>({structure("more than 2^16 rows")}, {33},
                            plain<double, Kokkos::LayoutRight, C::space>,
                            plain<double, Kokkos::LayoutRight, C::space>);
}

TEST_CASE("spmm agrees with the oracle where rows of B come from memory", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  EnvironmentVariable const small_cache("HEDDLE_LAST_CACHE_BYTES", "1024");
  check_all_spmm<C, double>({random_structure("no two rows are alike", 300, 2000, 7, 61)}, {8, 33},
                            plain<double, Kokkos::LayoutRight, C::space>,
                            plain<double, Kokkos::LayoutRight, C::space>);
}

TEST_CASE("spmm takes operands of any strides, in any mixture", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  auto const check = [](auto const& make_b, auto const& make_c) {
    check_all_spmm<C, double>({structure("wide"), structure("dense column"), structure("unsorted")},
                              {1, 7, 34}, make_b, make_c);
  };
  SECTION("strided") { check(strided<double, C::space>, strided<double, C::space>); }
  SECTION("row-major with a leading dimension")
  {
    check(padded<double, Right, C::space>, padded<double, Right, C::space>);
  }
  SECTION("column-major with a leading dimension")
  {
    check(padded<double, Left, C::space>, padded<double, Left, C::space>);
  }
  SECTION("row-major times column-major")
  {
    check(plain<double, Right, C::space>, plain<double, Left, C::space>);
    check(plain<double, Left, C::space>, plain<double, Right, C::space>);
  }
}

TEST_CASE("spmm sums float matrices under double operands in double", "[spmm]")
{
  using C = Case<Device, float, int, std::size_t>;
  check_all_spmm<C, double>({structure("dense row"), structure("banded")}, {1, 20},
                            plain<double, Kokkos::LayoutRight, C::space>,
                            plain<double, Kokkos::LayoutRight, C::space>);
}

TEST_CASE("spmm takes a real matrix under complex operands", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_all_spmm<C, Complex128>({structure("dense row"), structure("banded")}, {1, 9},
                                plain<Complex128, Kokkos::LayoutRight, C::space>,
                                plain<Complex128, Kokkos::LayoutRight, C::space>);
}
