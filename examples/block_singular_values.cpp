// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest singular values of a matrix by block power iteration on A^T A: A B and A^T B for
// eight vectors at once, both from one plan. The eigenvectors of a block's Gram matrix make it
// orthonormal and sort singular vectors apart (Stathopoulos and Wu, SIAM J. Sci. Comput. 23, 2002).
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
constexpr int k = 8;
using Block = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space>;
using Small = Kokkos::Array<Kokkos::Array<double, k>, k>;

// X^T X, on the host: k x k sums over the rows.
Small gram(Exec const& exec, Block const& x)
{
  Small result{};
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      Kokkos::parallel_reduce(
          "example::gram", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
          KOKKOS_LAMBDA(std::size_t row, double& sum) { sum += x(row, i) * x(row, j); },
          result[i][j]);
  return result;
}

// Turns a symmetric matrix into the diagonal one of its eigenvalues and returns the eigenvectors as
// columns: Jacobi's rotations.
Small diagonalise(Small& a)
{
  Small q{};
  for (int i = 0; i < k; ++i)
    q[i][i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int i = 0; i < k; ++i)
      for (int j = i + 1; j < k; ++j)
      {
        double const angle = 0.5 * std::atan2(2 * a[i][j], a[i][i] - a[j][j]);
        double const c = std::cos(angle), s = std::sin(angle);
        auto const rotate = [=](double& x, double& y) {
          double const before = x;
          x = c * before + s * y;
          y = c * y - s * before;
        };
        for (int n = 0; n < k; ++n)
          rotate(a[n][i], a[n][j]), rotate(q[n][i], q[n][j]);
        for (int n = 0; n < k; ++n)
          rotate(a[i][n], a[j][n]);
      }
  return q;
}

// Makes the columns of X orthonormal: X <- X Q L^-1, where X^T X = Q L^2 Q^T. Returns L.
std::array<double, k> orthonormalise(Exec const& exec, Block const& x)
{
  Small squares = gram(exec, x);
  Small const q = diagonalise(squares);
  Kokkos::parallel_for(
      "example::orthonormalise", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t row) {
        Kokkos::Array<double, k> sums{};
        for (int i = 0; i < k; ++i)
          for (int j = 0; j < k; ++j)
            sums[j] += x(row, i) * q[i][j];
        for (int j = 0; j < k; ++j)
          x(row, j) = sums[j] / Kokkos::sqrt(squares[j][j]);
      });
  std::array<double, k> lengths{};
  for (int j = 0; j < k; ++j)
    lengths[j] = std::sqrt(squares[j][j]);
  return lengths;
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  auto const a = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("rmat10_8"));
  heddle::SpmmPlan const plan(exec, a, {.transposed = true}); // A^T B as fast as A B
  Block const u("u", a.num_rows(), k), v("v", a.num_cols(), k);
  Kokkos::parallel_for(
      "example::start", Kokkos::RangePolicy<Exec>(exec, 0, v.extent(0)), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < k; ++j)
          v(i, j) = Kokkos::sin(1.0 + (j + 1.0) * i);
      });
  std::array<double, k> values{};
  for (int iteration = 0; iteration < 40; ++iteration)
  {
    orthonormalise(exec, v);
    heddle::spmm(exec, plan, 1.0, a, v, 0.0, u); // U <- A V
    values = orthonormalise(exec, u);
    heddle::spmm(exec, plan, heddle::Op::transpose, 1.0, a, u, 0.0, v); // V <- A^T U
  }
  // With U and V = A^T U of singular vectors, A V is U with each column times sigma^2.
  int const first = static_cast<int>(std::ranges::max_element(values) - values.begin());
  double const square = values[first] * values[first];
  Block const w("w", a.num_rows(), k);
  heddle::spmm(exec, plan, 1.0, a, v, 0.0, w);
  double sum = 0;
  Kokkos::parallel_reduce(
      "example::residual", Kokkos::RangePolicy<Exec>(exec, 0, w.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& partial) {
        partial += Kokkos::pow(w(i, first) - square * u(i, first), 2);
      },
      sum);
  double const residual = std::sqrt(sum) / square;
  std::printf("largest singular value %.12g, relative residual %.1e\n", values[first], residual);
  return residual < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
