// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coarse matrix R A P of a multigrid method, with R = P^T. Where A gets new values in the same
// pattern, as in a time step or a Newton iteration, only the numeric phases run again.
#include <heddle/convert_coo.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Vector = Kokkos::View<double*, Space>;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Space>;

template <class T>
Kokkos::View<T*, Kokkos::HostSpace> to_view(std::vector<T> const& from)
{
  Kokkos::View<T*, Kokkos::HostSpace> to("to", from.size());
  std::copy(from.begin(), from.end(), to.data());
  return to;
}

// Bilinear interpolation from a grid of every second point to one of n x n points, n odd: entries
// 1, 1/2 and 1/4.
Matrix interpolation(Exec const& exec, int n)
{
  int const coarse = (n - 1) / 2;
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int i = 0; i < coarse; ++i)
    for (int j = 0; j < coarse; ++j)
      for (int di = -1; di <= 1; ++di)
        for (int dj = -1; dj <= 1; ++dj)
        {
          rows.push_back((2 * i + 1 + di) * n + 2 * j + 1 + dj);
          columns.push_back(i * coarse + j);
          values.push_back((di == 0 ? 1.0 : 0.5) * (dj == 0 ? 1.0 : 0.5));
        }
  heddle::CooMatrix<double, int, std::size_t, Kokkos::HostSpace> const entries(
      n * n, coarse * coarse, to_view(rows), to_view(columns), to_view(values));
  return heddle::to_csr(exec, heddle::copy_to(exec, Space{}, entries));
}

void scale(Exec const& exec, double factor, Vector const& values)
{
  Kokkos::parallel_for(
      "example::scale", Kokkos::RangePolicy<Exec>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { values(i) *= factor; });
}

// The largest entry of R A P x - C x, for a vector x that is not smooth.
double difference(Exec const& exec, Matrix const& r, Matrix const& a, Matrix const& p,
                  Matrix const& c)
{
  Vector const x("x", p.num_cols()), px("px", p.num_rows()), apx("apx", a.num_rows()),
      y("y", r.num_rows());
  Kokkos::parallel_for(
      "example::x", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(int i) { x(i) = Kokkos::sin(1.0 * i * i); });
  heddle::spmv(exec, 1.0, p, x, 0.0, px);
  heddle::spmv(exec, 1.0, a, px, 0.0, apx);
  heddle::spmv(exec, 1.0, r, apx, 0.0, y);
  heddle::spmv(exec, -1.0, c, x, 1.0, y);
  double largest = 0;
  Kokkos::parallel_reduce(
      "example::largest", Kokkos::RangePolicy<Exec>(exec, 0, y.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& most) { most = Kokkos::max(most, Kokkos::abs(y(i))); },
      Kokkos::Max<double>(largest));
  return largest;
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  int const n = 63;
  auto const a = heddle::copy_to(exec, Space{}, heddle::gallery("stencil5_63"));
  auto const p = interpolation(exec, n);
  auto const r = heddle::transpose(exec, p);

  // Once for the patterns. The second product is of a matrix that has no values yet.
  heddle::SpgemmPlan const plan_ap(exec, a, p);
  auto const ap = plan_ap.make_result(exec);
  heddle::spgemm(exec, plan_ap, a, p, ap);
  heddle::SpgemmPlan const plan_rap(exec, r, ap);
  auto const rap = plan_rap.make_result(exec);

  double worst = 0;
  for (int step = 0; step < 3; ++step)
  {
    scale(exec, 1.0 + 0.1 * step, a.values()); // new ones at each step, the pattern stays
    heddle::spgemm(exec, plan_ap, a, p, ap);
    heddle::spgemm(exec, plan_rap, r, ap, rap);
    double const error = difference(exec, r, a, p, rap);
    std::printf("step %d: R A P is %d x %d with %zu entries, off by %.1e\n", step, rap.num_rows(),
                rap.num_cols(), rap.nnz(), error);
    worst = Kokkos::max(worst, error);
  }
  return worst < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
