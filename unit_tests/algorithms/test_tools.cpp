// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Kokkos Tools sees of products, conversions and copies: labels, the instance that each kernel
// runs on, fences and allocations. test_tools_orders.cpp has the other operations.

#include <heddle/balanced_rows.hpp>
#include <heddle/convert.hpp>
#include <heddle/copy.hpp>
#include <heddle/drop_zeros.hpp>
#include <heddle/sort_rows.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/suggest.hpp>
#include <heddle/transpose.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/entries.hpp>
#include <support/multiply.hpp>
#include <support/tool_checks.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <any>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

// validate, conversions, transpose, sort_rows and copies.
template <class Exec>
Operations matrix_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  Structure const& s = structure("unsorted");
  auto const a = make_csr<C>(s), to_sort = make_csr<C>(s), none = make_csr<C>(structure("0 x 7"));
  auto const sorted = make_coo<C>(entries_of(structure("banded")));
  auto const random = make_coo<C>(in_random_order(repeated(entries_of(s), 1), 2));
  auto const wide = CooOf<C>(random.num_rows(), 1 << 20, random.rows(), random.columns(),
                             random.values()); // more columns than a counting sort takes
  return {{"validate", [=] { return validate(exec, a); }},
          {"validate coordinates", [=] { return validate(exec, random); }},
          {"validate no entries", [=] { return validate(exec, none); }},
          {"to_csr of sorted entries", [=] { return to_csr(exec, sorted); }},
          {"to_csr of entries in disorder", [=] { return to_csr(exec, random); }},
          {"to_csr of few entries", [=] { return to_csr(exec, wide); }},
          {"to_csr of no entries", [=] { return to_csr(exec, CooOf<C>{}); }},
          {"to_coo", [=] { return to_coo(exec, a); }},
          {"to_coo of no entries", [=] { return to_coo(exec, none); }},
          {"transpose", [=] { return transpose(exec, a); }},
          {"transpose of no entries", [=] { return transpose(exec, none); }},
          {"conjugate transpose", [=] { return transpose(exec, a, Op::conjugate_transpose); }},
          {"has_sorted_rows", [=] { return has_sorted_rows(exec, a); }},
          {"sort_rows", [=] { return sort_rows(exec, to_sort), std::any(); }},
          {"clone", [=] { return clone(exec, a); }},
          {"clone of no entries", [=] { return clone(exec, none); }},
          {"clone coordinates", [=] { return clone(exec, random); }},
          {"copy_to", [=] { return copy_to(exec, Kokkos::HostSpace{}, a); }}};
}

// Coordinates and CSR to a format, back, a copy, new values and a check.
template <class As, class Exec>
Operations format_operations(Exec const& exec, std::string const& name)
{
  using C = DoubleCase<Exec>;
  Structure const& s = structure("unsorted");
  auto const csr = make_csr<C>(s);
  auto const coo = make_coo<C>(in_random_order(repeated(entries_of(s), 1), 2));
  auto const a = As::make(exec, csr);
  return {{name + " of CSR", [=] { return As::make(exec, csr); }},
          {name + " of coordinates", [=] { return As::make(exec, coo); }},
          {name + " to CSR", [=] { return to_csr(exec, a); }},
          {name + " update_values", [=] { return update_values(exec, a, csr), std::any(); }},
          {name + " clone", [=] { return clone(exec, a); }},
          {name + " validate", [=] { return validate(exec, a); }}};
}
template <class Exec>
Operations format_operations(Exec const& exec)
{
  auto const csr = make_csr<DoubleCase<Exec>>(structure("unsorted"));
  Operations all{{"drop_zeros", [=] { return drop_zeros(exec, csr); }},
                 {"suggest_block_size", [=] { return suggest_block_size(exec, csr); }},
                 {"suggest_sell", [=] { return suggest_sell(exec, csr); }},
                 {"balanced_rows", [=] { return balanced_rows(exec, csr, 3); }}};
  append(all, format_operations<AsCsc>(exec, "CSC"));
  append(all, format_operations<AsDcsr>(exec, "DCSR"));
  append(all, format_operations<AsBsr<2, 3>>(exec, "BSR"));
  append(all, format_operations<AsEll>(exec, "ELL"));
  append(all, format_operations<AsSell<8, 2, 32>>(exec, "SELL"));
  append(all, format_operations<AsHyb<-1>>(exec, "HYB"));
  return all;
}

// Plans of every implementation for a, which has this structure, and calls with them.
template <class Kind, class Exec, class Matrix>
Operations multiply_operations(Exec const& exec, std::string const& what, Matrix const& a,
                               Structure const& s)
{
  using C = DoubleCase<Exec>;
  using Plan = typename Kind::template Plan<Exec, Matrix>;
  Operations all;
  for (std::string const name :
       impl::names_of(typename Kind::template Implementations<Exec, Matrix>{}))
    for (bool const deterministic : {false, true})
    {
      if (deterministic && name.ends_with("_atomic"))
        continue; // refused
      typename Kind::options const options{.implementation = name, .deterministic = deterministic};
      Plan const plan(exec, a, options);
      std::string const prefix = std::string(Kind::name) + " of " + what +
                                 (deterministic ? " deterministic " : " ") + name;
      all.push_back({prefix + " plan", [=] { return Plan(exec, a, options); }});
      all.push_back({prefix + " matches", [=] { return plan.matches(exec, a); }});
      for (Op const op : all_ops)
        for (double const alpha : {0.0, 3.0})
        {
          Dense<Kind, C> const dense(s, op, 2.0);
          auto const call = [=] {
            Kind::run(exec, plan, op, alpha, a, dense.b, 2.0, dense.c);
            return std::any();
          };
          all.push_back(
              {prefix + " " + to_string(op) + " alpha " + std::to_string(alpha), call, true});
        }
    }
  return all;
}

