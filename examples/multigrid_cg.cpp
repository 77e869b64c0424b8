// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients preconditioned by smoothed aggregation (Vanek, Mandel and Brezina, Computing
// 56, 1996), all of it where exec computes. Takes the name of a matrix of the gallery.
#include <heddle/aggregate.hpp>
#include <heddle/copy.hpp>
#include <heddle/diagonal.hpp>
#include <heddle/epilogues.hpp>
#include <heddle/filter.hpp>
#include <heddle/gallery.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/row_norms.hpp>
#include <heddle/spmv.hpp>
#include <heddle/triple_product.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Vector = Kokkos::View<double*, Space>;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Space>;
using Plan = decltype(heddle::SpmvPlan(Exec{}, Matrix{}));

double dot(Vector const& x, Vector const& y)
{
  auto const add = KOKKOS_LAMBDA(std::size_t i, double& sum) { sum += x(i) * y(i); };
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), add, sum);
  return sum;
}

struct Level
{
  Matrix a, p; // p prolongates to the level before
  Plan a_plan, p_plan;
  Vector d, x, b, r, z, next_z; // d is the inverse of the diagonal
  double largest;               // no eigenvalue of D^-1 A is larger (Gershgorin)
};

Level make_level(Exec const& exec, Matrix const& a, Matrix const& p)
{
  std::size_t const n = a.num_rows();
  Vector const d("d", n), x("x", n), b("b", n), r("r", n), z("z", n), next_z("next_z", n);
  heddle::diagonal(exec, a, d);
  heddle::row_norms(exec, a, heddle::Norm::one, r);
  auto const invert = KOKKOS_LAMBDA(std::size_t i, double& most)
  {
    d(i) = 1 / d(i);
    most = Kokkos::max(most, r(i) * d(i));
  };
  double largest = 0;
  Kokkos::parallel_reduce(n, invert, Kokkos::Max<double>(largest));
  return {a, p, Plan(exec, a), Plan(exec, p), d, x, b, r, z, next_z, largest};
}

std::vector<Level> make_levels(Exec const& exec, Matrix const& a)
{
  std::vector<Level> levels{make_level(exec, a, {})};
  double threshold = 0.02; // of a strong connection, halved from level to level
  for (; levels.back().a.num_rows() > 100 && levels.size() < 20; threshold /= 2)
  {
    Level const& fine = levels.back();
    Matrix const strong = heddle::filter(exec, fine.a, threshold);
    Matrix const tentative = heddle::aggregate(exec, strong);
    auto const p = heddle::jacobi_product(exec, 4 / (3 * fine.largest), fine.d, fine.a, tentative);
    auto const coarse =
        heddle::triple_product(exec, p, fine.a, p, {.op_a = heddle::Op::transpose}); // P^T A P
    levels.push_back(make_level(exec, coarse, p));
  }
  return levels;
}

// x <- x + q(D^-1 A) D^-1 r and r <- r - A (the change of x), q the Chebyshev polynomial for
// eigenvalues from largest / ratio to largest (Saad, Iterative Methods, 2003, algorithm 12.1). Each
// step but the first goes with the SpMV before it.
void smooth(Exec const& exec, Level const& level, int steps, double ratio)
{
  Vector const x = level.x, r = level.r, d = level.d;
  Vector z = level.z, next_z = level.next_z;
  double const middle = level.largest * (1 + 1 / ratio) / 2, half = level.largest - middle;
  auto const first_step = KOKKOS_LAMBDA(std::size_t i)
  {
    z(i) = d(i) * r(i) / middle;
    x(i) += z(i);
  };
  Kokkos::parallel_for(x.extent(0), first_step);
  double rho = half / middle;
  for (int step = 1; step < steps; ++step)
  {
    double const next = 1 / (2 * middle / half - rho);
    heddle::spmv(exec, level.a_plan, 1.0, level.a, z, 0.0, next_z,
                 heddle::epilogues::ChebyshevStep{next * rho, 2 * next / half, d, r, z, x});
    Kokkos::kokkos_swap(z, next_z);
    rho = next;
  }
  heddle::spmv(exec, level.a_plan, -1.0, level.a, z, 1.0, r);
}

// x of the finest level <- what one V-cycle from x = 0 makes of its b
void cycle(Exec const& exec, std::vector<Level> const& levels)
{
  for (std::size_t at = 0; at < levels.size(); ++at)
  {
    Level const& fine = levels[at];
    Kokkos::deep_copy(exec, fine.x, 0.0);
    Kokkos::deep_copy(exec, fine.r, fine.b);
    bool const is_coarsest = at + 1 == levels.size();
    smooth(exec, fine, is_coarsest ? 40 : 2, is_coarsest ? 1000 : 20);
    if (is_coarsest)
      break;
    Level const& coarse = levels[at + 1];
    heddle::spmv(exec, coarse.p_plan, heddle::Op::transpose, 1.0, coarse.p, fine.r, 0.0, coarse.b);
  }
  for (std::size_t at = levels.size() - 1; at > 0; --at)
  {
    Level const &fine = levels[at - 1], &coarse = levels[at];
    heddle::spmv(exec, coarse.p_plan, 1.0, coarse.p, coarse.x, 1.0, fine.x);
    Kokkos::deep_copy(exec, fine.r, fine.b);
    heddle::spmv(exec, fine.a_plan, -1.0, fine.a, fine.x, 1.0, fine.r);
    smooth(exec, fine, 2, 20);
  }
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  auto const a =
      heddle::copy_to(exec, Space{}, heddle::gallery(argc > 1 ? argv[1] : "stencil7_32"));
  auto const levels = make_levels(exec, a);
  for (Level const& level : levels)
    std::printf("%d rows, %zu entries\n", level.a.num_rows(), level.a.nnz());

  std::size_t const n = a.num_rows();
  Vector const x("x", n), p("p", n), q("q", n), r = levels[0].b, z = levels[0].x;
  Kokkos::deep_copy(exec, r, 1.0); // the right-hand side, since x = 0
  double const start = Kokkos::sqrt(dot(r, r));
  double rho = 0, residual = 1;
  int iterations = 0;
  for (; iterations < 25 && residual > 1e-8; ++iterations)
  {
    cycle(exec, levels); // z <- preconditioned r
    double const rho_next = dot(r, z), beta = iterations == 0 ? 0 : rho_next / rho;
    rho = rho_next;
    Kokkos::parallel_for(
        n, KOKKOS_LAMBDA(std::size_t i) { p(i) = z(i) + beta * p(i); });
    heddle::spmv(exec, levels[0].a_plan, 1.0, a, p, 0.0, q);
    double const alpha = rho / dot(p, q);
    auto const step = KOKKOS_LAMBDA(std::size_t i)
    {
      x(i) += alpha * p(i);
      r(i) -= alpha * q(i);
    };
    Kokkos::parallel_for(n, step);
    residual = Kokkos::sqrt(dot(r, r)) / start;
  }
  Kokkos::deep_copy(exec, q, 1.0);
  heddle::spmv(exec, levels[0].a_plan, -1.0, a, x, 1.0, q);
  residual = Kokkos::sqrt(dot(q, q)) / start; // the true one
  std::printf("%d iterations, relative residual %.1e\n", iterations, residual);
  return residual < 1.1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
