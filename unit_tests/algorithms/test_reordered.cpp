// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices held in another order: multiplied in the caller's numbering they agree with the oracle
// of the matrix as it was.

#include <heddle/reordered_matrix.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/instances.hpp>
#include <support/messages.hpp>
#include <support/multiply_formats.hpp>
#include <support/permutations.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using D = Case<Device, double, int, std::size_t>;
// The parts beside P A Q^T's own multiplication, which has its tests, hardly depend on types.
using ReorderedTypes =
    std::conditional_t<std::is_same_v<Device, Kokkos::Serial>,
                       std::tuple<D, Case<Device, Complex64, int, std::size_t>>,
                       std::tuple<D, Case<Device, Complex64, int, std::size_t>,
                                  Case<Kokkos::Serial, double, int, std::size_t>>>;

template <class C>
auto reordered(typename C::exec const& exec, CsrOf<C> const& a, double order_seconds = 0)
{
  return to_reordered(exec, a, permutation_view<C>(random_order(a.num_rows(), 3)),
                      permutation_view<C>(random_order(a.num_cols(), 4)), order_seconds);
}

// Values of a times -2.
template <class C>
void change_values(CsrOf<C> const& a)
{
  auto values = to_vector(a.values());
  for (auto& value : values)
    value *= typename C::value(-2);
  Kokkos::deep_copy(a.values(), to_view<typename C::value, typename C::space>(values));
}

std::string message_of_orders(Order const& p, Order const& q)
{
  auto const a = make_csr<D>({"", 2, 3, {{0}, {2, 1}}});
  return message_of<InvalidArgument>(
      [&] { to_reordered(Device{}, a, permutation_view<D>(p), permutation_view<D>(q)); });
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;
using heddle::OrderCost;
using heddle::SpmmPlan;
using heddle::SpmvPlan;

TEMPLATE_LIST_TEST_CASE("spmv in another order agrees with the oracle", "[spmv][reordered]",
                        ReorderedTypes)
{
  for (Structure const& s : small_structures())
    check_spmv_of<TestType>(reordered<TestType>({}, make_csr<TestType>(s)), s);
}

TEMPLATE_LIST_TEST_CASE("spmm in another order agrees with the oracle", "[spmm][reordered]",
                        ReorderedTypes)
{
  for (Structure const& s : small_structures())
    check_spmm_of<TestType>(reordered<TestType>({}, make_csr<TestType>(s)), s);
}

TEST_CASE("a reordered matrix is P A Q^T, and knows where its entries come from", "[reordered]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    auto const a = make_csr<D>(s);
    auto const r = reordered<D>({}, a);
    auto const p = permutation_view<D>(random_order(s.rows, 3));
    auto const q = permutation_view<D>(random_order(s.cols, 4));
    CHECK(to_host(r.moved()) == to_host(heddle::permute(Device{}, a, p, q)));
    CHECK(to_vector(r.row_order()) == to_vector(p));
    CHECK(to_vector(r.column_order()) == to_vector(q));
    auto const sources = to_vector(r.sources());
    auto const values = to_vector(a.values()), moved = to_vector(r.moved().values());
    for (std::size_t k = 0; k < sources.size(); ++k)
      CHECK(moved[k] == values[sources[k]]);
    CHECK(heddle::storage_bytes(r) ==
          heddle::storage_bytes(a) + 4 * (s.rows + s.cols) + 8 * a.nnz());
  }
}

TEST_CASE("a reordered matrix takes new values without waiting, on the instance it is given",
          "[reordered]")
{
  auto const exec = instance_of_five<Device>();
  Structure const& s = structure("power law");
  auto const a = make_csr<D>(s);
  auto const r = reordered<D>(exec, a);
  SpmvPlan const plan(exec, r);
  change_values<D>(a);
  update_values(exec, r, a);
  auto const x = plain<double, Kokkos::LayoutLeft, D::space>(s.cols, 1);
  auto const y = plain<double, Kokkos::LayoutLeft, D::space>(s.rows, 1);
  fill_input(x);
  multiply(exec, plan, Op::none, 1.0, r, x, 0.0, y);
  auto const expected = reference_multiply<double, double, double>(s, Op::none, -2.0, 1, 0.0);
  CHECK(first_difference_in(expected, y) == "");
  auto const other = make_csr<D>({"", 2, 3, {{0}, {2, 1}}});
  CHECK(message_of<heddle::InvalidArgument>([&] {
          update_values(exec, r, other);
        }).find("heddle::update_values: the target is ") == 0);
}

TEST_CASE("operands of calls in another order may have strides and two layouts", "[reordered]")
{
  Structure const& s = structure("wide");
  auto const r = reordered<D>({}, make_csr<D>(s));
  SpmvPlan const spmv_plan(Device{}, r);
  SpmmPlan const spmm_plan(Device{}, r);
  for (Op const op : all_ops)
  {
    INFO(heddle::to_string(op));
    std::int64_t const in = heddle::is_transposed(op) ? s.rows : s.cols;
    std::int64_t const out = heddle::is_transposed(op) ? s.cols : s.rows;
    auto const b = plain<double, Kokkos::LayoutRight, D::space>(in, 5);
    auto const by_row = plain<double, Kokkos::LayoutRight, D::space>(out, 5);
    auto const by_column = plain<double, Kokkos::LayoutLeft, D::space>(out, 5);
    fill_input(b);
    fill_output(by_row, false);
    fill_output(by_column, false);
    multiply(Device{}, spmm_plan, op, -0.5, r, b, 2.0, by_column);
    CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, -0.5, 5, 2.0),
                              by_column) == "");
    multiply(Device{}, spmv_plan, op, -0.5, r, b, 2.0, by_row); // the first columns
    auto const first = Kokkos::subview(by_row, Kokkos::ALL, std::pair(0, 1));
    CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, -0.5, 1, 2.0),
                              first) == "");
  }
}

