// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/spmm.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

template <class C>
std::vector<char const*> spmm_names()
{
  return impl::names_of(SpmmImplementations<typename C::exec, typename CsrOf<C>::const_type>{});
}

// One call against the oracle, on operands that the caller made.
template <class C, class Value, class B, class Result>
void check_spmm(typename C::exec const& exec, Structure const& s, Op op, Value alpha, Value beta,
                char const* name, B const& b, Result const& c)
{
  auto const k = static_cast<std::int64_t>(b.extent(1));
  INFO(name << ", " << s.name << ", " << to_string(op) << ", k " << k << ", beta " << wide(beta));
  auto const a = make_csr<C>(s);
  fill_input(b);
  fill_output(c, beta == Value(0));
  SpmmPlan const plan(exec, a, {.implementation = name});
  REQUIRE(std::string(plan.implementation_name()) == name);
  spmm(exec, plan, op, alpha, a, b, beta, c);
  exec.fence();
  auto const expected =
      reference_multiply<typename C::value, typename B::non_const_value_type, Value>(s, op, alpha,
                                                                                     k, beta);
  CHECK(first_difference_in(expected, c) == "");
}

// All implementations and ops; make(rows, cols) gives an operand.
template <class C, class Value, class MakeB, class MakeC>
void check_all_spmm(std::vector<Structure> const& all, std::vector<int> const& widths,
                    MakeB const& make_b, MakeC const& make_c)
{
  typename C::exec const exec{};
  for (auto const& s : all)
    for (auto const* const name : spmm_names<C>())
      for (Op const op : all_ops)
        for (int const k : widths)
        {
          auto const b = make_b(is_transposed(op) ? s.rows : s.cols, k);
          auto const c = make_c(is_transposed(op) ? s.cols : s.rows, k);
          check_spmm<C>(exec, s, op, Value(1), Value(0), name, b, c);
          check_spmm<C>(exec, s, op, Value(-0.5), Value(2), name, b, c);
        }
}

template <class Value, class Layout, class Space>
auto plain(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::View<Value**, Layout, Space>("heddle::test::operand", rows, cols);
}
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
  check_all_spmm<TestType, Value>(small_structures(), {0, 1, 3, 37},
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
