// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that may copy a CSR matrix into slices. That they multiply right by name is in
// test_spmv.cpp and test_plans.cpp, which take every implementation; here is what a copy adds.

#include <heddle/convert.hpp>
#include <heddle/spmv.hpp>
#include <heddle/storage.hpp>
#include <support/environment.hpp>
#include <support/instances.hpp>
#include <support/messages.hpp>
#include <support/multiply.hpp>
#include <support/tool_log.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using D = Case<Device, double, int, std::size_t>;
template <class C>
using PlanOn = SpmvPlan<typename C::exec, typename CsrOf<C>::const_type>;
using Plan = PlanOn<D>;
using CsrOrSell = impl::SpmvCsrOrSell<Device, typename CsrOf<D>::const_type, impl::SpmvList>;

SpmvOptions const by_name{.implementation = "portable::csr_or_sell"};

// A call against the oracle on A with its values times factor.
template <class C>
std::string wrong_product(typename C::exec const& exec, PlanOn<C> const& plan, Structure const& s,
                          Op op, CsrOf<C> const& a, double factor)
{
  using Value = typename C::value;
  Dense<Spmv, C> const dense(s, op, Value(2));
  Spmv::run(exec, plan, op, Value(-0.5), a, dense.b, Value(2), dense.c);
  exec.fence();
  return wrong_entry<Spmv, C>(s, op, Value(-0.5 * factor), Value(2), dense.c);
}

// Of the structure, with values times factor.
template <class C>
CsrOf<C> scaled_csr(Structure const& s, double factor)
{
  auto const a = make_csr<C>(s);
  auto values = to_vector(a.values());
  for (auto& value : values)
    value *= typename C::value(factor);
  Kokkos::deep_copy(a.values(), to_view<typename C::value, typename C::space>(values));
  return a;
}