TEST_CASE("calls in another order give the same bits each time", "[reordered]")
{
  Structure const& s = structure("dense column");
  auto const r = reordered<D>({}, make_csr<D>(s));
  SpmmPlan const plan(Device{}, r, {.deterministic = true});
  for (Op const op : all_ops)
  {
    CHECK(plan.is_repeatable(op));
    auto const b =
        plain<double, Kokkos::LayoutLeft, D::space>(heddle::is_transposed(op) ? s.rows : s.cols, 7);
    auto const c =
        plain<double, Kokkos::LayoutLeft, D::space>(heddle::is_transposed(op) ? s.cols : s.rows, 7);
    fill_input(b);
    multiply(Device{}, plan, op, 1.0, r, b, 0.0, c);
    auto const first = to_vector(Kokkos::subview(c, Kokkos::ALL, 3));
    multiply(Device{}, plan, op, 1.0, r, b, 0.0, c);
    CHECK(to_vector(Kokkos::subview(c, Kokkos::ALL, 3)) == first);
  }
}

TEST_CASE("a plan says what an order costs and when it pays", "[reordered]")
{
  auto const r = reordered<D>({}, make_csr<D>(structure("banded")), 2.0);
  CHECK(r.cost().order == 2.0);
  CHECK(r.cost().conversion > 0);
  std::string const untried = SpmvPlan(Device{}, r).describe();
  INFO(untried);
  CHECK(untried.find("portable::reordered: ") == 0);
  CHECK(
      has(untried, " on rows and columns in another order; order found in 2 s, matrix moved in "));
  CHECK(has(untried, ", calls not timed\n"));
  for (std::string const& text : {SpmvPlan(Device{}, r, {.order_trial = 1}).describe(),
                                  SpmmPlan(Device{}, r, {.order_trial = 8}).describe()})
  {
    INFO(text);
    CHECK(has(text, " a call, before "));
    CHECK((has(text, ": pays after ") || has(text, ": does not pay")));
  }
  OrderCost const pays{.order = 1, .conversion = 2, .before = 2, .after = 1.5};
  CHECK(pays.calls_to_pay() == 6);
  CHECK(pays.describe() ==
        "order found in 1 s, matrix moved in 2 s, 1.5 s a call, before 2 s: pays "
        "after 6 calls");
  OrderCost const slower{.order = 1, .conversion = 2, .before = 2, .after = 2};
  CHECK(slower.calls_to_pay() == std::nullopt);
  CHECK(slower.describe() ==
        "order found in 1 s, matrix moved in 2 s, 2 s a call, before 2 s: does not pay");
}

TEST_CASE("a plan refuses a matrix in another order where it compares patterns", "[reordered]")
{
  auto const a = make_csr<D>(structure("banded"));
  auto const r = reordered<D>({}, a);
  auto const p = permutation_view<D>(identity_order(a.num_rows()));
  auto const other = to_reordered(Device{}, a, p, p);
  SpmvPlan const plan(Device{}, r);
  CHECK(plan.matches(Device{}, r));
  CHECK_FALSE(plan.matches(Device{}, other));
}

TEST_CASE("orders that are none are refused", "[reordered]")
{
  CHECK(message_of_orders({0}, {0, 1, 2}) ==
        "heddle::to_reordered: p has 1 entries but there are 2 rows");
  CHECK(message_of_orders({0, 1}, {0, 1, 1}) == "heddle::to_reordered: q(2) is 1 as q(1) is");
  CHECK(message_of_orders({0, 2}, {0, 1, 2}) == "heddle::to_reordered: p(1) is 2, expected 0 to 1");
  auto const a = make_csr<D>({"", 2, 3, {{0}, {2, 1}}});
  using Matrix = heddle::ReorderedMatrix<double>;
  CHECK(message_of<heddle::InvalidArgument>([&] { Matrix(a, {}, {}, {}); }) ==
        "heddle::ReorderedMatrix: orders of 0 rows and 0 columns and 0 sources do not fit a matrix "
        "of 2 x 3, 3 entries");
  auto const r = reordered<D>({}, a);
  CHECK(message_of<heddle::InvalidArgument>([&] { SpmmPlan(Device{}, r, {.order_trial = -1}); }) ==
        "heddle::spmm: order_trial is -1, expected a number of columns, or 0 for no trial");
  CHECK(message_of<heddle::InvalidArgument>([&] { SpmvPlan(Device{}, r, {.order_trial = 8}); }) ==
        "heddle::spmv: order_trial is 8, expected 1, or 0 for no trial");
}
