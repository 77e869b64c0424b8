// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

#include <multigrid/chebyshev.hpp>

namespace heddle::perf
{

void chebyshev_step(ChebyshevFactors const& factors, SmootherVectors const& vectors)
{
  MultigridVector const d = vectors.d, x = vectors.x, r = vectors.r, z = vectors.z;
  double const keep = factors.of_direction(), add = factors.of_residual();
  Kokkos::parallel_for(
      "heddle::perf::chebyshev", Kokkos::RangePolicy<Exec>(Exec{}, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) {
        z(i) = keep * z(i) + add * d(i) * r(i);
        x(i) += z(i);
      });
}

LevelOperator separate_operator(LinearMap const& multiply)
{
  auto const residual = [=](MultigridVector const& b, MultigridVector const& x,
                            MultigridVector const& r) {
    Kokkos::deep_copy(Exec{}, r, b);
    multiply(-1, x, 1, r);
  };
  auto const smooth = [=](ChebyshevSteps const& steps, SmootherVectors const& vectors) {
    ChebyshevFactors factors(steps);
    for (int step = 0; step < steps.count; ++step)
    {
      chebyshev_step(factors, vectors);
      if (step + 1 < steps.count || steps.updates_residual)
        multiply(-1, vectors.z, 1, vectors.r);
      factors.advance();
    }
  };
  return {multiply, residual, smooth};
}

} // namespace heddle::perf
