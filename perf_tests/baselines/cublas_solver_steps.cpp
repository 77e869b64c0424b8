// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cublas.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <cublas_v2.h>

namespace heddle::perf
{

namespace
{

using Scalar = StepVectors::Scalar;

void check(cublasStatus_t status, char const* function)
{
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(function) + ": " + cublasGetStatusString(status));
}

// Factors and sums are in device memory. Lives as long as the CUDA context.
cublasHandle_t handle()
{
  struct Owner
  {
    cublasHandle_t value = nullptr;
    Owner()
    {
      check(cublasCreate(&value), "cublasCreate");
      check(cublasSetStream(value, Exec{}.cuda_stream()), "cublasSetStream");
      check(cublasSetPointerMode(value, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
    }
  };
  static Owner const owner;
  return owner.value;
}

int size(Vector<double> const& x) { return static_cast<int>(x.extent(0)); }

// y = x
void copy(Vector<double> const& x, Vector<double> const& y)
{
  check(cublasDcopy(handle(), size(x), x.data(), 1, y.data(), 1), "cublasDcopy");
}
void dot(Vector<double> const& x, Vector<double> const& y, Scalar const& sum)
{
  check(cublasDdot(handle(), size(x), x.data(), 1, y.data(), 1, sum.data()), "cublasDdot");
}
// y = y + alpha x
void add(Scalar const& alpha, Vector<double> const& x, Vector<double> const& y)
{
  check(cublasDaxpy(handle(), size(x), alpha.data(), x.data(), 1, y.data(), 1), "cublasDaxpy");
}
// x = alpha x
void scale(Scalar const& alpha, Vector<double> const& x)
{
  check(cublasDscal(handle(), size(x), alpha.data(), x.data(), 1), "cublasDscal");
}

// What CG has beside A p and BLAS: quotients of sums, and D r.
struct Factors
{
  Scalar one{"heddle::perf::one"}, alpha{"heddle::perf::alpha"},
      minus_alpha{"heddle::perf::minus_alpha"}, beta{"heddle::perf::beta"};
};
void divide(Factors const& f, StepVectors const& v)
{
  Kokkos::parallel_for(
      "heddle::perf::divide", Kokkos::RangePolicy<Exec>(Exec{}, 0, 1), KOKKOS_LAMBDA(int) {
        f.alpha() = v.rho() / v.p_q();
        f.minus_alpha() = -f.alpha();
      });
}
void divide_next(Factors const& f, StepVectors const& v)
{
  Kokkos::parallel_for(
      "heddle::perf::divide", Kokkos::RangePolicy<Exec>(Exec{}, 0, 1), KOKKOS_LAMBDA(int) {
        f.beta() = v.rho_next() / v.rho();
        v.rho() = v.rho_next();
      });
}
void precondition(StepVectors const& v)
{
  Kokkos::parallel_for(
      "heddle::perf::precondition", Kokkos::RangePolicy<Exec>(Exec{}, 0, v.p.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { v.next(i) = v.d(i) * v.r(i); });
}

void update(Factors const& f, StepVectors const& v)
{
  divide(f, v);
  add(f.alpha, v.p, v.x);
  add(f.minus_alpha, v.q, v.r);
  precondition(v);
  dot(v.r, v.next, v.rho_next);
  divide_next(f, v);
  scale(f.beta, v.p);
  add(f.one, v.next, v.p);
}

Candidate with_cublas(Candidate spmv, std::function<void()> const& run)
{
  spmv.implementation += "+cublas";
  spmv.run = run;
  return spmv;
}

} // namespace

Candidates CuBlas::step(StepProblem const& problem, SpmvFamily const& spmv)
{
  auto const& [step, a, vectors] = problem;
  StepVectors const v = vectors;
  Candidates all;
  if (step == Step::residual)
    for (Candidate& one : spmv({a, Op::none, v.p, v.r, -1.0, 1.0}))
      all.push_back(with_cublas(one, [v, run = one.run] {
        copy(v.b, v.r);
        run();
        dot(v.r, v.r, v.squares);
      }));
  if (step == Step::dot)
    for (Candidate& one : spmv(spmv_of(problem)))
      all.push_back(with_cublas(one, [v, run = one.run] {
        run();
        dot(v.p, v.q, v.p_q);
      }));
  if (step == Step::cg)
  {
    Factors const factors;
    Kokkos::deep_copy(factors.one, 1.0);
    for (Candidate& one : spmv(spmv_of(problem)))
      all.push_back(with_cublas(one, [v, factors, run = one.run] {
        run();
        dot(v.p, v.q, v.p_q);
        update(factors, v);
      }));
  }
  return all;
}

} // namespace heddle::perf
