// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = alpha A B + beta C with a plan.

#include <heddle/spgemm.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace heddle::test
{

namespace
{

template <class Matrix>
void fill_with_nan(Matrix const& c)
{
  using Value = typename Matrix::value_type;
  Kokkos::deep_copy(c.values(), Value(std::numeric_limits<float>::quiet_NaN()));
}

// alpha times the product plus beta times what C held; a term is rounded twice more for each
// factor.
SparseRows accumulated(Wide alpha, SparseRows product, Wide beta, RowEntries const& before)
{
  for (std::size_t i = 0; i < product.size(); ++i)
    for (auto& [j, entry] : product[i])
    {
      Wide const kept = beta == Wide(0) ? Wide(0) : beta * before[i].at(j);
      entry.value = alpha * entry.value + kept;
      entry.magnitude = std::abs(alpha) * entry.magnitude + std::abs(kept);
      entry.terms += 4;
    }
  return product;
}

template <class C>
void check_accumulation(typename C::exec const& exec, Structure const& s, Structure const& t,
                        SpgemmOptions const& options)
{
  INFO(s.name << " times " << t.name);
  using Value = typename C::value;
  auto const a = make_csr<C>(s), b = make_csr<C>(t);
  auto const product = reference_product<Value>(s, t, 1.0, options.op_a, options.op_b);
  SpgemmPlan const plan(exec, a, b, options);
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c); // columns, where the plan keeps none
  exec.fence();
  for (auto const& [alpha, beta] : {std::pair(1.0, 0.0), std::pair(-2.5, 0.0), std::pair(1.0, 1.0),
                                    std::pair(0.5, -3.0), std::pair(0.0, 2.0), std::pair(0.0, 0.0)})
  {
    INFO("alpha " << alpha << ", beta " << beta);
    fill_values(c, 7);
    auto const before = row_entries(c);
    if (beta == 0)
      fill_with_nan(c);
    spgemm(exec, plan, Value(static_cast<float>(alpha)), a, b, Value(static_cast<float>(beta)), c);
    exec.fence();
    CHECK(difference(accumulated(alpha, product, beta, before), c) == "");
  }
}

using C = DoubleCase<Device>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;
using heddle::spgemm;

TEMPLATE_LIST_TEST_CASE("spgemm adds to what C holds", "[spgemm][accumulate]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    check_accumulation<TestType>(exec, s, transposed(s), {});
  Structure const& s = structure("power law");
  check_accumulation<TestType>(exec, s, s, {.op_a = Op::conjugate_transpose});
}

TEST_CASE("spgemm adds to what C holds where its plan keeps no columns", "[spgemm][accumulate]")
{
  using D = DoubleCase<Host>;
  Structure const& s = structure("power law");
  check_accumulation<D>(
      Host{}, s, s, {.implementation = "portable::dense_or_hash", .max_workspace_bytes = 60000});
}

TEST_CASE("spgemm with alpha 0 reads neither factor", "[spgemm][accumulate]")
{
  Device const exec;
  auto const a = make_csr<C>(structure("banded"));
  heddle::SpgemmPlan const plan(exec, a, a);
  auto const c = plan.make_result(exec);
  fill_values(c, 1);
  auto const before = to_vector(c.values());
  fill_with_nan(a);
  spgemm(exec, plan, 0.0, a, a, 1.0, c);
  exec.fence();
  CHECK(to_vector(c.values()) == before);
}

TEST_CASE("spgemm with factors refuses what it refuses without", "[spgemm][accumulate]")
{
  Device const exec;
  auto const a = make_csr<C>({"a", 2, 2, {{0, 1}, {1}}});
  auto const other = make_csr<C>({"other", 2, 2, {{0}, {1}}});
  heddle::SpgemmPlan const plan(exec, a, a);
  for (double const alpha : {0.0, 1.0})
    for (double const beta : {0.0, 1.0})
    {
      CHECK(message_of<heddle::InvalidArgument>([&] {
              spgemm(exec, plan, alpha, a, a, beta, other);
            }) == "heddle::spgemm: C is 2 x 2, 2 entries but the product is 2 x 2, 3 entries");
      CHECK(message_of<heddle::InvalidArgument>(
                [&] { spgemm(exec, plan, alpha, other, a, beta, plan.make_result(exec)); }) ==
            "heddle::spgemm: the plan was made for 2 x 2, 3 entries but A is 2 x 2, 2 entries");
    }
}
