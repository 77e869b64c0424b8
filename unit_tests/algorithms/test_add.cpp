// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/add.hpp>
#include <heddle/spmv.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
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

// Not representable, so that a product in the wrong precision shows.
template <class Value>
Value factor(double real)
{
  if constexpr (impl::is_complex_v<Value>)
    return Value(static_cast<typename Value::value_type>(real), 0.3F);
  else
    return static_cast<Value>(real);
}

// One call, a plan and the plan again with new values.
template <class C>
void check_sum(typename C::exec const& exec, Structure const& s, Structure const& t)
{
  INFO(t.name);
  using Value = typename C::value;
  Value const alpha = factor<Value>(1.7), beta = factor<Value>(-0.3);
  auto const a = make_csr_with<C>(s, 1), b = make_csr_with<C>(t, 2);
  auto const expected = [&] {
    return reference_sum(wide(alpha), row_entries(a), wide(beta), row_entries(b));
  };
  CHECK(difference(expected(), add(exec, alpha, a, beta, b)) == "");

  AddPlan const plan(exec, a, b);
  auto const c = plan.make_result(exec);
  CHECK(c.nnz() == plan.nnz());
  CHECK(plan.matches(exec, a, b));
  Kokkos::deep_copy(c.values(), Value(std::numeric_limits<float>::quiet_NaN()));
  add(exec, plan, alpha, a, beta, b, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
  fill_values(a, 3);
  fill_values(b, 4);
  add(exec, plan, alpha, a, beta, b, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
}

template <class Vector>
double largest_difference(Vector const& x, Vector const& y)
{
  double largest = 0;
  auto const a = to_vector(x), b = to_vector(y);
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

using C = DoubleCase<Device>;

Structure sorted_example() { return {"example", 2, 3, {{0, 2}, {1}}}; }
Structure unsorted_example() { return {"example", 2, 3, {{2, 0}, {1}}}; }

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::add;
using heddle::AddPlan;
using heddle::InvalidArgument;

TEMPLATE_LIST_TEST_CASE("add agrees with the oracle", "[add]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    for (Structure const& t : partners(s))
    {
      check_sum<TestType>(exec, s, t);
      check_sum<TestType>(exec, t, s);
    }
}

TEMPLATE_LIST_TEST_CASE("add agrees with the oracle on many rows", "[add]", Spaces)
{
  Structure const& s = structure("more than 2^16 rows");
  auto const all = partners(s);
  check_sum<DoubleCase<TestType>>(instance_of_five<TestType>(), s, all.back());
  check_sum<DoubleCase<TestType>>(instance_of_five<TestType>(), all[1], s);
}

// Each backend takes one of them; tests on hosts show both.
TEST_CASE("patterns are united by rows as they are by entries", "[add]")
{
  Host const exec;
  using D = DoubleCase<Host>;
  for (Structure const& s : small_structures())
    for (Structure const& t : partners(s))
    {
      INFO(t.name);
      auto const a = make_csr_with<D>(s, 1), b = make_csr_with<D>(t, 2);
      auto const c = add(exec, 1.5, a, 0.5, b);
      Kokkos::View<std::size_t*, D::space> const offsets("offsets", c.row_offsets().extent(0));
      Kokkos::View<int*, D::space> const columns("columns", c.nnz());
      Kokkos::View<double*, D::space> const values("values", c.nnz());
      using Sum = heddle::impl::AddSum<CsrOf<D>, CsrOf<D>>;
      Sum const sum{1.5, a.values(), 0.5, b.values()};
      std::size_t found = 0;
      heddle::impl::with_ordered_entries(exec, a, [&](auto const& left) {
        heddle::impl::with_ordered_entries(exec, b, [&](auto const& right) {
          heddle::impl::unite_by_entries(exec, "add", left, right, offsets, [&](std::size_t n) {
            found = n;
            return heddle::impl::StoreSums<Kokkos::View<int*, D::space>,
                                           Kokkos::View<double*, D::space>, Sum>{columns, values,
                                                                                 sum};
          });
        });
      });
      REQUIRE(found == c.nnz());
      CHECK(to_host(CsrOf<D>(c.num_rows(), c.num_cols(), offsets, columns, values)) == to_host(c));
    }
}

TEST_CASE("entries stay where values cancel", "[add]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    auto const a = make_csr<C>(s);
    auto expected = row_entries(a);
    auto const c = add(Device{}, 1.0, a, -1.0, a);
    for (auto& row : expected)
      for (auto& [column, value] : row)
        value = 0;
    CHECK(row_entries(c) == expected);
  }
}

TEST_CASE("(alpha A + beta B) x is alpha A x + beta B x", "[add]")
{
  for (Structure const& s : small_structures())
    for (Structure const& t : partners(s))
    {
      INFO(t.name);
      auto const a = make_csr_with<C>(s, 5), b = make_csr_with<C>(t, 6);
      std::vector<double> numbers(static_cast<std::size_t>(s.cols));
      for (std::size_t j = 0; j < numbers.size(); ++j)
        numbers[j] = hashed(static_cast<std::int64_t>(j), 7);
      auto const x = to_view<double, C::space>(numbers);
      Kokkos::View<double*, C::space> const y("y", s.rows), z("z", s.rows);
      heddle::spmv(Device{}, 1.0, add(Device{}, 2.5, a, -0.75, b), x, 0.0, y);
      heddle::spmv(Device{}, 2.5, a, x, 0.0, z);
      heddle::spmv(Device{}, -0.75, b, x, 1.0, z);
      Device{}.fence();
      // At most 2 cols terms, each at most 2.5.
      double const n = 2.0 * static_cast<double>(s.cols);
      CHECK(largest_difference(y, z) <= 2 * error_bound<double>(2 * s.cols, 2.5 * n));
    }
}

TEST_CASE("add tells equal patterns with sorted rows from all others", "[add]")
{
  auto const plan_of = [](Structure const& s, Structure const& t) {
    return AddPlan(Device{}, make_csr<C>(s), make_csr<C>(t));
  };
  CHECK(plan_of(sorted_example(), sorted_example()).has_equal_patterns());
  CHECK_FALSE(plan_of(unsorted_example(), unsorted_example()).has_equal_patterns());
  CHECK_FALSE(plan_of(sorted_example(), unsorted_example()).has_equal_patterns());
  CHECK_FALSE(
      plan_of(sorted_example(), {"as many entries", 2, 3, {{0, 1}, {1}}}).has_equal_patterns());
  CHECK_FALSE(plan_of(sorted_example(), {"other rows", 2, 3, {{0}, {1, 2}}}).has_equal_patterns());
  CHECK(plan_of(sorted_example(), sorted_example()).describe() ==
        "C = alpha A + beta B is 2 x 3 with 3 entries of 3 and 3; the patterns are equal\n"
        "memory held by the plan: 36 bytes\n");
  CHECK(plan_of(sorted_example(), unsorted_example()).describe() ==
        "C = alpha A + beta B is 2 x 3 with 3 entries of 3 and 3; values are gathered by recorded "
        "positions\nmemory held by the plan: 84 bytes\n");
}

TEST_CASE("add with equal patterns may write into A or B", "[add]")
{
  auto const a = make_csr_with<C>(structure("banded"), 1),
             b = make_csr_with<C>(structure("banded"), 2);
  auto const expected = reference_sum(1.0, row_entries(a), -3.0, row_entries(b));
  AddPlan const plan(Device{}, a, b);
  add(Device{}, plan, 1.0, a, -3.0, b, a);
  Device{}.fence();
  CHECK(difference(expected, a) == "");
  auto const next = reference_sum(0.5, row_entries(a), 2.0, row_entries(b));
  add(Device{}, plan, 0.5, a, 2.0, b, b);
  Device{}.fence();
  CHECK(difference(next, b) == "");
}

TEST_CASE("a plan takes other factors and values at each call", "[add]")
{
  Device const exec;
  auto const a = make_csr_with<C>(structure("banded"), 1);
  auto const m = make_csr_with<C>(partners(structure("banded"))[2], 2);
  AddPlan const plan(exec, a, m);
  auto const c = plan.make_result(exec);
  for (double const dt : {0.5, 0.25, -1.0})
  {
    fill_values(a, static_cast<std::int64_t>(100 * dt));
    add(exec, plan, 1.0, a, dt, m, c);
    exec.fence();
    CHECK(difference(reference_sum(1.0, row_entries(a), dt, row_entries(m)), c) == "");
  }
}

TEST_CASE("a factor of 0 does not read its matrix", "[add]")
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (Structure const& t : {sorted_example(), Structure{"other", 2, 3, {{0, 1}, {}}}})
  {
    auto const a = make_csr<C>(sorted_example()), b = make_csr_with<C>(t, 2);
    Kokkos::deep_copy(a.values(), nan);
    auto expected =
        reference_sum(0.0, row_entries(make_csr<C>(sorted_example())), 3.0, row_entries(b));
    CHECK(difference(expected, add(Device{}, 0.0, a, 3.0, b)) == "");
    expected = reference_sum(3.0, row_entries(b), 0.0, row_entries(make_csr<C>(sorted_example())));
    CHECK(difference(expected, add(Device{}, 3.0, b, 0.0, a)) == "");
  }
}

TEST_CASE("add takes values and offsets of different types", "[add]")
{
  using Narrow = Case<Device, float, int, int>;
  Structure const& s = structure("unsorted");
  auto const a = make_csr_with<Narrow>(s, 1);
  auto const b = make_csr_with<C>(partners(s).back(), 2);
  auto const c = add(Device{}, 1.1, a, 0.1, b);
  static_assert(std::is_same_v<std::remove_const_t<decltype(c)>, CsrOf<C>>);
  CHECK(difference(reference_sum(1.1, row_entries(a), 0.1, row_entries(b)), c) == "");
  CHECK(difference(reference_sum(0.1, row_entries(b), 1.1, row_entries(a)),
                   add(Device{}, 0.1, b, 1.1, a)) == "");
}

TEST_CASE("add takes default-constructed and read-only matrices", "[add]")
{
  CsrOf<C> const none;
  CHECK(to_host(add(Device{}, 1.0, none, 1.0, none)) == HostCsr<double>{0, 0, {0}, {}, {}});
  AddPlan const plan(Device{}, none, none);
  add(Device{}, plan, 1.0, none, 1.0, none, plan.make_result(Device{}));
  auto const a = make_csr<C>(sorted_example());
  CsrOf<C>::const_type const read_only = a;
  auto const c = add(Device{}, 2.0, read_only, 1.0, a);
  CHECK(difference(reference_sum(3.0, row_entries(a), 0.0, row_entries(a)), c) == "");
  Kokkos::deep_copy(c.columns(), 0);
  CHECK(to_host(a).columns == std::vector<std::int64_t>{0, 2, 1});
}

TEST_CASE("add refuses sizes that do not fit, word by word", "[add]")
{
  auto const a = make_csr<C>(sorted_example());
  auto const b = make_csr<C>({"b", 2, 3, {{0, 1}, {}}});
  auto const other = make_csr<C>({"other", 3, 2, {{0}, {1}, {}}});
  auto const message = [](auto const& call) { return message_of<InvalidArgument>(call); };
  std::string const sizes = "heddle::add: A is 2 x 3 but B is 3 x 2";
  CHECK(message([&] { add(Device{}, 1.0, a, 1.0, other); }) == sizes);
  CHECK(message([&] { AddPlan(Device{}, a, other); }) == sizes);
  AddPlan const plan(Device{}, a, b);
  auto const c = plan.make_result(Device{});
  CHECK(message([&] { add(Device{}, plan, 1.0, a, 1.0, other, c); }) ==
        "heddle::add: the plan was made for 2 x 3, 2 entries but B is 3 x 2, 2 entries");
  CHECK(message([&] { add(Device{}, plan, 1.0, b, 1.0, b, c); }) ==
        "heddle::add: the plan was made for 2 x 3, 3 entries but A is 2 x 3, 2 entries");
  CHECK(message([&] { add(Device{}, plan, 1.0, a, 1.0, b, a); }) ==
        "heddle::add: C is 2 x 3, 3 entries but the sum is 2 x 3, 4 entries");
}

TEST_CASE("add refuses a result in the memory of A or B", "[add]")
{
  auto const a = make_csr<C>(sorted_example());
  auto const b = make_csr<C>({"b", 2, 3, {{0}, {1}}});
  AddPlan const plan(Device{}, a, b), other_way(Device{}, b, a);
  CHECK(message_of<InvalidArgument>([&] { add(Device{}, plan, 1.0, a, 1.0, b, a); }) ==
        "heddle::add: the values of A and C share memory");
  CHECK(message_of<InvalidArgument>([&] { add(Device{}, other_way, 1.0, b, 1.0, a, a); }) ==
        "heddle::add: the values of B and C share memory");
  Kokkos::View<double*, C::space> const both("both", 4);
  auto const part = [&](int begin) {
    return CsrOf<C>(2, 3, a.row_offsets(), a.columns(),
                    Kokkos::subview(both, Kokkos::pair<int, int>(begin, begin + 3)));
  };
  AddPlan const equal(Device{}, a, a);
  CHECK(message_of<InvalidArgument>([&] {
          add(Device{}, equal, 1.0, part(0), 1.0, part(0), part(1));
        }) == "heddle::add: the values of A and C share memory");
}

TEST_CASE("add refuses more entries than the offset type holds", "[add]")
{
  using Short = Case<Device, double, int, std::int16_t>;
  Structure const s = random_structure("left", 250, 400, 100, 1);
  Structure t = s;
  for (auto& row : t.columns)
    for (auto& column : row)
      column = 399 - column;
  std::int64_t n = 0;
  for (auto const& row :
       reference_sum(1.0, row_entries(make_csr<C>(s)), 1.0, row_entries(make_csr<C>(t))))
    n += static_cast<std::int64_t>(row.size());
  REQUIRE(n > 32767);
  auto const a = make_csr<Short>(s), b = make_csr<Short>(t);
  std::string const message =
      "heddle::add: the result has " + std::to_string(n) +
      " entries, which do not fit its offset type (largest value 32767); use wider offsets";
  CHECK(message_of<InvalidArgument>([&] { add(Device{}, 1.0, a, 1.0, b); }) == message);
  CHECK(message_of<InvalidArgument>([&] { AddPlan(Device{}, a, b); }) == message);
}

TEST_CASE("a plan tells other patterns of the same sizes apart", "[add]")
{
  auto const a = make_csr<C>(structure("unsorted")), b = make_csr<C>(structure("unsorted"));
  auto const other = make_csr<C>(shuffled(structure("unsorted"), 9));
  AddPlan const plan(Device{}, a, b);
  CHECK(plan.matches(Device{}, a, b));
  CHECK_FALSE(plan.matches(Device{}, other, b));
  CHECK_FALSE(plan.matches(Device{}, a, other));
  auto const c = plan.make_result(Device{});
  auto const columns = to_host(c).columns;
#if defined(KOKKOS_ENABLE_DEBUG)
  CHECK(message_of<InvalidArgument>([&] { add(Device{}, plan, 1.0, other, 1.0, b, c); }) ==
        "heddle::add: the plan was made for another pattern than A's, of the same sizes");
#else
  add(Device{}, plan, 1.0, other, 1.0, b, c); // other numbers
  Device{}.fence();
#endif
  CHECK(to_host(c).columns == columns);
}

TEMPLATE_LIST_TEST_CASE("two instances use one plan at once", "[add]", Spaces)
{
  using D = DoubleCase<TestType>;
  Structure const& s = structure("power law");
  auto const a = make_csr_with<D>(s, 1), b = make_csr_with<D>(partners(s).back(), 2);
  AddPlan const plan(TestType{}, a, b);
  auto const expected = reference_sum(1.0, row_entries(a), 2.0, row_entries(b));
  CHECK(at_once<TestType>([&](TestType const& exec) {
          auto const c = plan.make_result(exec);
          for (int n = 0; n < 20; ++n)
            add(exec, plan, 1.0, a, 2.0, b, c);
          exec.fence();
          return difference(expected, c);
        }) == both_right);
}
