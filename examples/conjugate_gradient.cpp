// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves a Poisson problem with conjugate gradients, first for one right-hand side by SpMV, then
// for four at once by SpMM, which reads the matrix once for all of them.
#include <heddle/copy.hpp>
#include <heddle/epilogues.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::memory_space>;
using Scalar = Kokkos::View<double, Exec::memory_space>;
using Columns = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space>;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Exec::memory_space>;

constexpr double tolerance = 1e-20; // of squared residuals, relative to the first
constexpr int most_iterations = 500;

double dot(Exec const& exec, Vector const& x, Vector const& y)
{
  double sum = 0;
  Kokkos::parallel_reduce(
      "example::dot", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& partial) { partial += x(i) * y(i); }, sum);
  return sum;
}

// One right-hand side of ones; the residual ||b - A x|| / ||b||. Dot products come with the SpMV
// and stay where exec computes, so that an iteration waits once, to see whether it was the last.
double solve_one(Exec const& exec, Matrix const& a)
{
  namespace epilogues = heddle::epilogues;
  heddle::SpmvPlan const plan(exec, a);
  std::printf("%s", plan.describe().c_str());

  Vector const x("x", a.num_rows()), b("b", a.num_rows()), r("r", a.num_rows()),
      p("p", a.num_rows()), q("q", a.num_rows());
  Kokkos::deep_copy(exec, b, 1.0);
  Kokkos::deep_copy(exec, r, b); // since x = 0
  Kokkos::deep_copy(exec, p, b);
  Scalar const p_q("p_q"), rho("rho"), rho_next("rho_next");
  double const start = dot(exec, b, b);
  Kokkos::deep_copy(exec, rho, start);
  double squares = start; // of r
  int iterations = 0;
  for (; iterations < most_iterations && squares > tolerance * start; ++iterations)
  {
    // q <- A p, and p_q <- p^T q
    heddle::spmv(exec, plan, 1.0, a, p, 0.0, q, epilogues::Dot{p, p_q});
    Kokkos::parallel_reduce(
        "example::update", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
        KOKKOS_LAMBDA(std::size_t i, double& sum) {
          double const alpha = rho() / p_q();
          x(i) += alpha * p(i);
          r(i) -= alpha * q(i);
          sum += r(i) * r(i);
        },
        rho_next);
    Kokkos::parallel_for(
        "example::direction", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
        KOKKOS_LAMBDA(std::size_t i) { p(i) = r(i) + rho_next() / rho() * p(i); });
    Kokkos::deep_copy(exec, rho, rho_next);
    Kokkos::deep_copy(exec, squares, rho_next);
    exec.fence();
  }
  // The true residual: q <- b - A x, and its norm.
  heddle::spmv(exec, plan, -1.0, a, x, 0.0, q,
               epilogues::Then{epilogues::AddVector{1.0, b}, epilogues::SquaredNorm{rho}});
  Kokkos::deep_copy(exec, squares, rho);
  exec.fence();
  double const residual = std::sqrt(squares / start);
  std::printf("1 right-hand side: %d iterations, relative residual %.1e\n", iterations, residual);
  return residual;
}

// sums(j) <- the dot product of the columns j of x and y
void dot_of_columns(Exec const& exec, Columns const& x, Columns const& y, Vector const& sums)
{
  using Teams = Kokkos::TeamPolicy<Exec>;
  Kokkos::parallel_for(
      "example::dot_of_columns", Teams(exec, static_cast<int>(sums.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(Teams::member_type const& team) {
        int const j = team.league_rank();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, x.extent(0)),
            [&](std::size_t i, double& partial) { partial += x(i, j) * y(i, j); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(j) = sum; });
      });
}

// The largest of x(j) / y(j).
double largest_ratio(Exec const& exec, Vector const& x, Vector const& y)
{
  double largest = 0;
  Kokkos::parallel_reduce(
      "example::largest_ratio", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t j, double& most) { most = Kokkos::max(most, x(j) / y(j)); },
      Kokkos::Max<double>(largest));
  return largest;
}

// The columns of b are right-hand sides: each has a recurrence of its own, and A is read once per
// iteration for all. The largest residual.
double solve_several(Exec const& exec, Matrix const& a, Columns const& b)
{
  int const n = static_cast<int>(b.extent(0)), k = static_cast<int>(b.extent(1));
  heddle::SpmmPlan const plan(exec, a);

  Columns const x("x", n, k), r("r", n, k), p("p", n, k), q("q", n, k);
  Vector const start("start", k), rho("rho", k), rho_next("rho_next", k), p_q("p_q", k);
  Kokkos::deep_copy(exec, r, b);
  Kokkos::deep_copy(exec, p, b);
  dot_of_columns(exec, r, r, start);
  Kokkos::deep_copy(exec, rho, start);
  Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>> const all(exec, {0, 0}, {n, k});
  int iterations = 0;
  for (; iterations < most_iterations && largest_ratio(exec, rho, start) > tolerance; ++iterations)
  {
    heddle::spmm(exec, plan, 1.0, a, p, 0.0, q); // Q <- A P
    dot_of_columns(exec, p, q, p_q);
    Kokkos::parallel_for(
        "example::update_columns", all, KOKKOS_LAMBDA(int i, int j) {
          // A column that has converged rests, so that nothing is divided by zero.
          double const alpha = rho(j) > tolerance * start(j) ? rho(j) / p_q(j) : 0;
          x(i, j) += alpha * p(i, j);
          r(i, j) -= alpha * q(i, j);
        });
    dot_of_columns(exec, r, r, rho_next);
    Kokkos::parallel_for(
        "example::add_columns", all, KOKKOS_LAMBDA(int i, int j) {
          double const beta = rho(j) > tolerance * start(j) ? rho_next(j) / rho(j) : 0;
          p(i, j) = r(i, j) + beta * p(i, j);
        });
    Kokkos::deep_copy(exec, rho, rho_next);
  }
  Kokkos::deep_copy(exec, q, b);
  heddle::spmm(exec, plan, -1.0, a, x, 1.0, q);
  dot_of_columns(exec, q, q, rho);
  double const residual = std::sqrt(largest_ratio(exec, rho, start));
  std::printf("%d right-hand sides: %d iterations, largest relative residual %.1e\n", k, iterations,
              residual);
  return residual;
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  // A 7-point stencil on a 40 x 40 x 40 grid, brought to where exec computes.
  auto const a = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("stencil7_40"));
  Columns const b("b", a.num_rows(), 4);
  Kokkos::parallel_for(
      "example::right_hand_sides",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(exec, {0, 0}, {a.num_rows(), 4}),
      KOKKOS_LAMBDA(int i, int j) { b(i, j) = 1.0 / (1 + (i * j) % 7); }); // column 0 has ones
  double const one = solve_one(exec, a), several = solve_several(exec, a, b);
  return one < 1e-9 && several < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
