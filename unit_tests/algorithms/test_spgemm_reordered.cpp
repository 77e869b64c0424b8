// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = A B of matrices that are held in another order, with C in the caller's numbering.

#include <heddle/reordered_matrix.hpp>
#include <heddle/spgemm.hpp>
#include <support/instances.hpp>
#include <support/messages.hpp>
#include <support/permutations.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;

template <class Exec>
auto in_order(Exec const& exec, CsrOf<C> const& a, std::uint64_t row_seed,
              std::uint64_t column_seed)
{
  return to_reordered(exec, a, permutation_view<C>(random_order(a.num_rows(), row_seed)),
                      permutation_view<C>(random_order(a.num_cols(), column_seed)));
}

void check(Structure const& a_structure, Structure const& b_structure, SpgemmOptions const& options)
{
  INFO(a_structure.name << " times " << b_structure.name);
  auto const exec = instance_of_five<Device>();
  auto const a = make_csr<C>(a_structure), b = make_csr<C>(b_structure);
  auto const moved_a = in_order(exec, a, 1, 2), moved_b = in_order(exec, b, 2, 3);
  SpgemmPlan const plan(exec, moved_a, moved_b, options);
  auto const c = plan.make_result(exec);
  CHECK(plan.nnz() == c.nnz());
  spgemm(exec, plan, moved_a, moved_b, c);
  exec.fence();
  CHECK(difference(reference_product<double>(a_structure, b_structure, 1.0), c) == "");
  // New values of A, with the same plan and the same C.
  auto values = to_vector(a.values());
  for (double& value : values)
    value *= 2;
  update_values(exec, moved_a,
                CsrOf<C>(a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(),
                         to_view<double, C::space>(values)));
  spgemm(exec, plan, moved_a, moved_b, c);
  exec.fence();
  CHECK(difference(reference_product<double>(a_structure, b_structure, 2.0), c) == "");
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::SpgemmPlan;

TEST_CASE("spgemm in another order agrees with the oracle", "[spgemm][reordered]")
{
  for (Structure const& s : small_structures())
  {
    check(s, transposed(s), {});
    if (s.rows == s.cols)
      check(s, s, {.deterministic = true});
  }
  // Too little to keep the columns, enough for one row.
  check(random_structure("60 a row", 200, 3000, 60, 31),
        random_structure("80 a row", 3000, 9000, 80, 32), {.max_workspace_bytes = 600000});
}

TEST_CASE("spgemm transposes matrices in another order", "[reordered]")
{
  Structure const& s = structure("wide");
  auto const r = in_order(Device{}, make_csr<C>(s), 5, 6);
  auto const of_columns = heddle::spgemm(Device{}, r, r, {.op_a = heddle::Op::transpose});
  CHECK(difference(reference_product<double>(s, s, 1.0, heddle::Op::transpose), of_columns) == "");
  auto const of_rows = heddle::spgemm(Device{}, r, r, {.op_b = heddle::Op::transpose});
  CHECK(difference(reference_product<double>(s, s, 1.0, heddle::Op::none, heddle::Op::transpose),
                   of_rows) == "");
}

TEST_CASE("spgemm in another order makes plans as it goes, and the same bits", "[reordered]")
{
  Structure const& s = structure("power law");
  auto const r = in_order(Device{}, make_csr<C>(s), 5, 5);
  heddle::SpgemmOptions const options{.deterministic = true};
  auto const c = heddle::spgemm(Device{}, r, r, options);
  CHECK(difference(reference_product<double>(s, s, 1.0), c) == "");
  CHECK(to_host(heddle::spgemm(Device{}, r, r, options)) == to_host(c));
  SpgemmPlan const plan(Device{}, r, r, options);
  CHECK(plan.is_repeatable());
  CHECK(plan.products() == heddle::spgemm_products(Device{}, r.moved(), r.moved()));
  CHECK(plan.matches(Device{}, r, r));
  CHECK_FALSE(plan.matches(Device{}, r, in_order(Device{}, make_csr<C>(s), 5, 6)));
}

TEST_CASE("a plan of spgemm says what an order costs and when it pays", "[reordered]")
{
  auto const p = permutation_view<C>(random_order(257, 5));
  auto const a = make_csr<C>(structure("banded"));
  auto const r = to_reordered(Device{}, a, p, p, 2.0);
  std::string const untried = SpgemmPlan(Device{}, r, r).describe();
  INFO(untried);
  CHECK(untried.find("\nrows and columns in another order: order found in 2 s, matrix moved in ") !=
        std::string::npos);
  CHECK(untried.find(", calls not timed\n") != std::string::npos);
  std::string const two = SpgemmPlan(Device{}, r, to_reordered(Device{}, a, p, p, 3.0)).describe();
  CHECK(two.find("order found in 5 s") != std::string::npos);
  std::string const tried = SpgemmPlan(Device{}, r, r, {.order_trial = 1}).describe();
  INFO(tried);
  CHECK(tried.find(" a call, before ") != std::string::npos);
  CHECK((tried.find(": pays after ") != std::string::npos ||
         tried.find(": does not pay") != std::string::npos));
}

TEST_CASE("spgemm in another order refuses what does not fit", "[reordered]")
{
  using heddle::InvalidArgument;
  Device const exec{};
  auto const a = make_csr<C>(structure("banded"));
  auto const r = in_order(exec, a, 5, 5), other = in_order(exec, a, 6, 6);
  CHECK(message_of<InvalidArgument>([&] { SpgemmPlan(exec, r, other); }) ==
        "heddle::spgemm: the columns of A and the rows of B are in different orders, from place 0 "
        "on");
  auto const small = in_order(exec, make_csr<C>({"", 2, 3, {{0}, {2, 1}}}), 5, 5);
  CHECK(message_of<InvalidArgument>([&] { SpgemmPlan(exec, r, small); }) ==
        "heddle::spgemm: A is 257 x 257 but B is 2 x 3");
  CHECK(message_of<InvalidArgument>([&] { SpgemmPlan(exec, r, r, {.order_trial = -1}); }) ==
        "heddle::spgemm: order_trial is -1, expected 1, or 0 for no trial");
  SpgemmPlan const plan(exec, r, r);
  auto const c = plan.make_result(exec);
  CHECK(message_of<InvalidArgument>([&] {
          spgemm(exec, plan, small, r, c);
        }).find("heddle::spgemm: the plan was made for 257 x 257") == 0);
  CHECK(message_of<InvalidArgument>([&] {
          spgemm(exec, plan, r, r, CsrOf<C>{});
        }).find("heddle::spgemm: C is 0 x 0, 0 entries but the product is 257 x 257") == 0);
}
