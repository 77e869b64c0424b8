// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/jacobi_product.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

template <class C>
using VectorOf = Kokkos::View<typename C::value*, typename C::space>;

template <class C>
VectorOf<C> numbers(std::int64_t n, std::int64_t seed)
{
  std::vector<typename C::value> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = value_at<typename C::value>(static_cast<std::int64_t>(i), seed);
  return to_view<typename C::value, typename C::space>(all);
}

// B - omega diag(d) A B by plain loops. Each of its terms is rounded three times more than one of
// A B, hence the terms.
template <class Value>
SparseRows reference_jacobi(Value const& omega, std::vector<Value> const& d, RowEntries const& a,
                            RowEntries const& b)
{
  SparseRows c(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
  {
    for (auto const& [j, value] : b[i])
      c[i][j] = {value, std::abs(value), 1};
    for (auto const& [k, left] : a[i])
      for (auto const& [j, right] : b[static_cast<std::size_t>(k)])
      {
        Wide const term = wide(omega) * wide(d[i]) * left * right;
        Entry& entry = c[i][j];
        entry.value -= term;
        entry.magnitude += std::abs(term);
        entry.terms += 4;
      }
  }
  return c;
}

Structure square_part(Structure const& s)
{
  Structure part{s.name + ", square", s.rows, s.rows, s.columns};
  for (auto& row : part.columns)
    row.erase(std::remove_if(row.begin(), row.end(), [&](std::int64_t j) { return j >= s.rows; }),
              row.end());
  return part;
}

// One call, a plan, and the plan again with new values.
template <class C>
void check_jacobi(typename C::exec const& exec, Structure const& s, Structure const& t)
{
  INFO(s.name << " times " << t.name);
  using Value = typename C::value;
  Value const omega(0.7F);
  auto const a = make_csr_with<C>(s, 1), b = make_csr_with<C>(t, 2);
  auto const d = numbers<C>(s.rows, 3);
  auto const expected = [&] {
    return reference_jacobi(omega, to_vector(d), row_entries(a), row_entries(b));
  };
  CHECK(difference(expected(), jacobi_product(exec, omega, d, a, b)) == "");

  JacobiPlan const plan(exec, a, b);
  auto const c = plan.make_result(exec);
  CHECK(c.nnz() == plan.nnz());
  CHECK(plan.matches(exec, a, b));
  Kokkos::deep_copy(c.values(), Value(std::numeric_limits<float>::quiet_NaN()));
  jacobi_product(exec, plan, omega, d, a, b, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
  fill_values(a, 4);
  fill_values(b, 5);
  jacobi_product(exec, plan, omega, d, a, b, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
}

using C = DoubleCase<Device>;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::jacobi_product;
using heddle::JacobiPlan;

TEMPLATE_LIST_TEST_CASE("jacobi_product agrees with the oracle", "[jacobi_product]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    check_jacobi<TestType>(exec, square_part(s), s);
  check_jacobi<TestType>(exec, square_part(structure("unsorted")),
                         shuffled(random_structure("narrow", 100, 12, 2, 9), 8));
}

TEST_CASE("jacobi_product is spgemm, scale_rows and add", "[jacobi_product]")
{
  Device const exec;
  auto const a = make_csr_with<C>(structure("banded"), 1);
  auto const p = make_csr_with<C>(random_structure("prolongator", 257, 60, 1, 2), 2);
  auto const d = numbers<C>(257, 3);
  double const omega = 0.66;
  JacobiPlan const plan(exec, a, p);
  auto const smoothed = plan.make_result(exec);

  jacobi_product(exec, plan, omega, d, a, p, smoothed);

  auto const product = heddle::spgemm(exec, a, p);
  heddle::scale_rows(exec, d, product);
  auto const composed = heddle::add(exec, 1.0, p, -omega, product);
  auto const one = to_host(smoothed), other = to_host(composed);
  CHECK(one.offsets == other.offsets);
  CHECK(one.columns == other.columns);
  double largest = 0;
  for (std::size_t k = 0; k < one.values.size(); ++k)
    largest = std::max(largest, std::abs(one.values[k] - other.values[k]));
  CHECK(largest <= 2 * error_bound<double>(4 * 6, 6.0)); // of five products and an entry of p
}

TEST_CASE("jacobi_product finds columns of the product where its plan keeps none",
          "[jacobi_product]")
{
  using D = DoubleCase<Host>;
  Host const exec;
  auto const a = make_csr_with<D>(structure("power law"), 1);
  auto const d = numbers<D>(a.num_rows(), 3);
  JacobiPlan const plan(
      exec, a, a, {.implementation = "portable::dense_or_hash", .max_workspace_bytes = 60000});
  REQUIRE_FALSE(plan.product().keeps_columns());
  auto const c = plan.make_result(exec);
  jacobi_product(exec, plan, 0.5, d, a, a, c);
  exec.fence();
  CHECK(difference(reference_jacobi(0.5, to_vector(d), row_entries(a), row_entries(a)), c) == "");
}

TEST_CASE("jacobi_product names what it refuses", "[jacobi_product]")
{
  Device const exec;
  auto const a = make_csr<C>({"a", 2, 2, {{0, 1}, {1}}});
  auto const b = make_csr<C>({"b", 2, 3, {{0, 2}, {}}});
  auto const wide = make_csr<C>({"wide", 2, 3, {{0}, {1}}});
  auto const d = numbers<C>(2, 1), three = numbers<C>(3, 1);
  std::string const square = ", expected a square A with as many columns as B has rows";
  CHECK(refusal([&] { jacobi_product(exec, 0.5, d, wide, a); }) ==
        "heddle::jacobi_product: A is 2 x 3 and B 2 x 2" + square);
  CHECK(refusal([&] { JacobiPlan(exec, a, make_csr<C>(structure("1 x 1"))); }) ==
        "heddle::jacobi_product: A is 2 x 2 and B 1 x 1" + square);
  std::string const ops = "heddle::jacobi_product: op_a is none and op_b transpose, expected none";
  CHECK(refusal([&] { JacobiPlan(exec, a, b, {.op_b = heddle::Op::transpose}); }) == ops);
  std::string const diagonal =
      "heddle::jacobi_product: the inverse diagonal has 3 entries but A has 2 rows";
  CHECK(refusal([&] { jacobi_product(exec, 0.5, three, a, b); }) == diagonal);
  JacobiPlan const plan(exec, a, b);
  auto const c = plan.make_result(exec);
  CHECK(refusal([&] { jacobi_product(exec, plan, 0.5, three, a, b, c); }) == diagonal);
  CHECK(refusal([&] { jacobi_product(exec, plan, 0.5, d, a, a, c); }) ==
        "heddle::jacobi_product: the plan was made for 2 x 3, 2 entries but B is 2 x 2, 3 entries");
  CHECK(refusal([&] { jacobi_product(exec, plan, 0.5, d, a, b, b); }) ==
        "heddle::jacobi_product: the values of B and C share memory");
  CHECK(refusal([&] { jacobi_product(exec, plan, 0.5, d, a, b, wide); }) == "no error");
  CHECK(refusal([&] {
          jacobi_product(exec, plan, 0.5, d, a, b, make_csr<C>({"c", 2, 3, {{0}, {}}}));
        }) == "heddle::jacobi_product: C is 2 x 3, 1 entries but the result is 2 x 3, 2 entries");
}
