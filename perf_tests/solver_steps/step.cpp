// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

#include <solver_steps/step.hpp>

namespace heddle::perf
{

namespace
{

// Those of StepVectors.
Kokkos::RangePolicy<Exec> rows_of(StepVectors const& v) { return {Exec{}, 0, v.p.extent(0)}; }

// The inverse of the diagonal, with 1 for 0.
Vector<double> inverse_diagonal(HostMatrix<double> const& a)
{
  Kokkos::View<double*, Kokkos::HostSpace> const d("heddle::perf::d", a.num_rows());
  for (int i = 0; i < a.num_rows(); ++i)
  {
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      if (a.columns()(k) == i)
        d(i) += a.values()(k);
    d(i) = d(i) == 0 ? 1 : 1 / d(i);
  }
  return Kokkos::create_mirror_view_and_copy(Space{}, d);
}

} // namespace

StepVectors::StepVectors(HostMatrix<double> const& a)
    : p("heddle::perf::p", a.num_rows())
    , q("heddle::perf::q", a.num_rows())
    , r("heddle::perf::r", a.num_rows())
    , b("heddle::perf::b", a.num_rows())
    , x("heddle::perf::x", a.num_rows())
    , d(inverse_diagonal(a))
    , next("heddle::perf::next", a.num_rows())
    , p_q("heddle::perf::p_q")
    , rho("heddle::perf::rho")
    , rho_next("heddle::perf::rho_next")
    , squares("heddle::perf::squares")
{}

void StepVectors::reset() const
{
  StepVectors const v = *this;
  Kokkos::parallel_for(
      "heddle::perf::reset", rows_of(v), KOKKOS_LAMBDA(std::size_t n) {
        auto const i = static_cast<std::int64_t>(n);
        v.p(n) = first_p(i);
        v.r(n) = first_r(i);
        v.b(n) = first_b(i);
        v.x(n) = first_x(i);
      });
  Kokkos::deep_copy(Exec{}, rho, first_rho);
}

SpmvProblem<double> spmv_of(StepProblem const& problem)
{
  auto const& [step, a, v] = problem;
  if (step == Step::chebyshev)
    return {a, Op::none, v.p, v.r, -1.0, 1.0};
  return {a, Op::none, v.p, v.q};
}

void run_after_dot(StepVectors const& v)
{
  Kokkos::parallel_reduce(
      "heddle::perf::step", rows_of(v),
      KOKKOS_LAMBDA(std::size_t i, double& sum) {
        double const alpha = v.rho() / v.p_q();
        v.x(i) += alpha * v.p(i);
        double const r = v.r(i) - alpha * v.q(i);
        v.r(i) = r;
        sum += r * v.d(i) * r;
      },
      v.rho_next);
  Kokkos::parallel_for(
      "heddle::perf::step", rows_of(v),
      KOKKOS_LAMBDA(std::size_t i) { v.p(i) = v.d(i) * v.r(i) + v.rho_next() / v.rho() * v.p(i); });
  Kokkos::deep_copy(Exec{}, v.rho, v.rho_next);
}

void run_after_spmv(Step step, StepVectors const& v)
{
  switch (step)
  {
  case Step::dot:
  case Step::cg:
    Kokkos::parallel_reduce(
        "heddle::perf::step", rows_of(v),
        KOKKOS_LAMBDA(std::size_t i, double& sum) { sum += v.p(i) * v.q(i); }, v.p_q);
    if (step == Step::cg)
      run_after_dot(v);
    break;
  case Step::residual:
    Kokkos::parallel_reduce(
        "heddle::perf::step", rows_of(v),
        KOKKOS_LAMBDA(std::size_t i, double& sum) {
          double const r = v.b(i) - v.q(i);
          v.r(i) = r;
          sum += r * r;
        },
        v.squares);
    break;
  case Step::jacobi:
    Kokkos::parallel_for(
        "heddle::perf::step", rows_of(v), KOKKOS_LAMBDA(std::size_t i) {
          v.next(i) = v.p(i) + step_omega * v.d(i) * (v.b(i) - v.q(i));
        });
    break;
  case Step::chebyshev:
    Kokkos::parallel_for(
        "heddle::perf::step", rows_of(v), KOKKOS_LAMBDA(std::size_t i) {
          double const next = step_of_direction * v.p(i) + step_of_residual * v.d(i) * v.r(i);
          v.next(i) = next;
          v.x(i) += next;
        });
    break;
  }
}

} // namespace heddle::perf
