// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/stopwatch.hpp>
#include <heddle/aggregate.hpp>
#include <heddle/diagonal.hpp>
#include <heddle/filter.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_norms.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <utility>

#include <multigrid/hierarchy.hpp>

namespace heddle::perf
{

namespace
{

using Vector = MultigridVector;

constexpr double strong = 0.02; // on the finest level, halved from level to level
constexpr int smallest = 100;   // rows of an operator that no coarser one follows
constexpr std::size_t most_levels = 20;

template <class Body>
void for_each(std::size_t n, Body const& body)
{
  Kokkos::parallel_for("heddle::perf::multigrid", Kokkos::RangePolicy<Exec>(Exec{}, 0, n), body);
}

double dot(Vector const& x, Vector const& y)
{
  double sum = 0;
  Kokkos::parallel_reduce(
      "heddle::perf::dot", Kokkos::RangePolicy<Exec>(Exec{}, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& part) { part += x(i) * y(i); }, sum);
  return sum;
}

// d = the inverse of the diagonal; returns the largest sum of absolute values in a row of D^-1 A.
// norms is scratch.
double invert_diagonal(MultigridMatrix const& a, Vector const& d, Vector const& norms)
{
  diagonal(Exec{}, a, d);
  row_norms(Exec{}, a, Norm::one, norms);
  double least = 0, largest = 0;
  Kokkos::Min<double> const min(least);
  Kokkos::Max<double> const max(largest);
  Kokkos::parallel_reduce(
      "heddle::perf::invert_diagonal", Kokkos::RangePolicy<Exec>(Exec{}, 0, d.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& low, double& high) {
        low = Kokkos::min(low, d(i));
        d(i) = 1 / d(i);
        high = Kokkos::max(high, norms(i) * d(i));
      },
      min, max);
  impl::require(least > 0 || d.extent(0) == 0, "perf", "a diagonal entry is ", least,
                ": multigrid needs a symmetric positive definite matrix");
  return largest;
}

// Chebyshev iteration for eigenvalues of D^-1 A from largest / ratio to largest (Saad, Iterative
// Methods for Sparse Linear Systems, 2003, algorithm 12.1), with r = b - A x before and after.
void smooth(MultigridLevel const& level, int steps, double ratio)
{
  Vector const x = level.x, r = level.r, z = level.z, d = level.d;
  double const middle = level.largest * (1 + 1 / ratio) / 2, half = level.largest - middle;
  double rho = half / middle, keep = 0, add = 1 / middle;
  for (int step = 0; step < steps; ++step)
  {
    for_each(
        x.extent(0), KOKKOS_LAMBDA(std::size_t i) {
          z(i) = keep * z(i) + add * d(i) * r(i);
          x(i) += z(i);
        });
    level.multiply(-1, z, 1, r);
    double const next = 1 / (2 * middle / half - rho);
    keep = next * rho;
    add = 2 * next / half;
    rho = next;
  }
}

// p = z + beta p.
void next_direction(Vector const& z, double beta, Vector const& p)
{
  for_each(
      p.extent(0), KOKKOS_LAMBDA(std::size_t i) { p(i) = z(i) + beta * p(i); });
}

// x += alpha p, r -= alpha q.
void step_along(double alpha, Vector const& p, Vector const& q, Vector const& x, Vector const& r)
{
  for_each(
      x.extent(0), KOKKOS_LAMBDA(std::size_t i) {
        x(i) += alpha * p(i);
        r(i) -= alpha * q(i);
      });
}

double damping(MultigridLevel const& level) { return 4 / (3 * level.largest); }

} // namespace

Hierarchy::Hierarchy(MultigridLibrary library, MultigridMatrix const& a)
    : m_library(std::move(library))
{
  m_times.whole_ms = host_milliseconds(Exec{}, [&] {
    add_level(a);
    for (double threshold = strong;
         m_levels.back().a.num_rows() > smallest && m_levels.size() < most_levels; threshold /= 2)
    {
      MultigridLevel& fine = m_levels.back();
      auto const tentative = aggregate(Exec{}, filter(Exec{}, fine.a, threshold));
      if (tentative.num_cols() == fine.a.num_rows())
        break;
      timed_product([&] {
        fine.prolongator = m_library.prolongator(damping(fine), fine.d, fine.a, tentative);
        fine.coarse = m_library.coarse_operator(fine.a, fine.prolongator.p);
      });
      fine.prolongation = m_library.map(fine.prolongator.p);
      add_level(MultigridMatrix(fine.coarse.a));
    }
  });
}

void Hierarchy::add_level(MultigridMatrix const& a)
{
  std::size_t const n = a.num_rows();
  auto const vector = [n](char const* label) { return Vector(label, n); };
  MultigridLevel level{.a = a,
                       .multiply = m_library.map(a),
                       .d = vector("d"),
                       .x = vector("x"),
                       .b = vector("b"),
                       .r = vector("r"),
                       .z = vector("z"),
                       .prolongator = {},
                       .coarse = {},
                       .prolongation = {}};
  level.largest = invert_diagonal(a, level.d, level.r);
  m_levels.push_back(std::move(level));
}

void Hierarchy::renew()
{
  m_times.products_ms = 0;
  m_times.whole_ms = host_milliseconds(Exec{}, [&] {
    for (std::size_t n = 0; n < m_levels.size(); ++n)
    {
      MultigridLevel& level = m_levels[n];
      level.largest = invert_diagonal(level.a, level.d, level.r);
      if (n + 1 < m_levels.size())
        timed_product([&] {
          level.prolongator.compute(damping(level));
          level.coarse.compute();
        });
    }
  });
}

void Hierarchy::timed_product(std::function<void()> const& product)
{
  m_times.products_ms += host_milliseconds(Exec{}, product);
}

void Hierarchy::cycle() const
{
  for (std::size_t at = 0; at < m_levels.size(); ++at)
  {
    MultigridLevel const& fine = m_levels[at];
    Kokkos::deep_copy(Exec{}, fine.x, 0.0);
    Kokkos::deep_copy(Exec{}, fine.r, fine.b);
    bool const is_coarsest = at + 1 == m_levels.size();
    smooth(fine, is_coarsest ? 40 : 2, is_coarsest ? 1000 : 20);
    if (!is_coarsest)
      fine.coarse.restriction(1, fine.r, 0, m_levels[at + 1].b);
  }
  for (std::size_t at = m_levels.size() - 1; at > 0; --at)
  {
    MultigridLevel const& fine = m_levels[at - 1];
    fine.prolongation(1, m_levels[at].x, 1, fine.x);
    Kokkos::deep_copy(Exec{}, fine.r, fine.b);
    fine.multiply(-1, fine.x, 1, fine.r);
    smooth(fine, 2, 20);
  }
}

double Hierarchy::operator_complexity() const
{
  double entries = 0;
  for (MultigridLevel const& level : m_levels)
    entries += static_cast<double>(level.a.nnz());
  return entries / static_cast<double>(m_levels.front().a.nnz());
}

CgResult solve(Hierarchy const& hierarchy, Vector const& b, Vector const& x, double tolerance,
               int most_iterations)
{
  MultigridLevel const& finest = hierarchy.finest();
  Vector const r = finest.b, z = finest.x;
  Vector const p("p", x.extent(0)), q("q", x.extent(0));
  Kokkos::deep_copy(Exec{}, x, 0.0);
  Kokkos::deep_copy(Exec{}, r, b);
  double const start = std::sqrt(dot(r, r));
  CgResult result{.iterations = 0, .residual = start > 0 ? 1.0 : 0.0};
  double rho = 0;
  while (result.iterations < most_iterations && result.residual > tolerance)
  {
    hierarchy.cycle();
    double const rho_next = dot(r, z);
    next_direction(z, result.iterations == 0 ? 0 : rho_next / rho, p);
    rho = rho_next;
    finest.multiply(1, p, 0, q);
    step_along(rho / dot(p, q), p, q, x, r);
    result.residual = std::sqrt(dot(r, r)) / start;
    ++result.iterations;
  }
  return result;
}

} // namespace heddle::perf
