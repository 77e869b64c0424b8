// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/transpose.hpp>
#include <heddle/transpose_plan.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::test
{

namespace
{

// With the values that the plan saw, with others, and without a conjugate.
template <class C>
void check_plan(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  TransposePlan const plan(exec, a);
  auto const t = plan.make_result(exec);
  static_assert(std::is_same_v<decltype(t), CsrOf<C> const>);
  CHECK(plan.nnz() == a.nnz());
  for (std::int64_t const seed : {0, 1, 2})
  {
    if (seed > 0)
      fill_values(a, seed);
    for (Op const op : {Op::transpose, Op::conjugate_transpose})
    {
      transpose(exec, plan, a, t, op);
      exec.fence();
      CHECK(to_host(t) == to_host(transpose(exec, a, op)));
    }
  }
  CHECK(plan.matches(exec, a));
}

using C = DoubleCase<Device>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::InvalidArgument;
using heddle::Op;
using heddle::transpose;
using heddle::TransposePlan;

// transpose without a plan has an oracle of its own (test_transpose.cpp).
TEMPLATE_LIST_TEST_CASE("a TransposePlan gives what transpose gives, again for new values",
                        "[transpose_plan]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (Structure const& s : structures())
    check_plan<Case<TestType, Complex128, int, std::size_t>>(exec, s);
  for (Structure const& s : small_structures())
    check_plan<Case<TestType, float, std::int64_t, std::int64_t>>(exec, s);
}

TEST_CASE("a TransposePlan says what it has and knows its pattern", "[transpose_plan]")
{
  Device const exec;
  auto const a = make_csr<C>({"pattern", 2, 3, {{0, 2}, {1}}});
  auto const other = make_csr<C>({"other", 2, 3, {{0, 1}, {1}}});
  TransposePlan const plan(exec, a);
  CHECK_FALSE(plan.matches(exec, other));
  CHECK(plan.bytes() == 4 * sizeof(std::size_t) + 3 * (sizeof(int) + sizeof(std::size_t)));
  CHECK(plan.describe() ==
        "the transpose of 2 x 3 with 3 entries; values are gathered by recorded positions\n"
        "memory held by the plan: 68 bytes\n");
  TransposePlan const empty(exec, CsrOf<C>{});
  CHECK(to_host(empty.make_result(exec)) == HostCsr<double>{0, 0, {0}, {}, {}});
}

TEST_CASE("transpose with a plan names what it refuses", "[transpose_plan]")
{
  Device const exec;
  auto const a = make_csr<C>({"pattern", 2, 3, {{0, 2}, {1}}});
  auto const larger = make_csr<C>({"larger", 2, 3, {{0, 2}, {0, 1}}});
  TransposePlan const plan(exec, a);
  auto const t = plan.make_result(exec);
  auto const message = [](auto const& call) { return message_of<InvalidArgument>(call); };
  CHECK(message([&] { transpose(exec, plan, a, t, Op::conjugate); }) ==
        "heddle::transpose: op is conjugate");
  CHECK(message([&] { transpose(exec, plan, larger, t); }) ==
        "heddle::transpose: the plan was made for 2 x 3, 3 entries but A is 2 x 3, 4 entries");
  CHECK(message([&] { transpose(exec, plan, a, larger); }) ==
        "heddle::transpose: the result is 2 x 3, 4 entries, expected 3 x 2, 3");
  CsrOf<C> const own(3, 2, t.row_offsets(), t.columns(), a.values());
  CHECK(message([&] {
          transpose(exec, plan, a, own);
        }).starts_with("heddle::transpose: the values of A and of the result"));
}
