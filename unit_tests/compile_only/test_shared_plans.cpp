// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans as applications hold them: made by std::make_shared. nvcc 13.0 parses what such a template
// of a system header instantiates in another way than what is instantiated here.

#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <memory>

namespace
{

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = heddle::CsrMatrix<double, int, int, Exec::memory_space>;

template <class Plan>
void check_shared(Matrix const& a)
{
  auto const plan = std::make_shared<Plan>(Exec{}, a);
  CHECK(plan->matches(Exec{}, a));
}

} // namespace

TEST_CASE("plans can be made by std::make_shared", "[compile_only]")
{
  Matrix const a;
  check_shared<decltype(heddle::SpmvPlan(Exec{}, a))>(a);
  check_shared<decltype(heddle::SpmmPlan(Exec{}, a))>(a);
  auto const product = std::make_shared<decltype(heddle::SpgemmPlan(Exec{}, a, a))>(Exec{}, a, a);
  CHECK(product->matches(Exec{}, a, a));
}
