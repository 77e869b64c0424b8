// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of sparse matrices whose values change while their patterns stay: the plan is made
// once, the numeric phase runs for each new set of values.
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Values = Kokkos::View<double*, Exec::memory_space>;

double largest(Exec const& exec, Values const& values)
{
  double result = 0;
  Kokkos::parallel_reduce(
      "example::largest", Kokkos::RangePolicy<Exec>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(std::size_t k, double& most) {
        most = Kokkos::max(most, Kokkos::abs(values(k)));
      },
      Kokkos::Max<double>(result));
  return result;
}

void scale(Exec const& exec, double factor, Values const& values)
{
  Kokkos::parallel_for(
      "example::scale", Kokkos::RangePolicy<Exec>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(std::size_t k) { values(k) *= factor; });
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  auto const a = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("elast3_12"));
  auto const at = heddle::transpose(exec, a);

  heddle::SpgemmPlan const plan(exec, at, a); // the pattern of A^T A
  auto const c = plan.make_result(exec);
  std::printf("%s", plan.describe().c_str());

  heddle::spgemm(exec, plan, at, a, c);
  double const before = largest(exec, c.values());
  scale(exec, 2.0, a.values());
  heddle::spgemm(exec, plan, at, a, c); // new values, same plan
  double const after = largest(exec, c.values());
  std::printf("largest entry of A^T A: %g, of A^T (2 A): %g\n", before, after);
  return after == 2.0 * before ? EXIT_SUCCESS : EXIT_FAILURE;
}