// With a copy or without, before values change, after, and after the plan was told.
template <class C>
void check_new_values(Structure const& s, SpmvOptions const& options)
{
  typename C::exec const exec{};
  auto const before = make_csr<C>(s), after = scaled_csr<C>(s, -2.0);
  PlanOn<C> plan(exec, before, options);
  for (Op const op : all_ops)
  {
    INFO(s.name << ", " << to_string(op) << ", " << plan.describe());
    CHECK(wrong_product<C>(exec, plan, s, op, before, 1.0) == "");
    bool const is_old = plan.keeps_values() && !is_transposed(op);
    CHECK(wrong_product<C>(exec, plan, s, op, after, is_old ? 1.0 : -2.0) == "");
  }
  plan.update_values(exec, after);
  for (Op const op : all_ops)
  {
    INFO(s.name << ", " << to_string(op) << ", updated, " << plan.describe());
    CHECK(wrong_product<C>(exec, plan, s, op, after, -2.0) == "");
  }
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// The refusal that describe() tells of a plan by name, "" where there is a copy.
std::string why_no_copy(Structure const& s)
{
  Plan const plan(Device{}, make_csr<D>(s), by_name);
  std::string const text = plan.describe(), start = "; no copy in slices: ";
  std::size_t const at = text.find(start);
  CHECK(plan.keeps_values() == (at == std::string::npos));
  return plan.keeps_values()
             ? ""
             : text.substr(at + start.size(), text.find('\n', at) - at - start.size());
}

// A State as by name, with a trial of which the copy won so many rounds.
CsrOrSell::State after_rounds(CsrOf<D>::const_type const& a, int rounds_won)
{
  auto const state = CsrOrSell::analyze(Device{}, a, impl::statistics_of(Device{}, a), by_name);
  REQUIRE(state.keeps_values());
  auto const parts = std::make_shared<CsrOrSell::Parts>(*state.parts);
  parts->trial = {.choice = 1e-3,
                  .conversion = 2e-3,
                  .rounds = 3e-3,
                  .csr_call = 20e-6,
                  .sell_call = rounds_won == impl::trial_rounds ? 15e-6 : 25e-6,
                  .rounds_won = rounds_won};
  CsrOrSell::drop_slower_copy(*parts);
  return {parts};
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("a copy in slices has new values after update_values", "[csr_or_sell]",
                        Types)
{
  for (Structure const& s : small_structures())
    for (bool const deterministic : {false, true})
      check_new_values<TestType>(
          s, {.implementation = "portable::csr_or_sell", .deterministic = deterministic});
}

TEST_CASE("a copy in slices takes more than 2^16 rows", "[csr_or_sell]")
{
  Structure const s = random_structure("70000 x 65000", 70000, 65000, 3, 71);
  CHECK(why_no_copy(s) == "");
  check_new_values<D>(s, by_name);
  check_new_values<D>(s, {.may_convert = true});
}

// Whichever of the two is faster here.
TEST_CASE("plans that may convert multiply right and say what they did", "[csr_or_sell]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  for (Structure const& s : small_structures())
  {
    check_new_values<D>(s, {.may_convert = true});
    Plan const plan(Device{}, make_csr<D>(s), {.may_convert = true});
    std::string const text = plan.describe();
    INFO(s.name << ", " << text);
    CHECK(plan.implementation_name() == std::string("portable::csr_or_sell"));
    CHECK(has(text, "\nchosen because the options allow a copy of the matrix\n"));
    CHECK(plan.keeps_values() != has(text, "; no copy in slices: "));
    CHECK(plan.keeps_values() == has(text, " from a copy, which update_values refreshes, "));
    bool const was_refused =
        has(text, "A has no entries") || has(text, " places an entry, at most");
    CHECK(was_refused != has(text, " a call, from CSR "));
    CHECK(was_refused != has(text, ", converted in "));
    CHECK((!plan.keeps_values() || has(text, "5 of 5 rounds won: pays after ")));
    CHECK((!was_refused || why_no_copy(s) != ""));
  }
}

TEST_CASE("nothing is copied unless the caller allows it", "[csr_or_sell]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  auto const a = make_csr<D>(structure("banded"));
  Plan const plan(Device{}, a);
  CHECK_FALSE(plan.keeps_values());
  CHECK(plan.implementation_name() != std::string("portable::csr_or_sell"));
  auto const coo = heddle::to_coo(Device{}, a);
  heddle::SpmvPlan const of_coo(Device{}, coo, {.may_convert = true});
  CHECK(of_coo.implementation_name() ==
        std::string(heddle::SpmvPlan(Device{}, coo).implementation_name()));
  CHECK_FALSE(of_coo.keeps_values());
}

TEST_CASE("copies in slices are refused where they cannot pay", "[csr_or_sell]")
{
  for (char const* const name : {"banded", "blocked", "wide", "tall", "dense column"})
    CHECK(why_no_copy(structure(name)) == "");
  CHECK(why_no_copy(structure("0 x 0")) == "A has no entries");
  CHECK(why_no_copy(structure("no entries")) == "A has no entries");
  CHECK(why_no_copy(structure("1 x 1")) ==
        "slices of 32 rows have 32 places an entry, at most 1.25 are allowed");
  CHECK(why_no_copy({"one row", 1, 5, {{0, 2, 4}}}) ==
        "slices of 32 rows have 32 places an entry, at most 1.25 are allowed");
  CHECK(has(why_no_copy(structure("dense row")), " places an entry, at most 1.25 are allowed"));
  heddle::Candidate<heddle::SellShape> const many{.shape = {}, .places = 3000000000};
  CHECK(heddle::impl::trial_refusal<int>(many) == "3000000000 places do not fit the offset type");
  CHECK(heddle::impl::trial_refusal<std::size_t>(many) == "");
}

// In their own order they have 2.9 places an entry.
TEST_CASE("rows are sorted where their lengths differ", "[csr_or_sell]")
{
  Structure s{"lengths 1 1 1 8", 256, 8, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    s.columns.push_back(i % 4 == 3 ? std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}
                                   : std::vector<std::int64_t>{i % 8});
  Plan const plan(Device{}, make_csr<D>(s), by_name);
  CHECK(has(plan.describe(), " sorted within windows of 128, 1 places an entry;"));
  check_new_values<D>(s, by_name);
  s.columns.assign(256, {1, 4, 6});
  Plan const equal(Device{}, make_csr<D>(s), by_name);
  CHECK(has(equal.describe(), " sorted within windows of 1, 1 places an entry;"));
}

TEST_CASE("a copy that lost a round is dropped", "[csr_or_sell]")
{
  Structure const& s = structure("banded");
  typename CsrOf<D>::const_type const a = make_csr<D>(s);
  auto const kept = after_rounds(a, heddle::impl::trial_rounds);
  CHECK(kept.keeps_values());
  CHECK(has(kept.describe(),
            "15 us a call, from CSR 20 us; shape found in 1 ms, converted in 2 ms, both "
            "tried in 3 ms, 5 of 5 rounds won: pays after 1200 calls; transposed "));
  for (int won = 0; won < heddle::impl::trial_rounds; ++won)
  {
    auto const dropped = after_rounds(a, won);
    CHECK_FALSE(dropped.keeps_values());
    CHECK(dropped.bytes() < kept.bytes());
    CHECK(has(dropped.describe(),
              "; no copy in slices: they took 25 us a call, from CSR 20 us; shape found in 1 ms, "
              "converted in 2 ms, both tried in 3 ms, " +
                  std::to_string(won) + " of 5 rounds won: does not pay"));
    for (Op const op : all_ops)
    {
      using heddle::impl::vector_operand;
      Dense<Spmv, D> const dense(s, op, 0.0);
      auto const x = Kokkos::subview(dense.b, Kokkos::ALL, 0);
      auto const y = Kokkos::subview(dense.c, Kokkos::ALL, 0);
      CsrOrSell::run(Device{}, dropped, op, 3.0, a,
                     vector_operand<Kokkos::LayoutRight>(decltype(x)::const_type(x)), 0.0,
                     vector_operand<Kokkos::LayoutRight>(y));
      Device{}.fence();
      CHECK(wrong_entry<Spmv, D>(s, op, 3.0, 0.0, dense.c) == "");
    }
  }
}

TEST_CASE("trials say when they pay", "[csr_or_sell]")
{
  using heddle::impl::readable_time, heddle::impl::SellTrial;
  CHECK(readable_time(1.234567e-6) == "1.23 us");
  CHECK(readable_time(0.0123456) == "12.3 ms");
  CHECK(readable_time(12.5) == "12.5 s");
  SellTrial const gains{.choice = 1, .conversion = 2, .rounds = 4, .csr_call = 2, .sell_call = 1.5};
  CHECK(gains.calls_to_pay() == 14);
  SellTrial const just_so{.choice = 1, .conversion = 1, .csr_call = 3, .sell_call = 0};
  CHECK(just_so.calls_to_pay() == 1);
  SellTrial const same{.choice = 1, .csr_call = 2, .sell_call = 2};
  CHECK(same.calls_to_pay() == std::nullopt);
  SellTrial const slower{.choice = 1, .csr_call = 2, .sell_call = 3};
  CHECK(slower.calls_to_pay() == std::nullopt);
}

TEST_CASE("a plan says how much memory its copy takes", "[csr_or_sell]")
{
  auto const a = make_csr<D>(structure("tall"));
  auto const bytes_of = [](Plan const& plan) {
    std::string const text = plan.describe(), start = "memory held by the plan: ";
    return std::stoull(text.substr(text.find(start) + start.size()));
  };
  auto const sell = heddle::to_sell(Device{}, a, {.height = 32, .alignment = 1, .sigma = 1});
  std::size_t const parts =
      bytes_of(Plan(Device{}, a, {.implementation = "portable::csr_team", .deterministic = true}));
  Plan const plan(Device{}, a, by_name);
  CHECK(bytes_of(plan) >= heddle::storage_bytes(sell));
  CHECK(bytes_of(plan) <= heddle::storage_bytes(sell) + parts);
}

TEST_CASE("update_values refuses a matrix of other sizes", "[csr_or_sell]")
{
  Structure const s{"3 x 3", 3, 3, {{0}, {1, 2}, {2}}}, t{"3 x 3", 3, 3, {{0}, {1}, {2}}};
  for (heddle::SpmvOptions const& options : {heddle::SpmvOptions{}, by_name})
  {
    Plan plan(Device{}, make_csr<D>(s), options);
    CHECK(
        message_of<heddle::InvalidArgument>(
            [&] { plan.update_values(Device{}, make_csr<D>(t)); }) ==
        "heddle::update_values: the plan was made for 3 x 3, 4 entries but A is 3 x 3, 3 entries");
    CHECK(message_of<heddle::InvalidArgument>(
              [&] { plan.update_values(Device{}, make_csr<D>(s)); }) == "no error");
  }
}

TEMPLATE_LIST_TEST_CASE("update_values is asynchronous and stays on its instance",
                        "[csr_or_sell][tools]", Spaces)
{
  using C = Case<TestType, double, int, std::size_t>;
  Structure const& s = structure("tall");
  auto const before = make_csr<C>(s), after = scaled_csr<C>(s, -2.0);
  auto const [one, two] = two_instances<TestType>();
  PlanOn<C> plan(two, before, by_name), without(two, before);
  REQUIRE(plan.keeps_values());
  ToolLog log;
  without.update_values(one, after);
#if !defined(KOKKOS_ENABLE_DEBUG) // which compares the fingerprint
  CHECK(log.take().empty());
#endif
  plan.update_values(one, after);
  auto const events = log.take();
  std::uint32_t const device = Kokkos::Tools::Experimental::device_id(one);
  CHECK(std::any_of(events.begin(), events.end(), [&](ToolEvent const& event) {
    return event.kind == ToolEvent::kernel && event.label == "heddle::to_sell" &&
           event.device == device;
  }));
#if !defined(KOKKOS_ENABLE_DEBUG)
  for (ToolEvent const& event : events)
    CHECK(event.kind == ToolEvent::kernel);
#endif
  for (Op const op : all_ops) // ordered behind it without a fence
    CHECK(wrong_product<C>(one, plan, s, op, after, -2.0) == "");
  for (Op const op : all_ops)
    CHECK(wrong_product<C>(two, plan, s, op, after, -2.0) == "");
}

TEST_CASE("copies of a plan share its values", "[csr_or_sell]")
{
  Structure const& s = structure("banded");
  auto const after = scaled_csr<D>(s, -2.0);
  Plan plan(Device{}, make_csr<D>(s), by_name);
  Plan const copy = plan;
  plan.update_values(Device{}, after);
  CHECK(copy.keeps_values());
  CHECK(wrong_product<D>(Device{}, copy, s, Op::none, after, -2.0) == "");
}
