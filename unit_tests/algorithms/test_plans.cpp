// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What SpmvPlan and SpmmPlan promise; SpgemmPlan has test_spgemm_plans.cpp, what is refused
// test_preconditions.cpp.

#include <heddle/copy.hpp>
#include <support/environment.hpp>
#include <support/instances.hpp>
#include <support/multiply.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Kind>
using PlanOf = typename Kind::template Plan<Device, Matrix>;

// One call, from fresh operands; the entries of C.
template <class Kind, class Exec, class Plan>
std::vector<double> product(Exec const& exec, Plan const& plan, Structure const& s, Op op,
                            Matrix const& a, double beta)
{
  Dense<Kind, C> const dense(s, op, beta);
  Kind::run(exec, plan, op, -0.5, a, dense.b, beta, dense.c);
  exec.fence();
  return entries_in(dense.c);
}

// A call against the oracle; values is what A's values are multiples of value_at by.
template <class Kind, class Plan>
std::string wrong_product(Plan const& plan, Structure const& s, Op op, Matrix const& a,
                          double values = 1.0)
{
  Dense<Kind, C> const dense(s, op, 2.0);
  Kind::run(Device{}, plan, op, 3.0, a, dense.b, 2.0, dense.c);
  Device{}.fence();
  return wrong_entry<Kind, C>(s, op, 3.0 * values, 2.0, dense.c);
}

template <class Kind>
std::vector<PlanOf<Kind>> plans_of_all(Matrix const& a, bool deterministic = false)
{
  std::vector<PlanOf<Kind>> plans;
  for (std::string const& name : implementations_of<Kind, C>())
    plans.emplace_back(
        Device{}, a,
        typename Kind::options{.implementation = name, .deterministic = deterministic});
  return plans;
}

// C after a call with alpha = 0, with NaN in A and B.
template <class Kind>
std::vector<double> without_product(PlanOf<Kind> const& plan, Structure const& s, Op op,
                                    double beta)
{
  auto const a = make_csr<C>(s);
  Kokkos::deep_copy(a.values(), not_a_number);
  Dense<Kind, C> const dense(s, op, beta);
  Kokkos::deep_copy(dense.b, not_a_number);
  Kind::run(Device{}, plan, op, 0.0, a, dense.b, beta, dense.c);
  Device{}.fence();
  return entries_in(dense.c);
}

