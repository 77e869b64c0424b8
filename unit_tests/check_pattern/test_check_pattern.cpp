// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls where HEDDLE_CHECK_PATTERN is defined, as it is for this folder: a matrix of the plan's
// sizes and another pattern is refused in release builds, too.

#include <heddle/add.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose_plan.hpp>
#include <heddle/triple_product.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Matrix = CsrOf<C>;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>([&] {
    call();
    Device{}.fence();
  });
}

std::string const another = "the plan was made for another pattern than ";
std::string const of_a = another + "A's, of the same sizes";
std::string const of_b = another + "B's, of the same sizes";

// Both 3 x 3 with 5 entries: the second differs by one column.
struct Matrices
{
  Matrix a = make_csr<C>({"a", 3, 3, {{0, 1}, {1}, {0, 2}}});
  Matrix other = make_csr<C>({"other", 3, 3, {{0, 1}, {2}, {0, 2}}});
};

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEST_CASE_METHOD(Matrices, "SpmvPlan refuses another pattern", "[check_pattern]")
{
  Kokkos::View<double*, C::space> const x("heddle::test::x", 3), y("heddle::test::y", 3);
  Kokkos::deep_copy(y, 5.0);
  heddle::SpmvPlan plan(Device{}, a);
  for (Op const op : {Op::none, Op::transpose})
  {
    CHECK(refusal([&] { spmv(Device{}, plan, op, 1.0, other, x, 0.0, y); }) ==
          "heddle::spmv: " + of_a);
    CHECK(to_vector(y) == std::vector<double>(3, 5.0));
  }
  // alpha = 0 does not read A, and the plan is still another's.
  CHECK(refusal([&] { spmv(Device{}, plan, 0.0, other, x, 1.0, y); }) == "heddle::spmv: " + of_a);
  CHECK(refusal([&] { plan.update_values(Device{}, other); }) == "heddle::update_values: " + of_a);
  CHECK(refusal([&] { plan.update_values(Device{}, a); }) == "no error");
  CHECK(refusal([&] { spmv(Device{}, plan, 1.0, a, x, 0.0, y); }) == "no error");
  CHECK(to_vector(y) == std::vector<double>(3, 0.0));
}

TEST_CASE_METHOD(Matrices, "SpmmPlan refuses another pattern", "[check_pattern]")
{
  using Dense = Kokkos::View<double**, C::space>;
  Dense const b("heddle::test::b", 3, 2), c("heddle::test::c", 3, 2),
      c_t("heddle::test::c_t", 3, 2);
  heddle::SpmmPlan const plan(Device{}, a);
  CHECK(refusal([&] { spmm(Device{}, plan, 1.0, other, b, 0.0, c); }) == "heddle::spmm: " + of_a);
  CHECK(refusal([&] { spmm_both(Device{}, plan, 1.0, other, b, b, 0.0, c_t, c); }) ==
        "heddle::spmm_both: " + of_a);
  CHECK(refusal([&] { spmm(Device{}, plan, 1.0, a, b, 0.0, c); }) == "no error");
}

TEST_CASE_METHOD(Matrices, "plans of products refuse another pattern", "[check_pattern]")
{
  Device const exec{};
  heddle::SpgemmPlan const plan(exec, a, a);
  auto const c = plan.make_result(exec);
  CHECK(refusal([&] { spgemm(exec, plan, other, a, c); }) == "heddle::spgemm: " + of_a);
  CHECK(refusal([&] { spgemm(exec, plan, a, other, c); }) == "heddle::spgemm: " + of_b);
  CHECK(refusal([&] { spgemm(exec, plan, 1.0, a, other, 1.0, c); }) == "heddle::spgemm: " + of_b);
  CHECK(refusal([&] { spgemm(exec, plan, a, a, c); }) == "no error");

  heddle::TripleProductPlan const triple(exec, a, a, a);
  auto const r_a_p = triple.make_result(exec);
  CHECK(refusal([&] { triple_product(exec, triple, a, other, a, r_a_p); }) ==
        "heddle::triple_product: " + of_a);
  CHECK(refusal([&] { triple_product(exec, triple, a, a, a, r_a_p); }) == "no error");
}

TEST_CASE_METHOD(Matrices, "plans of sums and transposes refuse another pattern", "[check_pattern]")
{
  Device const exec{};
  heddle::AddPlan const sum(exec, a, a);
  auto const c = sum.make_result(exec);
  CHECK(refusal([&] { add(exec, sum, 1.0, a, 1.0, other, c); }) == "heddle::add: " + of_b);
  CHECK(refusal([&] { add(exec, sum, 1.0, a, 1.0, a, c); }) == "no error");

  heddle::TransposePlan const transposed(exec, a);
  auto const t = transposed.make_result(exec);
  CHECK(refusal([&] { transpose(exec, transposed, other, t); }) == "heddle::transpose: " + of_a);
  CHECK(refusal([&] { transpose(exec, transposed, a, t); }) == "no error");
}

TEST_CASE_METHOD(Matrices, "a call without a plan has nothing to compare", "[check_pattern]")
{
  Kokkos::View<double*, C::space> const x("heddle::test::x", 3), y("heddle::test::y", 3);
  Kokkos::View<double**, C::space> const b("heddle::test::b", 3, 2), c("heddle::test::c", 3, 2);
  CHECK(refusal([&] { heddle::spmv(Device{}, 1.0, a, x, 0.0, y); }) == "no error");
  CHECK(refusal([&] { heddle::spmm(Device{}, 1.0, a, b, 0.0, c); }) == "no error");
  CHECK(refusal([&] { heddle::spgemm(Device{}, a, other); }) == "no error");
}
