// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM by implementation and option against the oracle.

#include <support/any_plan.hpp>
#include <support/matrices.hpp>
#include <support/sparse_product.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

template <class C>
std::vector<char const*> spgemm_names()
{
  using Matrix = typename CsrOf<C>::const_type;
  return impl::names_of(AllOfSpgemm<typename C::exec, Matrix, Matrix>{});
}

// Whether the implementation that comes first is native to CUDA.
template <class C>
bool has_native_spgemm()
{
  return std::string(spgemm_names<C>().front()).find("cuda_native") == 0;
}

// What a plan says of itself.
template <class C>
std::string describe_spgemm(Structure const& a, Structure const& b,
                            SpgemmOptions const& options = {})
{
  return SpgemmPlan(typename C::exec{}, make_csr<C>(a), make_csr<C>(b), options).describe();
}

// How many of a hundred calls give other bits than the first.
template <class C, class Plan, class A, class B>
int calls_with_other_bits(Plan const& plan, A const& a, B const& b)
{
  typename C::exec const exec{};
  auto const once = plan.make_result(exec), again = plan.make_result(exec);
  spgemm(exec, plan, a, b, once);
  int differ = 0;
  for (int n = 0; n < 100; ++n)
  {
    spgemm(exec, plan, a, b, again);
    exec.fence();
    differ += to_host(once) == to_host(again) ? 0 : 1;
  }
  return differ;
}

// What a numeric call makes of A scaled by 2 with a plan made for A as it was.
template <class C, class Plan, class Matrix>
std::string difference_with_new_values(typename C::exec const& exec, Plan const& plan,
                                       Structure const& a_structure, Structure const& b_structure,
                                       Matrix const& a, Matrix const& b)
{
  using Value = typename C::value;
  auto const values = a.values();
  auto const host = Kokkos::create_mirror(values);
  Kokkos::deep_copy(host, values);
  for (std::size_t k = 0; k < host.extent(0); ++k)
    host(k) = Value(2) * host(k);
  Kokkos::deep_copy(values, host);
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c);
  exec.fence();
  return difference(
      reference_product<Value>(a_structure, b_structure, 2.0, plan.op_a(), plan.op_b()), c);
}

// A plan of the named implementation, its call with these and with new values, and the one-shot
// call. On devices a plan that may keep terms is made for one call, too, and does without.
template <class C>
void check_products(Structure const& a_structure, Structure const& b_structure, char const* name,
                    SpgemmOptions options)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  auto const a = make_csr<C>(a_structure);
  auto const b = make_csr<C>(b_structure);
  auto const expected =
      reference_product<Value>(a_structure, b_structure, 1.0, options.op_a, options.op_b);
  INFO(name << ", " << a_structure.name << " times " << b_structure.name);
  options.implementation = name;
  AnySpgemmPlan const plan(exec, a, b, options);
  REQUIRE(std::string(plan.implementation_name()) == name);
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c);
  exec.fence();
  CHECK(difference(expected, c) == "");
  if (!impl::is_host_v<typename C::exec> && options.expected_calls == 0 && !options.reuse)
  {
    SpgemmOptions one_call = options;
    one_call.expected_calls = 1;
    AnySpgemmPlan const for_one(exec, a, b, one_call);
    auto const d = for_one.make_result(exec);
    spgemm(exec, for_one, a, b, d);
    exec.fence();
    CHECK(difference(expected, d) == "");
  }
  CHECK(difference(expected, spgemm_by_name(exec, a, b, options)) == "");
  CHECK(difference_with_new_values<C>(exec, plan, a_structure, b_structure,
                                      make_csr<C>(a_structure), b) == "");
}

template <class C>
void check_spgemm(Structure const& a, Structure const& b, SpgemmOptions const& options)
{
  for (char const* const name : spgemm_names<C>())
    check_products<C>(a, b, name, options);
}

// The accumulator of these options where there are native kernels, and what is taken without it.
template <class C>
void check_accumulator(Structure const& a, Structure const& b, SpgemmOptions const& options)
{
  SpgemmOptions by_default = options;
  by_default.accumulator = SpgemmAccumulator::automatic;
  check_spgemm<C>(a, b, by_default);
  if (has_native_spgemm<C>())
    check_products<C>(a, b, spgemm_names<C>().front(), options);
}

// Every structure times one that fits it.
template <class C>
void check_all_spgemm(SpgemmOptions const& options)
{
  for (Structure const& s : small_structures())
  {
    check_spgemm<C>(s, transposed(s), options);
    if (s.rows == s.cols)
      check_spgemm<C>(s, s, options);
  }
  Structure const tall = structure("tall");
  check_spgemm<C>(tall, shuffled(random_structure("unsorted wide", tall.cols, 5000, 9, 21), 22),
                  options);
}

} // namespace heddle::test
