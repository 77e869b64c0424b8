// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of BSR with Kokkos' 16-bit types on hosts, where they are float unless the build has a
// device; their kernels on one are tested beside its other native kernels.

#include <heddle/error.hpp>
#include <heddle/spmm.hpp>
#include <support/conversions.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

namespace heddle::test
{

namespace
{

using Half = Kokkos::Experimental::half_t;
using Bhalf = Kokkos::Experimental::bhalf_t;
using HostHalves =
    std::tuple<Case<Host, Half, int, std::size_t>, Case<Host, Bhalf, int, std::size_t>>;

static_assert(std::is_same_v<accumulator_t<Half>, float>);
static_assert(std::is_same_v<accumulator_t<Bhalf, Half>, float>);
static_assert(std::is_same_v<accumulator_t<Half, double>, double>);
static_assert(impl::is_own_accumulator_v<Half> == std::is_same_v<Half, float>);
static_assert(impl::is_own_accumulator_v<float>);

// What a plan says that is asked for tensor cores.
template <class Matrix>
std::string refusal(Matrix const& a)
{
  return message_of<Unsupported>(
      [&] { SpmmPlan(Host{}, a, {.implementation = "cuda_native::bsr_tensor"}); });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("spmm of BSR with 16-bit values is right on hosts", "[spmm][bsr][half]",
                        HostHalves)
{
  using Value = typename TestType::value;
  Structure const& s = structure("unsorted");
  Host const exec{};
  auto const a = to_bsr(exec, make_csr<TestType>(s), {3, 2}, no_limit);
  for (std::int64_t const k : {1, 21})
  {
    Kokkos::View<Value**, Kokkos::LayoutRight, Host> const b("b", s.cols, k);
    Kokkos::View<float**, Kokkos::LayoutRight, Host> const c("c", s.rows, k);
    fill_input(b);
    fill_output(c, true);
    heddle::spmm(exec, 2.0F, a, b, 0.0F, c);
    exec.fence();
    CHECK(first_difference_in(
              reference_multiply<Value, Value, float>(s, heddle::Op::none, 2.0F, k, 0.0F), c) ==
          "");
  }
}

TEMPLATE_LIST_TEST_CASE("hosts have no tensor cores to ask for", "[spmm][bsr][half]", HostHalves)
{
  auto const a = to_bsr(Host{}, make_csr<TestType>(structure("blocked")), {3, 3});
  std::string const message = refusal(a);
  CHECK(message.find("heddle::spmm: no implementation named cuda_native::bsr_tensor for backend "
                     "automatic; built for these types: ") == 0);
  CHECK(message.find("portable::bsr_team") != std::string::npos);
}