template <class Plan>
bool keeps_values(Plan const& plan)
{
  if constexpr (requires { plan.keeps_values(); })
    return plan.keeps_values();
  else
    return false;
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// The lines between those on the choice and on the names that there are.
template <class Plan>
std::string reasons_of(Plan const& plan)
{
  std::string const text = plan.describe();
  auto const first = text.find("chosen because "), last = text.find("built for these types:");
  REQUIRE(first < last);
  return text.substr(first, last - first);
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
// Neighbouring rows of this structure share no column.
Structure of_length(std::int64_t per_row)
{
  Structure s{"", 500, 500, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    s.columns.emplace_back();
    for (std::int64_t n = 0; n < per_row; ++n)
      s.columns.back().push_back((13 * i + 11 * n) % s.cols);
    std::sort(s.columns.back().begin(), s.columns.back().end());
  }
  return s;
}
#endif

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_TEST_CASE("one plan serves every op", "[plans]", Spmv, Spmm)
{
  for (char const* const name : {"power law", "wide", "empty rows", "unsorted"})
  {
    Structure const& s = structure(name);
    auto const a = make_csr<C>(s);
    for (auto const& plan : plans_of_all<TestType>(a))
      for (Op const op : all_ops)
      {
        INFO(plan.implementation_name() << ", " << name << ", " << to_string(op));
        CHECK(wrong_product<TestType>(plan, s, op, a) == "");
      }
  }
}

TEMPLATE_TEST_CASE("a plan keeps nothing of the values", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("unsorted");
  for (bool const deterministic : {false, true})
  {
    auto const a = make_csr<C>(s);
    auto const values = to_vector(a.values());
    for (auto const& plan : plans_of_all<TestType>(a, deterministic))
    {
      if (keeps_values(plan)) // with the caller's leave: test_spmv_csr_or_sell.cpp
      {
        CHECK(plan.implementation_name() == std::string("portable::csr_or_sell"));
        continue;
      }
      for (double const factor : {1.0, 2.0, -0.25})
      {
        auto changed = values;
        for (double& value : changed)
          value *= factor;
        Kokkos::deep_copy(a.values(), to_view<double, C::space>(changed));
        for (Op const op : all_ops)
        {
          INFO(plan.implementation_name() << ", " << to_string(op) << ", values times " << factor);
          CHECK(wrong_product<TestType>(plan, s, op, a, factor) == "");
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("a plan outlives its matrix and serves another of the pattern", "[plans]", Spmv,
                   Spmm)
{
  Structure const& s = structure("power law");
  for (bool const deterministic : {false, true})
  {
    auto a = std::make_unique<Matrix>(make_csr<C>(s));
    auto const other = heddle::clone(Device{}, *a);
    auto const plans = plans_of_all<TestType>(*a, deterministic);
    a.reset();
    for (auto const& plan : plans)
      for (Op const op : all_ops)
      {
        INFO(plan.implementation_name() << ", " << to_string(op));
        CHECK(wrong_product<TestType>(plan, s, op, other) == "");
      }
  }
}

TEMPLATE_TEST_CASE("plans are values", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("banded");
  auto const a = make_csr<C>(s);
  PlanOf<TestType> original(Device{}, a);
  PlanOf<TestType> const copy = original;
  PlanOf<TestType> moved = std::move(original);
  CHECK(wrong_product<TestType>(copy, s, Op::transpose, a) == "");
  CHECK(wrong_product<TestType>(moved, s, Op::transpose, a) == "");
  Structure const& t = structure("wide");
  auto const b = make_csr<C>(t);
  moved = PlanOf<TestType>(Device{}, b);
  CHECK(wrong_product<TestType>(moved, t, Op::transpose, b) == "");
}

TEMPLATE_TEST_CASE("a plan of one instance serves another", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("power law");
  auto const a = make_csr<C>(s);
  auto const [one, two] = two_instances<Device>();
  auto const five = instance_of_five<Device>();
  for (std::string const& name : implementations_of<TestType, C>())
    for (Op const op : all_ops)
    {
      INFO(name << ", " << to_string(op));
      PlanOf<TestType> const plan(five, a, {.implementation = name, .deterministic = true});
      five.fence();
      auto const expected = product<TestType>(five, plan, s, op, a, 2.0);
      CHECK(product<TestType>(one, plan, s, op, a, 2.0) == expected);
      PlanOf<TestType> const small(two, a, {.implementation = name});
      two.fence();
      CHECK(wrong_product<TestType>(small, s, op, a) == "");
    }
}

TEMPLATE_TEST_CASE("calls without a plan or an op are the same", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("power law");
  auto const a = make_csr<C>(s);
  PlanOf<TestType> const plan(Device{}, a);
  for (Op const op : all_ops)
  {
    INFO(to_string(op));
    Dense<TestType, C> const dense(s, op, 2.0);
    TestType::run_once(Device{}, op, 3.0, a, dense.b, 2.0, dense.c);
    Device{}.fence();
    CHECK(wrong_entry<TestType, C>(s, op, 3.0, 2.0, dense.c) == "");
  }
  Dense<TestType, C> const planned(s, Op::none, 2.0), once(s, Op::none, 2.0);
  TestType::run(Device{}, plan, 3.0, a, planned.b, 2.0, planned.c);
  TestType::run_once(Device{}, 3.0, a, once.b, 2.0, once.c);
  Device{}.fence();
  CHECK(wrong_entry<TestType, C>(s, Op::none, 3.0, 2.0, planned.c) == "");
  CHECK(entries_in(once.c) == entries_in(planned.c));
}

TEMPLATE_TEST_CASE("read-only matrices are matrices", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("wide");
  auto const a = make_csr<C>(s);
  typename Matrix::const_type const read_only = a;
  PlanOf<TestType> const plan(Device{}, read_only);
  for (Op const op : all_ops)
  {
    Dense<TestType, C> const one(s, op, 2.0), two(s, op, 2.0), three(s, op, 2.0);
    TestType::run(Device{}, plan, op, 3.0, read_only, one.b, 2.0, one.c);
    TestType::run(Device{}, plan, op, 3.0, a, two.b, 2.0, two.c);
    TestType::run_once(Device{}, op, 3.0, read_only, three.b, 2.0, three.c);
    Device{}.fence();
    CHECK(wrong_entry<TestType, C>(s, op, 3.0, 2.0, one.c) == "");
    CHECK(wrong_entry<TestType, C>(s, op, 3.0, 2.0, two.c) == "");
    CHECK(wrong_entry<TestType, C>(s, op, 3.0, 2.0, three.c) == "");
  }
  CHECK(plan.matches(Device{}, a));
  CHECK(plan.matches(Device{}, read_only));
}

TEMPLATE_TEST_CASE("plans know the pattern they were made for", "[plans]", Spmv, Spmm)
{
  Structure s = structure("unsorted");
  auto const a = make_csr<C>(s);
  PlanOf<TestType> const plan(Device{}, a);
  CHECK(plan.matches(Device{}, a));
  CHECK(plan.matches(Device{}, heddle::clone(Device{}, a)));
  Kokkos::deep_copy(a.values(), 0.0);
  CHECK(plan.matches(Device{}, a));
  std::swap(s.columns[50][0], s.columns[50][1]);
  CHECK_FALSE(plan.matches(Device{}, make_csr<C>(s)));
  CHECK_FALSE(plan.matches(Device{}, make_csr<C>(structure("banded"))));
}

TEMPLATE_TEST_CASE("alpha = 0 reads neither A nor the input", "[plans]", Spmv, Spmm)
{
  for (char const* const name : {"power law", "unsorted", "empty rows"})
  {
    Structure const& s = structure(name);
    for (auto const& plan : plans_of_all<TestType>(make_csr<C>(s)))
      for (Op const op : all_ops)
      {
        INFO(plan.implementation_name() << ", " << name << ", " << to_string(op));
        auto expected = entries_in(Dense<TestType, C>(s, op, 2.0).c);
        CHECK(without_product<TestType>(plan, s, op, 1.0) == expected);
        for (double& value : expected)
          value *= 2.0;
        CHECK(without_product<TestType>(plan, s, op, 2.0) == expected);
        // C holds NaN before.
        CHECK(without_product<TestType>(plan, s, op, 0.0) ==
              std::vector<double>(expected.size(), 0.0));
      }
  }
}

TEMPLATE_TEST_CASE("beta = 0 overwrites whatever stands in the output", "[plans]", Spmv, Spmm)
{
  for (char const* const name : {"no entries", "empty rows", "dense column", "7 x 0"})
  {
    Structure const& s = structure(name);
    auto const a = make_csr<C>(s);
    for (auto const& plan : plans_of_all<TestType>(a))
      for (Op const op : all_ops)
        for (double const zero : {0.0, -0.0})
        {
          INFO(plan.implementation_name() << ", " << name << ", " << to_string(op));
          Dense<TestType, C> const dense(s, op, 0.0);
          Kokkos::deep_copy(dense.c, not_a_number);
          TestType::run(Device{}, plan, op, 3.0, a, dense.b, zero, dense.c);
          Device{}.fence();
          CHECK(wrong_entry<TestType, C>(s, op, 3.0, 0.0, dense.c) == "");
        }
  }
}

TEST_CASE("spmm takes operands without columns", "[plans]")
{
  Structure const& s = structure("wide");
  auto const a = make_csr<C>(s);
  for (auto const& plan : plans_of_all<Spmm>(a))
    for (Op const op : all_ops)
    {
      Kokkos::View<double**, C::space> const b("b", is_transposed(op) ? s.rows : s.cols, 0);
      Kokkos::View<double**, C::space> const c("c", is_transposed(op) ? s.cols : s.rows, 0);
      for (double const alpha : {0.0, 1.0})
        spmm(Device{}, plan, op, alpha, a, b, 0.0, c);
    }
  Device{}.fence();
}

TEMPLATE_TEST_CASE("repeatable calls give the same bits", "[plans]", Spmv, Spmm)
{
  auto const exec = instance_of_five<Device>();
  for (char const* const name : {"power law", "dense column"})
    for (bool const deterministic : {false, true})
    {
      Structure const& s = structure(name);
      auto const a = make_csr<C>(s);
      for (auto const& plan : plans_of_all<TestType>(a, deterministic))
      {
        INFO(plan.implementation_name() << ", " << name << ", deterministic " << deterministic);
        CHECK(plan.is_repeatable(Op::none));
        for (Op const op : all_ops)
        {
          CHECK((plan.is_repeatable(op) || !deterministic));
          if (!plan.is_repeatable(op))
            continue;
          auto const once = product<TestType>(exec, plan, s, op, a, 2.0);
          for (int again = 0; again < 5; ++again)
            CHECK(product<TestType>(exec, plan, s, op, a, 2.0) == once);
        }
      }
    }
}

TEMPLATE_TEST_CASE("plans describe themselves", "[plans]", Spmv, Spmm)
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  Structure const& s = structure("wide"); // 31 x 700
  auto const a = make_csr<C>(s);
  std::string candidates = "\nbuilt for these types:", of_papers = candidates;
  for (std::string const& name : implementations_of<TestType, C>())
    (heddle::impl::is_papers_name(TestType::name, name) ? of_papers : candidates) += " " + name;
  std::size_t const bytes = a.nnz() * (8 + 4) + 32 * 8 + (31 + 700) * 8;
  for (auto const& plan : plans_of_all<TestType>(a))
  {
    std::string const text = plan.describe();
    INFO(text);
    CHECK(text.find(std::string(plan.implementation_name()) + ": ") == 0);
    bool const is_of_papers =
        heddle::impl::is_papers_name(TestType::name, plan.implementation_name());
    CHECK(has(text, "\nchosen because it was asked for by name" +
                        (is_of_papers ? of_papers : candidates) + "\n"));
    CHECK(has(text, "\nmemory held by the plan: "));
    CHECK(
        has(text, "\ncompulsory bytes of a call with one column: " + std::to_string(bytes) + "\n"));
    CHECK(has(text, std::string("\nbitwise repeatable: A yes, A^T and A^H ") +
                        (plan.is_repeatable(Op::transpose) ? "yes" : "no") + "\n"));
    CHECK(plan.is_forced());
  }
  PlanOf<TestType> const plan(Device{}, a);
  CHECK(has(plan.describe(), candidates + "\n"));
  CHECK_FALSE(plan.is_forced());
}

TEST_CASE("plans say why they choose an implementation, and why no better one", "[plans]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  using OnHost = Case<Host, double, int, std::size_t>;
  auto const a = make_csr<OnHost>(structure("wide"));
  std::string const chunks = "it is the one for host threads\n";
  std::string const entries =
      ": A has " + std::to_string(a.nnz()) + " entries, it pays from 1048576 on\n";
  std::string const no_copy =
      "not portable::csr_or_sell: the options do not allow a copy of the matrix (may_convert)\n"
      "not portable::csr_runs" +
      entries + "not portable::csr_templates" + entries;
  CHECK(reasons_of(heddle::SpmvPlan(Host{}, a)) == "chosen because " + chunks + no_copy);
  CHECK(reasons_of(heddle::SpmmPlan(Host{}, a)) == "chosen because " + chunks);
  CHECK(reasons_of(heddle::SpmvPlan(Host{}, a, {.backend = heddle::Backend::portable})) ==
        "chosen because the portable backend was asked for and " + chunks + no_copy);
  CHECK(reasons_of(
            heddle::papers::SpmmPlan(Host{}, a, {.implementation = "portable::csr_element"})) ==
        "chosen because it was asked for by name\n");
  CHECK(reasons_of(heddle::SpmvPlan(Host{}, a, {.may_convert = true})) ==
        "chosen because the options allow a copy of the matrix\n");

  heddle::CooMatrix<double, int, std::size_t, OnHost::space> const coordinates(
      2, 2, to_view<int, OnHost::space>(std::vector<int>{1, 0}),
      to_view<int, OnHost::space>(std::vector<int>{0, 1}),
      to_view<double, OnHost::space>(std::vector<double>{1.0, 2.0}));
  std::string const order = ": the entries do not stand in the order of rows\n";
  CHECK(reasons_of(heddle::SpmvPlan(Host{}, coordinates)) ==
        "chosen because it takes coordinates in any order, on any backend\n"
        "not portable::csr_chunks" +
            order + "not portable::csr_team" + order);
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("plans on CUDA say which number decided", "[plans]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  auto const reasons = [](auto const& plan) { return reasons_of(plan); };
  auto const short_rows = make_csr<C>(of_length(4));
  CHECK(reasons(heddle::SpmmPlan(Device{}, short_rows)) ==
        "chosen because rows have 4 entries in the mean, 20 are a short row\n"
        "not cuda_native::tensor_bundles: rows have 4 entries in the mean, 8 are needed\n"
        "not cuda_native::row_bundles: rows have 4 entries in the mean, 12 are needed\n"
        "not cuda_native::csr_mixed: no row has more than 4 entries, bundles of rows need 12\n");
  std::string const of_rows = reasons(heddle::SpmmPlan(Device{}, make_csr<C>(of_length(40))));
  CHECK(
      of_rows ==
      "chosen because it takes rows of any length\n"
      "not cuda_native::tensor_bundles: bundles of 8 rows would gather 1 rows of B per entry, 0.55 "
      "are few enough\n"
      "not cuda_native::row_bundles: a column of 2 neighbouring rows is in 1 of them in the mean, "
      "1.82 are needed\n"
      "not cuda_native::csr_mixed: A has 20000 entries, bundles pay from 1048576 entries on\n"
      "not cuda_native::csr_short: rows have 40 entries in the mean, 20 are a short row\n"
      "not cuda_native::csr_tiles: 20000 entries are few, and the longest row has 40\n");
  std::string const of_vectors = reasons(heddle::SpmvPlan(Device{}, short_rows));
  INFO(of_vectors);
  CHECK(of_vectors.starts_with("chosen because the longest row has 4 entries, "));
  CHECK(has(of_vectors, "not portable::csr_or_sell: "));
  CHECK(has(of_vectors, "not cuda_native::csr_panels: x would have 1 panels in shared memory, it "
                        "pays with 2\n"));
  CHECK(has(reasons(heddle::SpmmPlan(Device{}, short_rows, {.backend = heddle::Backend::portable})),
            "not cuda_native::csr_short: it is of another backend\n"));
}
#endif

TEMPLATE_TEST_CASE("a plan says how much memory it holds", "[plans]", Spmv, Spmm)
{
  Structure const& s = structure("wide");
  PlanOf<TestType> const plan(Device{}, make_csr<C>(s),
                              {.implementation = "portable::csr_team", .deterministic = true});
  std::size_t const bytes = 701 * sizeof(std::size_t) +
                            static_cast<std::size_t>(s.nnz()) * (sizeof(int) + sizeof(std::size_t));
  CHECK(has(plan.describe(), "\nmemory held by the plan: " + std::to_string(bytes) + " bytes\n"));
}

TEMPLATE_TEST_CASE("default-constructed matrices multiply", "[plans]", Spmv, Spmm)
{
  Matrix const a;
  Structure const& s = structure("0 x 0");
  for (auto const& plan : plans_of_all<TestType>(a, true))
    for (Op const op : all_ops)
    {
      INFO(plan.implementation_name());
      CHECK(wrong_product<TestType>(plan, s, op, a) == "");
      CHECK(plan.matches(Device{}, a));
    }
}
