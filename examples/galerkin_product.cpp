// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coarse matrix P^T A P of a multigrid method. Where A gets new values in the same pattern, as
// in a time step or a Newton iteration, only the numeric phases run again.
#include <heddle/convert_coo.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv.hpp>
#include <heddle/triple_product.hpp>

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

// The largest entry of P^T A P x - C x, for a vector x that is not smooth.
double difference(Exec const& exec, Matrix const& a, Matrix const& p, Matrix const& c)
{
  Vector const x("x", p.num_cols()), px("px", p.num_rows()), apx("apx", a.num_rows()),
      y("y", p.num_cols());
  Kokkos::parallel_for(
      "example::x", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(int i) { x(i) = Kokkos::sin(1.0 * i * i); });
  heddle::spmv(exec, 1.0, p, x, 0.0, px);
  heddle::spmv(exec, 1.0, a, px, 0.0, apx);
  heddle::spmv(exec, heddle::Op::transpose, 1.0, p, apx, 0.0, y);
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

  // Once for the patterns. R is P^T, which nobody has to form.
  heddle::TripleProductPlan const plan(exec, p, a, p, {.op_a = heddle::Op::transpose});
  auto const coarse = plan.make_result(exec);

  double worst = 0;
  for (int step = 0; step < 3; ++step)
  {
    scale(exec, 1.0 + 0.1 * step, a.values()); // new ones at each step, the pattern stays
    heddle::triple_product(exec, plan, p, a, p, coarse);
    double const error = difference(exec, a, p, coarse);
    std::printf("step %d: P^T A P is %d x %d with %zu entries, off by %.1e\n", step,
                coarse.num_rows(), coarse.num_cols(), coarse.nnz(), error);
    worst = Kokkos::max(worst, error);
  }
  return worst < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