// The same for every format; a call without a plan.
template <class Kind, class Exec>
Operations multiply_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  Structure const& s = structure("power law");
  auto const a = make_csr<C>(s);
  Operations all = multiply_operations<Kind>(exec, "CSR", a, s);
  append(all, multiply_operations<Kind>(exec, "COO", to_coo(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "CSC", AsCsc::make(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "DCSR", AsDcsr::make(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "BSR", AsBsr<3, 3>::make(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "ELL", AsEll::make(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "SELL", AsSell<8, 2, 32>::make(exec, a), s));
  append(all, multiply_operations<Kind>(exec, "HYB", AsHyb<-1>::make(exec, a), s));
  Dense<Kind, C> const dense(s, Op::transpose, 2.0);
  all.push_back({std::string(Kind::name) + " once", [=] {
                   Kind::run_once(exec, Op::transpose, 3.0, a, dense.b, 2.0, dense.c);
                   return std::any();
                 }});
  return all;
}

// Plans of every implementation for A B and calls with them, with room and with little.
template <class Exec, class Matrix>
Operations spgemm_operations(Exec const& exec, std::string const& what, Matrix const& a,
                             Matrix const& b, std::size_t little)
{
  using Plan = AnySpgemmPlan<Exec, Matrix, Matrix>;
  Operations all{{"spgemm_products, " + what, [=] { return spgemm_products(exec, a, b); }},
                 {"spgemm once, " + what, [=] { return spgemm(exec, a, b); }}};
  for (std::string const name : impl::names_of(AllOfSpgemm<Exec, Matrix, Matrix>{}))
    for (bool const deterministic : {false, true})
      for (std::size_t const cap : {std::size_t(1) << 40, little})
      {
        if (name == "portable::iterated_merge" && cap == little)
          continue; // it keeps the products before C
        SpgemmOptions const options{
            .implementation = name, .deterministic = deterministic, .max_workspace_bytes = cap};
        Plan const plan(exec, a, b, options);
        auto const c = plan.make_result(exec);
        std::string const prefix =
            "spgemm " + name + ", " + what + ", at most " + std::to_string(cap) + " bytes, ";
        all.push_back({prefix + "plan", [=] { return Plan(exec, a, b, options); }});
        all.push_back({prefix + "matches", [=] { return plan.matches(exec, a, b); }});
        all.push_back({prefix + "result", [=] { return plan.make_result(exec); }});
        all.push_back({prefix + "call", [=] { return spgemm(exec, plan, a, b, c), std::any(); }});
        all.push_back({prefix + "once", [=] { return spgemm_by_name(exec, a, b, options); }, false,
                       name == "portable::team_hash" || name == "portable::scatter_or_esc" ||
                           name == "portable::iterated_merge" ||
                           name == "cuda_native::scatter_or_esc"});
      }
  return all;
}

template <class Exec>
Operations spgemm_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  typename CsrOf<C>::const_type const a = make_csr<C>(structure("power law")),
                                      b = make_csr<C>(random_structure("b", 50, 900, 60, 31)),
                                      c = make_csr<C>(random_structure("c", 900, 9000, 80, 32));
  Operations all = spgemm_operations(exec, "few products a row", a, a, 60000);
  append(all, spgemm_operations(exec, "many products a row", b, c, 600000));
  return all;
}

template <class Exec>
Operations all_operations(Exec const& exec)
{
  Operations all = matrix_operations(exec);
  append(all, format_operations(exec));
  append(all, multiply_operations<Spmv>(exec));
  append(all, multiply_operations<Spmm>(exec));
  append(all, spgemm_operations(exec));
  exec.fence();
  return all;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("operations name what they do and stay on their instance", "[tools]",
                        DeviceAndHost)
{
  auto const exec = two_instances<TestType>()[0];
  check_labels_and_instances(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("numeric calls neither wait nor make Views", "[tools]", DeviceAndHost)
{
  auto const exec = two_instances<TestType>()[0];
  check_asynchronous_calls(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("operations do not wait for other instances", "[tools]", std::tuple<Host>)
{
  auto const exec = two_instances<TestType>()[0];
  check_no_waiting_for_the_default_instance(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("a call that is refused leaves no region open", "[tools]", DeviceAndHost)
{
  using C = DoubleCase<TestType>;
  auto const a = make_csr<C>(structure("banded"));
  Kokkos::View<double*, typename C::space> const x("heddle::test::x", 3);
  ToolLog log;
  CHECK_THROWS_AS(heddle::spmv(TestType{}, 1.0, a, x, 0.0, x), heddle::InvalidArgument);
  CHECK_THROWS_AS(heddle::spgemm(TestType{}, a, a, {.implementation = "none"}),
                  heddle::Unsupported);
  auto const events = log.take();
  CHECK(count(events, ToolEvent::push_region) == count(events, ToolEvent::pop_region));
}
