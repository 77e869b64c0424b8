// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/transpose.hpp>
#include <heddle/triple_product.hpp>
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
#include <vector>

namespace heddle::test
{

namespace
{

// op(M) by rows.
RowEntries with_op(Op op, RowEntries const& rows, std::int64_t num_cols)
{
  RowEntries result(is_transposed(op) ? static_cast<std::size_t>(num_cols) : rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, value] : rows[i])
    {
      Wide const entry = is_conjugated(op) ? std::conj(value) : value;
      if (is_transposed(op))
        result[static_cast<std::size_t>(j)][static_cast<std::int64_t>(i)] = entry;
      else
        result[i][j] = entry;
    }
  return result;
}

// R A P by plain loops, term by term. A sum of t terms of A P is rounded t times, then each of the
// sums in R (A P), hence twice the terms.
SparseRows reference_triple(RowEntries const& r, RowEntries const& a, RowEntries const& p)
{
  SparseRows c(r.size());
  for (std::size_t i = 0; i < r.size(); ++i)
    for (auto const& [k, left] : r[i])
      for (auto const& [l, middle] : a[static_cast<std::size_t>(k)])
        for (auto const& [j, right] : p[static_cast<std::size_t>(l)])
        {
          Wide const term = left * middle * right;
          Entry& entry = c[i][j];
          entry.value += term;
          entry.magnitude += std::abs(term);
          entry.terms += 2;
        }
  return c;
}

// One call, a plan, and the plan again with new values.
template <class C>
void check_triple(typename C::exec const& exec, Structure const& r_structure, Op op_r,
                  Structure const& a_structure, Structure const& p_structure, Op op_p)
{
  INFO(to_string(op_r) << " of " << r_structure.name << " times " << a_structure.name << " times "
                       << to_string(op_p) << " of " << p_structure.name);
  using Value = typename C::value;
  auto const r = make_csr_with<C>(r_structure, 1), a = make_csr_with<C>(a_structure, 2),
             p = make_csr_with<C>(p_structure, 3);
  auto const expected = [&] {
    return reference_triple(with_op(op_r, row_entries(r), r_structure.cols), row_entries(a),
                            with_op(op_p, row_entries(p), p_structure.cols));
  };
  SpgemmOptions const options{.op_a = op_r, .op_b = op_p};
  CHECK(difference(expected(), triple_product(exec, r, a, p, options)) == "");
  SpgemmOptions capped = options; // at which A P is one piece
  capped.max_workspace_bytes = 1 << 24;
  CHECK(difference(expected(), triple_product(exec, r, a, p, capped)) == "");

  TripleProductPlan const plan(exec, r, a, p, options);
  auto const c = plan.make_result(exec);
  CHECK(c.nnz() == plan.nnz());
  CHECK(plan.matches(exec, r, a, p));
  Kokkos::deep_copy(c.values(), Value(std::numeric_limits<float>::quiet_NaN()));
  triple_product(exec, plan, r, a, p, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
  fill_values(r, 4);
  fill_values(a, 5);
  fill_values(p, 6);
  triple_product(exec, plan, r, a, p, c);
  exec.fence();
  CHECK(difference(expected(), c) == "");
}

using C = DoubleCase<Device>;

// What one row needs on every backend, and less than A P takes.
constexpr std::size_t capped_bytes = 600000;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;
using heddle::triple_product;
using heddle::TripleProductPlan;

TEMPLATE_LIST_TEST_CASE("triple_product agrees with the oracle", "[triple_product]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& a : small_structures())
  {
    Structure const r = random_structure("restriction", 23, a.rows, a.rows > 0 ? 3 : 0, 1);
    Structure const p = shuffled(random_structure("prolongator", a.cols, 17, 2, 2), 3);
    check_triple<TestType>(exec, r, Op::none, a, p, Op::none);
  }
}

TEMPLATE_LIST_TEST_CASE("triple_product takes R and P as they are, transposed and conjugated",
                        "[triple_product]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  Structure const& a = structure("unsorted");
  auto const factor = [](std::string const& name, Op op, std::int64_t rows, std::int64_t cols) {
    return heddle::is_transposed(op) ? random_structure(name, cols, rows, 3, 1)
                                     : random_structure(name, rows, cols, 3, 1);
  };
  for (Op const op_r : heddle::test::all_ops)
    for (Op const op_p : {Op::none, Op::conjugate_transpose})
      check_triple<TestType>(exec, factor("R", op_r, 19, a.rows), op_r, a,
                             factor("P", op_p, a.cols, 21), op_p);
}

TEST_CASE("a Galerkin product is that with the transpose as a matrix", "[triple_product]")
{
  Device const exec;
  auto const a = make_csr_with<C>(structure("banded"), 1);
  auto const p = make_csr_with<C>(random_structure("prolongator", 257, 60, 1, 2), 2);
  TripleProductPlan const plan(exec, p, a, p, {.op_a = Op::transpose, .deterministic = true});
  auto const c = plan.make_result(exec);
  REQUIRE(plan.is_repeatable());

  triple_product(exec, plan, p, a, p, c);

  auto const restriction = heddle::transpose(exec, p);
  auto const composed =
      heddle::spgemm(exec, restriction, heddle::spgemm(exec, a, p, {.deterministic = true}),
                     {.deterministic = true});
  exec.fence();
  auto const one = to_host(c), other = to_host(composed);
  CHECK(one.offsets == other.offsets);
  CHECK(one.columns == other.columns);
  CHECK(one.values == other.values);
  std::string const said = plan.describe();
  INFO(said);
  CHECK(said.rfind("A P: ", 0) == 0);
  CHECK(said.find("C = A B is 257 x 60") < said.find("R (A P): "));
  CHECK(said.find("C = transpose(A, ") > said.find("R (A P): "));
  CHECK(said.find("is 60 x 60") != std::string::npos);
}

TEST_CASE("triple_product finds columns of A P where its plan keeps none", "[triple_product]")
{
  using D = DoubleCase<Host>;
  Host const exec;
  auto const a = make_csr_with<D>(structure("power law"), 1);
  TripleProductPlan const plan(
      exec, a, a, a, {.implementation = "portable::dense_or_hash", .max_workspace_bytes = 60000});
  REQUIRE_FALSE(plan.inner().keeps_columns());
  auto const c = plan.make_result(exec);
  triple_product(exec, plan, a, a, a, c);
  exec.fence();
  CHECK(difference(reference_triple(row_entries(a), row_entries(a), row_entries(a)), c) == "");
}

TEMPLATE_LIST_TEST_CASE("triple_product makes A P in pieces where memory is capped",
                        "[triple_product]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  constexpr std::int64_t rows = 3000, coarse = 300;
  Structure a_structure = random_structure("A", rows, rows - 1, 8, 1);
  a_structure.columns[7].clear();
  auto const a = make_csr_with<TestType>(a_structure, 2);
  for (Op const op_r : heddle::test::all_ops)
    for (Op const op_p : {Op::none, Op::conjugate_transpose})
    {
      INFO(heddle::to_string(op_r) << ", " << heddle::to_string(op_p));
      Structure const by_rows = random_structure("R", rows, coarse, 2, 3);
      Structure const r_structure =
          heddle::is_transposed(op_r) ? by_rows : random_structure("R", coarse, rows, 20, 3);
      Structure const p_structure = op_p == Op::none
                                        ? random_structure("P", rows - 1, coarse - 1, 3, 4)
                                        : random_structure("P", coarse - 1, rows - 1, 30, 4);
      auto const r = make_csr_with<TestType>(r_structure, 5);
      auto const p = make_csr_with<TestType>(p_structure, 6);
      heddle::SpgemmOptions const options{
          .op_a = op_r, .op_b = op_p, .max_workspace_bytes = capped_bytes};
      if (op_p == Op::none)
        CHECK(heddle::impl::batches_of_product(exec, a, p, sizeof(int) + sizeof(double),
                                               capped_bytes / 2)
                  .count() > 1);
      CHECK(difference(reference_triple(with_op(op_r, row_entries(r), r_structure.cols),
                                        row_entries(a),
                                        with_op(op_p, row_entries(p), p_structure.cols)),
                       triple_product(exec, r, a, p, options)) == "");
    }
}

TEST_CASE("pieces of A P take what they may, or have one row", "[triple_product]")
{
  Device const exec;
  // Row i of A P has i products, and at most 6 entries.
  std::vector<std::vector<std::int64_t>> rows(20);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      rows[i].push_back(static_cast<std::int64_t>(k));
  auto const a = make_csr<C>({"a", 20, 20, rows});
  auto const p = make_csr<C>({"p", 20, 6, std::vector<std::vector<std::int64_t>>(20, {3})});
  using Numbers = std::vector<std::int64_t>;
  auto const pieces = [&](std::size_t entries) {
    return heddle::impl::batches_of_product(exec, a, p, 10, 10 * entries);
  };
  CHECK(pieces(1000).cuts == Numbers{0, 20});
  CHECK(pieces(1000).sizes == Numbers{15 + 14 * 6});
  CHECK(pieces(15).cuts == Numbers{0, 6, 8, 10, 12, 14, 16, 18, 20});
  CHECK(pieces(5).cuts ==
        Numbers{0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
}

TEST_CASE("a Galerkin product within a cap on memory is that without", "[triple_product]")
{
  Device const exec;
  auto const a = make_csr_with<C>(random_structure("A", 3000, 3000, 8, 1), 1);
  auto const p = make_csr_with<C>(random_structure("prolongator", 3000, 400, 3, 2), 2);
  constexpr std::size_t bytes = capped_bytes;
  auto const coarse = triple_product(
      exec, p, a, p, {.op_a = Op::transpose, .max_workspace_bytes = bytes}); // P^T A P
  auto const whole = triple_product(exec, p, a, p, {.op_a = Op::transpose});
  exec.fence();
  auto const one = to_host(coarse), other = to_host(whole);
  CHECK(one.offsets == other.offsets);
  CHECK(one.columns == other.columns);
}

TEST_CASE("triple_product refuses a cap on memory that holds no row", "[triple_product]")
{
  Device const exec;
  auto const a = make_csr_with<C>(structure("banded"), 1);
  auto const p = make_csr_with<C>(random_structure("prolongator", 257, 60, 1, 2), 2);
  auto const said = [&](heddle::SpgemmOptions const& options) {
    return message_of<heddle::OutOfMemory>([&] { triple_product(exec, p, a, p, options); });
  };
  CHECK(said({.op_a = Op::transpose, .max_workspace_bytes = 20})
            .rfind("heddle::triple_product: the longest piece of A P takes ", 0) == 0);
  CHECK(said({.op_a = Op::transpose, .max_workspace_bytes = 20})
            .find(" bytes, 20 are left of max_workspace_bytes") != std::string::npos);
}

TEST_CASE("triple_product names what it refuses", "[triple_product]")
{
  Device const exec;
  auto const a = make_csr<C>({"a", 2, 3, {{0, 1}, {2}}});
  auto const r = make_csr<C>({"r", 4, 2, {{0}, {1}, {}, {0, 1}}});
  auto const p = make_csr<C>({"p", 3, 2, {{0}, {1}, {1}}});
  CHECK(refusal([&] { triple_product(exec, p, a, r); }) ==
        "heddle::triple_product: A is 2 x 3 but R 3 x 2, P 4 x 2");
  CHECK(refusal([&] { TripleProductPlan(exec, r, a, p, {.op_a = Op::transpose}); }) ==
        "heddle::triple_product: A is 2 x 3 but R 4 x 2 and to be transposed, P 3 x 2");
  CHECK(refusal([&] { TripleProductPlan(exec, r, a, p, {.op_b = Op::transpose}); }) ==
        "heddle::triple_product: A is 2 x 3 but R 4 x 2, P 3 x 2 and to be transposed");
  TripleProductPlan const plan(exec, r, a, p);
  auto const c = plan.make_result(exec);
  CHECK(refusal([&] { triple_product(exec, plan, a, a, p, c); }) ==
        "heddle::triple_product: the plan was made for 4 x 2, 4 entries but R is 2 x 3, 3 entries");
  CHECK(refusal([&] { triple_product(exec, plan, r, a, p, p); }) ==
        "heddle::triple_product: C is 3 x 2, 3 entries but the result is 4 x 2, 5 entries");
  auto const shared = heddle::SpgemmResult<decltype(r), decltype(p)>(
      c.num_rows(), c.num_cols(), c.row_offsets(), c.columns(), c.values());
  auto const long_r = decltype(r)(r.num_rows(), r.num_cols(), r.row_offsets(), r.columns(),
                                  Kokkos::subview(shared.values(), Kokkos::make_pair(0, 4)));
  CHECK(refusal([&] { triple_product(exec, plan, long_r, a, p, c); }) ==
        "heddle::triple_product: the values of R and C share memory");
}
