// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/spmv.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>
#include <vector>

namespace heddle::test
{

// The result of one call as host values; y starts as value_at, or as NaN where beta is 0.
template <class C, class Vector>
std::vector<typename C::value>
spmv_result(typename C::exec const& exec, Structure const& s, Op op, typename C::value alpha,
            typename C::value beta, std::string const& name, Vector const& x, Vector const& y)
{
  using Value = typename C::value;
  auto const a = make_csr<C>(s);
  auto const host_x = Kokkos::create_mirror(x);
  auto const host_y = Kokkos::create_mirror(y);
  for (std::size_t i = 0; i < x.extent(0); ++i)
    host_x(i) = value_at<Value>(static_cast<std::int64_t>(i) + b_offset, 0);
  for (std::size_t i = 0; i < y.extent(0); ++i)
    host_y(i) = beta == Value(0) ? Value(std::numeric_limits<float>::quiet_NaN())
                                 : value_at<Value>(static_cast<std::int64_t>(i) + c_offset, 0);
  Kokkos::deep_copy(x, host_x);
  Kokkos::deep_copy(y, host_y);
  SpmvPlan const plan(exec, a, {.implementation = name});
  REQUIRE(plan.implementation_name() == name);
  spmv(exec, plan, op, alpha, a, x, beta, y);
  exec.fence();
  Kokkos::deep_copy(host_y, y);
  std::vector<Value> result(y.extent(0));
  for (std::size_t i = 0; i < y.extent(0); ++i)
    result[i] = host_y(i);
  return result;
}

template <class C>
std::vector<char const*> spmv_names()
{
  return impl::names_of(SpmvImplementations<typename C::exec, typename CsrOf<C>::const_type>{});
}

template <class C>
void check_spmv(typename C::exec const& exec, Structure const& s, Op op, typename C::value alpha,
                typename C::value beta, char const* name)
{
  using Value = typename C::value;
  using Vector = Kokkos::View<Value*, typename C::space>;
  INFO(name << ", " << s.name << ", " << to_string(op));
  Vector const x("heddle::test::x", op == Op::none ? s.cols : s.rows);
  Vector const y("heddle::test::y", op == Op::none ? s.rows : s.cols);
  auto const result = spmv_result<C>(exec, s, op, alpha, beta, name, x, y);
  auto const expected = reference_multiply<Value>(s, op, alpha, 1, beta);
  CHECK(first_difference<Value>(expected, [&](auto i, auto) { return result[i]; }) == "");
}

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("spmv agrees with the oracle", "[spmv]", Types)
{
  using Value = typename TestType::value;
  typename TestType::exec const exec{};
  for (auto const& s : structures())
    for (auto const* const name : spmv_names<TestType>())
      for (Op const op : {Op::none, Op::transpose, Op::conjugate_transpose})
      {
        check_spmv<TestType>(exec, s, op, Value(1), Value(0), name);
        check_spmv<TestType>(exec, s, op, Value(-0.5), Value(2), name);
      }
}
