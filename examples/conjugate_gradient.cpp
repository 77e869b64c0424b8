// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves a Poisson problem with conjugate gradients: one plan for the matrix, used in every
// iteration.
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::memory_space>;

double dot(Exec const& exec, Vector const& x, Vector const& y)
{
  double sum = 0;
  Kokkos::parallel_reduce(
      "example::dot", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& partial) { partial += x(i) * y(i); }, sum);
  return sum;
}

// y <- x + a y
void add(Exec const& exec, Vector const& x, double a, Vector const& y)
{
  Kokkos::parallel_for(
      "example::add", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { y(i) = x(i) + a * y(i); });
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  // A 7-point stencil on a 40 x 40 x 40 grid, brought to where exec computes.
  auto const a = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("stencil7_40"));
  heddle::SpmvPlan const plan(exec, a);
  std::printf("%s", plan.describe().c_str());

  Vector const x("x", a.num_rows()), r("r", a.num_rows()), p("p", a.num_rows()),
      q("q", a.num_rows());
  Kokkos::deep_copy(exec, r, 1.0); // the right-hand side, since x = 0
  Kokkos::deep_copy(exec, p, r);
  double const start = dot(exec, r, r);
  double rho = start;
  int iterations = 0;
  for (; iterations < 500 && rho > 1e-20 * start; ++iterations)
  {
    heddle::spmv(exec, plan, 1.0, a, p, 0.0, q); // q <- A p
    double const alpha = rho / dot(exec, p, q);
    Kokkos::parallel_for(
        "example::update", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
        KOKKOS_LAMBDA(std::size_t i) {
          x(i) += alpha * p(i);
          r(i) -= alpha * q(i);
        });
    double const rho_next = dot(exec, r, r);
    add(exec, r, rho_next / rho, p);
    rho = rho_next;
  }
  // The true residual b - A x.
  Kokkos::deep_copy(exec, q, 1.0);
  heddle::spmv(exec, plan, -1.0, a, x, 1.0, q);
  double const residual = std::sqrt(dot(exec, q, q) / start);
  std::printf("%d iterations, relative residual %.1e\n", iterations, residual);
  return residual < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
