// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What SpgemmPlan promises, beside the products themselves (test_spgemm.cpp).

#include <heddle/copy.hpp>
#include <heddle/sort_rows.hpp>
#include <heddle/validate.hpp>
#include <support/any_plan.hpp>
#include <support/environment.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Matrix = CsrOf<C>;
using Plan = AnySpgemmPlan<Device, Matrix::const_type, Matrix::const_type>;

std::vector<std::string> names()
{
  std::vector<std::string> all;
  for (char const* const name :
       impl::names_of(AllOfSpgemm<Device, Matrix::const_type, Matrix::const_type>{}))
    all.emplace_back(name);
  return all;
}

template <class Exec, class A, class B>
auto multiplied(Exec const& exec, Plan const& plan, A const& a, B const& b)
{
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c);
  exec.fence();
  return to_host(c);
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// 2 x 3 times 3 x 4: A B has the rows {0, 2} and {1, 2, 3} from 6 products.
Structure const& left()
{
  static Structure const s{"left", 2, 3, {{0}, {2, 1, 0}}};
  return s;
}
Structure const& right()
{
  static Structure const s{"right", 3, 4, {{2, 0}, {1}, {3}}};
  return s;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::spgemm;

TEST_CASE("an SpgemmPlan knows the size of the product", "[spgemm_plans]")
{
  auto const a = make_csr<C>(left()), b = make_csr<C>(right());
  for (std::string const& name : names())
  {
    INFO(name);
    Plan const plan(Device{}, a, b, {.implementation = name});
    CHECK(plan.nnz() == 6);
    CHECK(plan.products() == 6);
    auto const c = plan.make_result(Device{});
    CHECK(c.num_rows() == 2);
    CHECK(c.num_cols() == 4);
    CHECK(to_vector(c.row_offsets()) == std::vector<std::size_t>{0, 2, 6});
    CHECK(to_vector(c.columns()) == std::vector<int>{0, 2, 0, 1, 2, 3});
  }
  CHECK(heddle::spgemm_products(Device{}, a, b) == 6);
}

TEST_CASE("an SpgemmPlan describes itself", "[spgemm_plans]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  auto const a = make_csr<C>(left()), b = make_csr<C>(right());
  auto const is_of_papers = [](std::string const& name) {
    return heddle::impl::is_papers_name("spgemm", name);
  };
  std::string candidates = "\nbuilt for these types:", of_papers = candidates;
  for (std::string const& name : names())
    (is_of_papers(name) ? of_papers : candidates) += " " + name;
  for (std::string const& name : names())
  {
    Plan const plan(Device{}, a, b, {.implementation = name});
    std::string const text = plan.describe();
    INFO(text);
    CHECK(text.find(name + ": ") == 0);
    CHECK(has(text, "\nchosen because it was asked for by name" +
                        (is_of_papers(name) ? of_papers : candidates) + "\n"));
    CHECK(has(text, "\nmemory held by the plan: "));
    CHECK(has(text, "\nC = A B is 2 x 4 with 6 entries from 6 products\nbitwise repeatable: " +
                        std::string(plan.is_repeatable() ? "yes" : "no") + "\n"));
  }
  CHECK(has(Plan(Device{}, a, b).describe(),
            "\nchosen because it is the first that can run" + candidates + "\n"));
}

TEST_CASE("an SpgemmPlan knows the patterns it was made for", "[spgemm_plans]")
{
  Structure changed = right();
  std::swap(changed.columns[0][0], changed.columns[0][1]);
  auto const a = make_csr<C>(left()), b = make_csr<C>(right());
  Plan const plan(Device{}, a, b);
  CHECK(plan.matches(Device{}, a, b));
  CHECK(plan.matches(Device{}, heddle::clone(Device{}, a), heddle::clone(Device{}, b)));
  CHECK_FALSE(plan.matches(Device{}, a, make_csr<C>(changed)));
  CHECK_FALSE(plan.matches(Device{}, b, b));
  Plan const swapped(Device{}, a, make_csr<C>(changed));
  CHECK_FALSE(swapped.matches(Device{}, a, b));
}

TEST_CASE("an SpgemmPlan of one matrix twice knows its pattern", "[spgemm_plans]")
{
  Structure const s = random_structure("3 a row", 40, 40, 3, 5);
  Structure changed = s;
  std::swap(changed.columns[7], changed.columns[8]);
  auto const a = make_csr<C>(s), other = make_csr<C>(changed);
  Plan const plan(Device{}, a, a);
  CHECK(plan.matches(Device{}, a, a));
  CHECK(plan.matches(Device{}, a, make_csr<C>(s)));
  CHECK_FALSE(plan.matches(Device{}, a, other));
  CHECK_FALSE(plan.matches(Device{}, other, a));
}

TEST_CASE("an SpgemmPlan outlives its matrices", "[spgemm_plans]")
{
  auto const& s = structure("power law");
  auto const other = make_csr<C>(s);
  auto const expected = to_host(spgemm(Device{}, other, other));
  for (std::string const& name : names())
    for (std::size_t const cap : {std::size_t(1) << 40, std::size_t(200000)})
    {
      INFO(name << ", at most " << cap << " bytes");
      auto a = std::make_unique<Matrix>(make_csr<C>(s));
      Plan const plan(Device{}, *a, *a,
                      {.implementation = name, .deterministic = true, .max_workspace_bytes = cap});
      a.reset();
      Plan const copy = plan;
      CHECK(multiplied(Device{}, copy, other, other).columns == expected.columns);
      CHECK(multiplied(Device{}, plan, other, other).offsets == expected.offsets);
    }
}

TEST_CASE("an SpgemmPlan takes read-only matrices", "[spgemm_plans]")
{
  auto const a = make_csr<C>(left()), b = make_csr<C>(right());
  Matrix::const_type const read_only_a = a, read_only_b = b;
  Plan const plan(Device{}, read_only_a, read_only_b);
  auto const expected = multiplied(Device{}, plan, a, b);
  CHECK(multiplied(Device{}, plan, read_only_a, b) == expected);
  CHECK(multiplied(Device{}, plan, read_only_a, read_only_b) == expected);
  CHECK(to_host(spgemm(Device{}, a, read_only_b)) == expected);
  CHECK(plan.matches(Device{}, a, b));
}

TEST_CASE("the numeric phase fills any matrix of the pattern", "[spgemm_plans]")
{
  auto const& s = structure("unsorted");
  auto const a = make_csr<C>(transposed(s)), b = make_csr<C>(s);
  for (std::string const& name : names())
  {
    INFO(name);
    Plan const plan(Device{}, a, b, {.implementation = name, .deterministic = true});
    auto const c = plan.make_result(Device{});
    spgemm(Device{}, plan, a, b, c);
    auto const d = heddle::clone(Device{}, c);
    Kokkos::deep_copy(d.values(), 1e300); // nothing is added to what stands there
    spgemm(Device{}, plan, a, b, d);
    Device{}.fence();
    CHECK(to_host(d) == to_host(c));
    CHECK_FALSE(heddle::validate(Device{}, c));
    CHECK(heddle::has_sorted_rows(Device{}, c));
  }
}

TEST_CASE("results of one plan are apart", "[spgemm_plans]")
{
  auto const a = make_csr<C>(left()), b = make_csr<C>(right());
  Plan const plan(Device{}, a, b);
  auto const c = plan.make_result(Device{}), d = plan.make_result(Device{});
  CHECK(c.values().data() != d.values().data());
  CHECK(c.columns().data() != d.columns().data());
  Kokkos::deep_copy(c.columns(), 99); // a caller's own
  CHECK(to_vector(plan.make_result(Device{}).columns()) == std::vector<int>{0, 2, 0, 1, 2, 3});
}

TEST_CASE("a repeatable SpgemmPlan gives the same bits", "[spgemm_plans]")
{
  auto const& s = structure("power law");
  auto const a = make_csr<C>(s);
  auto const five = instance_of_five<Device>();
  for (std::string const& name : names())
    for (bool const deterministic : {false, true})
    {
      INFO(name << ", deterministic " << deterministic);
      Plan const plan(five, a, a, {.implementation = name, .deterministic = deterministic});
      CHECK((plan.is_repeatable() || !deterministic));
      if (!plan.is_repeatable())
        continue;
      auto const once = multiplied(five, plan, a, a);
      for (int again = 0; again < 3; ++again)
        CHECK(multiplied(five, plan, a, a) == once);
      CHECK(multiplied(Device{}, plan, a, a) == once);
    }
}

TEST_CASE("one spgemm does what plan and call do", "[spgemm_plans]")
{
  for (char const* const name : {"power law", "empty rows", "blocked", "no entries"})
  {
    Structure const& s = structure(name);
    auto const a = make_csr<C>(s), b = make_csr<C>(transposed(s));
    for (std::string const& implementation : names())
    {
      INFO(implementation << ", " << name);
      heddle::SpgemmOptions const options{.implementation = implementation, .deterministic = true};
      CHECK(to_host(spgemm_by_name(Device{}, a, b, options)) ==
            multiplied(Device{}, Plan(Device{}, a, b, options), a, b));
    }
  }
}

TEST_CASE("default-constructed matrices have a product", "[spgemm_plans]")
{
  Matrix const a;
  HostCsr<double> const none{0, 0, {0}, {}, {}};
  for (std::string const& name : names())
  {
    INFO(name);
    Plan const plan(Device{}, a, a, {.implementation = name});
    CHECK(plan.nnz() == 0);
    CHECK(plan.products() == 0);
    CHECK(multiplied(Device{}, plan, a, a) == none);
    CHECK(to_host(spgemm_by_name(Device{}, a, a, {.implementation = name})) == none);
  }
  CHECK(heddle::spgemm_products(Device{}, a, a) == 0);
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("a one-shot product under a cap falls back as a plan does", "[spgemm_plans]")
{
  // What the native kernels keep by row fits into the whole cap, but not beside A^T.
  auto const s = random_structure("many entries a row", 400, 400, 30, 5);
  auto const a = make_csr<C>(s);
  heddle::SpgemmOptions options{.op_a = heddle::Op::transpose};
  options.max_workspace_bytes = heddle::impl::bytes_of_operand(a, options.op_a) + 1000;
  Plan const plan(Device{}, a, a, options);
  CHECK(std::string(plan.implementation_name()) == "portable::team_hash");
  auto const expected = reference_product<double>(s, s, 1.0, options.op_a, options.op_b);
  CHECK(difference(expected, spgemm(Device{}, a, a, options)) == "");
}
#endif
