// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/operands.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/aggregate.hpp>
#include <heddle/block_norms.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/diagonal.hpp>
#include <heddle/filter.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_norms.hpp>
#include <heddle/tentative_prolongator.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// d = the inverse of the diagonal, or 0 in rows of zeros, which coarse levels have where modes
// depend on each other; returns the largest sum of absolute values in a row of D^-1 A. norms is
// scratch.
double invert_diagonal(MultigridMatrix const& a, Vector const& d, Vector const& norms,
                       bool is_finest)
{
  diagonal(Exec{}, a, d);
  row_norms(Exec{}, a, Norm::one, norms);
  double least = 0, largest = 0;
  Kokkos::Min<double> const min(least);
  Kokkos::Max<double> const max(largest);
  Kokkos::parallel_reduce(
      "heddle::perf::invert_diagonal", Kokkos::RangePolicy<Exec>(Exec{}, 0, d.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& low, double& high) {
        bool const is_zero = norms(i) == 0 && !is_finest;
        low = Kokkos::min(low, is_zero ? low : d(i));
        d(i) = is_zero ? 0 : 1 / d(i);
        high = Kokkos::max(high, norms(i) * d(i));
      },
      min, max);
  impl::require(least > 0 || d.extent(0) == 0, "perf", "a diagonal entry is ", least,
                ": multigrid needs a symmetric positive definite matrix");
  return largest;
}

// An estimate of the largest eigenvalue of D^-1 A by power iteration, a tenth larger: as MueLu's
// Chebyshev smoother has it by default (10 steps, "chebyshev: boost factor" 1.1).
double estimated_largest(LinearMap const& multiply, SmootherVectors const& vectors)
{
  Vector const d = vectors.d, v = vectors.z, w = vectors.r;
  for_each(
      d.extent(0), KOKKOS_LAMBDA(std::size_t i) {
        v(i) = d(i) > 0 ? 1 + seeded(static_cast<std::int64_t>(i), 0, 1) : 0;
      });
  double estimate = 0;
  for (int step = 0; step < 10; ++step)
  {
    multiply(1, v, 0, w);
    double energy = 0, squares = 0;
    Kokkos::parallel_reduce(
        "heddle::perf::rayleigh_quotient", Kokkos::RangePolicy<Exec>(Exec{}, 0, d.extent(0)),
        KOKKOS_LAMBDA(std::size_t i, double& above, double& below) {
          above += v(i) * w(i);
          below += d(i) > 0 ? v(i) * v(i) / d(i) : 0;
        },
        energy, squares);
    estimate = squares > 0 ? energy / squares : 0;
    double const scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
    for_each(
        d.extent(0), KOKKOS_LAMBDA(std::size_t i) { v(i) = scale * d(i) * w(i); });
  }
  return 1.1 * estimate;
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

// The tentative prolongator of a level, or none where its rows or nodes are all apart. nullspace
// becomes that of the next level.
std::optional<MultigridMatrix> tentative_of(MultigridMatrix const& a, double threshold,
                                            NearNullspace& nullspace)
{
  if (nullspace.modes.extent(1) == 0)
  {
    auto const tentative = aggregate(Exec{}, filter(Exec{}, a, threshold));
    return tentative.num_cols() < a.num_rows() ? std::optional(tentative) : std::nullopt;
  }
  int const rows = nullspace.rows_of_node;
  auto const nodes = block_norms(Exec{}, to_bsr(Exec{}, a, {rows, rows}));
  auto const aggregates = aggregate(Exec{}, filter(Exec{}, nodes, threshold));
  if (aggregates.num_cols() == aggregates.num_rows())
    return std::nullopt;
  auto const [p, modes] = tentative_prolongator(Exec{}, aggregates, nullspace.modes);
  nullspace = {static_cast<int>(modes.extent(1)), modes};
  return p;
}

} // namespace

Hierarchy::Hierarchy(MultigridLibrary library, MultigridMatrix const& a, NearNullspace nullspace)
    : m_library(std::move(library))
    , m_has_modes(nullspace.modes.extent(1) > 0)
{
  m_times.whole_ms = host_milliseconds(Exec{}, [&] {
    add_level(a);
    for (double threshold = strong;
         m_levels.back().a.num_rows() > smallest && m_levels.size() < most_levels; threshold /= 2)
    {
      MultigridLevel& fine = m_levels.back();
      auto const tentative = tentative_of(fine.a, threshold, nullspace);
      if (!tentative)
        break;
      timed_product([&] {
        fine.prolongator = m_library.prolongator(damping(fine), fine.vectors.d, fine.a, *tentative);
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
  MultigridLevel level{
      .a = a,
      .op = m_library.level_operator ? m_library.level_operator(a)
                                     : separate_operator(m_library.map(a)),
      .b = vector("b"),
      .vectors = {vector("d"), vector("x"), vector("r"), vector("z"), vector("next_z")},
      .prolongator = {},
      .coarse = {},
      .prolongation = {}};
  find_largest(level, m_levels.empty());
  m_levels.push_back(std::move(level));
}

// Rows of elasticity have many entries of both signs, of which Gershgorin's bound makes too much.
void Hierarchy::find_largest(MultigridLevel& level, bool is_finest) const
{
  level.largest = invert_diagonal(level.a, level.vectors.d, level.vectors.r, is_finest);
  if (m_has_modes)
    level.largest = std::min(level.largest, estimated_largest(level.op.multiply, level.vectors));
}

void Hierarchy::renew()
{
  m_times.products_ms = 0;
  m_times.whole_ms = host_milliseconds(Exec{}, [&] {
    for (std::size_t n = 0; n < m_levels.size(); ++n)
    {
      MultigridLevel& level = m_levels[n];
      find_largest(level, n == 0);
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
    Kokkos::deep_copy(Exec{}, fine.vectors.x, 0.0);
    Kokkos::deep_copy(Exec{}, fine.vectors.r, fine.b);
    bool const is_coarsest = at + 1 == m_levels.size();
    fine.op.smooth({is_coarsest ? 40 : 2, fine.largest, is_coarsest ? 1000.0 : 20.0, !is_coarsest},
                   fine.vectors);
    if (!is_coarsest)
      fine.coarse.restriction(1, fine.vectors.r, 0, m_levels[at + 1].b);
  }
  for (std::size_t at = m_levels.size() - 1; at > 0; --at)
  {
    MultigridLevel const& fine = m_levels[at - 1];
    fine.prolongation(1, m_levels[at].vectors.x, 1, fine.vectors.x);
    fine.op.residual(fine.b, fine.vectors.x, fine.vectors.r);
    fine.op.smooth({2, fine.largest, 20, false}, fine.vectors);
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
  Vector const r = finest.b, z = finest.vectors.x;
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
    finest.op.multiply(1, p, 0, q);
    step_along(rho / dot(p, q), p, q, x, r);
    result.residual = std::sqrt(dot(r, r)) / start;
    ++result.iterations;
  }
  return result;
}

} // namespace heddle::perf
