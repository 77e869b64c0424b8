// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two execution space instances at once, each used by a thread of the host, with the same plans.

#include <heddle/convert.hpp>
#include <heddle/copy.hpp>
#include <heddle/sort_rows.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/transpose.hpp>
#include <heddle/validate.hpp>
#include <support/any_plan.hpp>
#include <support/instances.hpp>
#include <support/multiply.hpp>
#include <support/sanitizers.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

// Under ThreadSanitizer, which sees a race whether it changes a result or not, a few are enough.
#if defined(HEDDLE_TEST_SANITIZER)
constexpr int repetitions = 2;
#else
constexpr int repetitions = 20;
#endif

// Many calls with one plan, several at a time; "" or what is wrong. Calls that share memory which
// they must not share differ from each other.
template <class Kind, class Exec, class Plan>
std::string products_with(Exec const& exec, Plan const& plan, Structure const& s,
                          CsrOf<DoubleCase<Exec>> const& a)
{
  for (Op const op : all_ops)
  {
    Dense<Kind, DoubleCase<Exec>> const dense(s, op, 0.0);
    std::vector<double> first;
    for (int repetition = 0; repetition < repetitions; ++repetition)
    {
      for (int call = 0; call < 4; ++call)
        Kind::run(exec, plan, op, -0.5, a, dense.b, 0.0, dense.c);
      exec.fence();
      auto const now = entries_in(dense.c);
      if (repetition == 0)
        first = now;
      if (plan.is_repeatable(op) && now != first)
        return std::string(to_string(op)) + " gives other bits";
    }
    auto const wrong = wrong_entry<Kind, DoubleCase<Exec>>(s, op, -0.5, 0.0, dense.c);
    if (!wrong.empty())
      return std::string(to_string(op)) + ": " + wrong;
  }
  return "";
}

template <class Kind, class Exec>
void check_shared_plans(Structure const& s)
{
  using C = DoubleCase<Exec>;
  auto const a = make_csr<C>(s);
  for (std::string const& name : implementations_of<Kind, C>())
    for (bool const deterministic : {false, true})
    {
      INFO(name << ", " << s.name << ", deterministic " << deterministic);
      typename Kind::template Plan<Exec, CsrOf<C>> const plan(
          Exec{}, a, {.implementation = name, .deterministic = deterministic});
      Exec{}.fence();
      CHECK(at_once<Exec>([&](Exec const& exec) {
              return products_with<Kind>(exec, plan, s, a);
            }) == both_right);
    }
}

template <class A>
std::string difference_of(A const& result, A const& expected)
{
  return result == expected ? "" : "the result differs";
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("two instances multiply with one plan at once", "[instances]", Spaces)
{
  // Large enough for calls to overlap.
  Structure const s = random_structure("8000 x 7000, 12 a row", 8000, 7000, 12, 41);
  check_shared_plans<Spmv, TestType>(s);
  check_shared_plans<Spmm, TestType>(s);
}

TEMPLATE_LIST_TEST_CASE("two instances multiply sparse matrices with one plan at once",
                        "[instances]", Spaces)
{
  using C = DoubleCase<TestType>;
  using Matrix = typename CsrOf<C>::const_type;
  auto const a = make_csr<C>(structure("power law"));
  for (char const* const name : heddle::impl::names_of(AllOfSpgemm<TestType, Matrix, Matrix>{}))
    for (std::size_t const cap : {std::size_t(1) << 40, std::size_t(100000)})
    {
      INFO(name << ", at most " << cap << " bytes");
      AnySpgemmPlan const plan(
          TestType{}, a, a,
          {.implementation = name, .deterministic = true, .max_workspace_bytes = cap});
      auto const c = plan.make_result(TestType{});
      spgemm(TestType{}, plan, a, a, c);
      TestType{}.fence();
      auto const expected = to_host(c);
      CHECK(at_once<TestType>([&](TestType const& exec) -> std::string {
              for (int repetition = 0; repetition < 10; ++repetition)
              {
                auto const mine = plan.make_result(exec);
                spgemm(exec, plan, a, a, mine);
                exec.fence();
                if (!(to_host(mine) == expected))
                  return "C differs";
              }
              return "";
            }) == both_right);
    }
}

TEMPLATE_LIST_TEST_CASE("two instances plan and convert at once", "[instances]", Spaces)
{
  using C = DoubleCase<TestType>;
  Structure const& s = structure("unsorted");
  auto const a = make_csr<C>(s);
  auto const coo = heddle::to_coo(TestType{}, a);
  auto const sorted = to_host(heddle::to_csr(TestType{}, coo));
  auto const transposed_a = to_host(heddle::transpose(TestType{}, a));
  auto const square = to_host(heddle::spgemm(TestType{}, a, heddle::transpose(TestType{}, a)));
  CHECK(at_once<TestType>([&](TestType const& exec) {
          std::string wrong;
          for (int repetition = 0; repetition < 10 && wrong.empty(); ++repetition)
          {
            auto const mine = heddle::clone(exec, a);
            if (heddle::validate(exec, mine))
              wrong += "validate";
            heddle::sort_rows(exec, mine);
            wrong += difference_of(to_host(mine), sorted);
            wrong += difference_of(to_host(heddle::to_csr(exec, coo)), sorted);
            auto const t = heddle::transpose(exec, a);
            wrong += difference_of(to_host(t), transposed_a);
            heddle::SpmvPlan const plan(exec, a);
            wrong += products_with<Spmv>(exec, plan, s, a);
            wrong += heddle::has_sorted_rows(exec, heddle::spgemm(exec, a, t)) ? "" : "spgemm";
            wrong += difference_of(to_host(heddle::spgemm(exec, a, t)).columns, square.columns);
          }
          return wrong;
        }) == both_right);
}
