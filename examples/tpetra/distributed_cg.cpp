// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conjugate gradients on a matrix that is distributed over MPI ranks by Tpetra, multiplied by
// heddle: (A^2) x = b with A a Laplacian on a grid and A^2 by heddle's distributed product. Run it
// with mpirun; ends with 1 where the solution is wrong.

#include <heddle/tpetra_multiply.hpp>
#include <heddle/tpetra_operator.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <Teuchos_RCP.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

namespace
{

using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;
using Matrix = Tpetra::CrsMatrix<double>;
using Vector = Tpetra::Vector<double>;

// Four on the diagonal, -1 for each neighbour in a grid of width x width; every rank makes the rows
// that it has.
Teuchos::RCP<Matrix> laplacian(Teuchos::RCP<Map const> const& map, Global width)
{
  auto const a = Teuchos::rcp(new Matrix(map, 5));
  for (std::size_t local = 0; local < map->getLocalNumElements(); ++local)
  {
    Global const i = map->getGlobalElement(static_cast<int>(local));
    Global const x = i % width, y = i / width;
    std::array<Global, 5> columns{i};
    std::array<double, 5> const values{4, -1, -1, -1, -1};
    int n = 1;
    if (x > 0)
      columns[n++] = i - 1;
    if (x + 1 < width)
      columns[n++] = i + 1;
    if (y > 0)
      columns[n++] = i - width;
    if (y + 1 < width)
      columns[n++] = i + width;
    a->insertGlobalValues(i, n, values.data(), columns.data());
  }
  a->fillComplete();
  return a;
}

// apply_dot multiplies and adds up direction . product in the same passes; with apply and dot in
// its place any Tpetra::Operator will do, so solvers that take one (Belos', say) work with
// heddle's.
template <class Operator>
int solve(Operator const& a, Vector const& b, Vector& x, double tolerance)
{
  Vector residual(b, Teuchos::Copy), direction(b, Teuchos::Copy), product(b.getMap());
  x.putScalar(0);
  double square = residual.dot(residual);
  double const enough = tolerance * tolerance * square;
  int steps = 0;
  for (; square > enough && steps < 5000; ++steps)
  {
    double const alpha = square / a.apply_dot(direction, product, direction);
    x.update(alpha, direction, 1.0);
    residual.update(-alpha, product, 1.0);
    double const before = square;
    square = residual.dot(residual);
    direction.update(1.0, residual, square / before);
  }
  return steps;
}

} // namespace

int main(int argc, char** argv)
try
{
  Tpetra::ScopeGuard const guard(&argc, &argv); // MPI and Kokkos
  auto const ranks = Tpetra::getDefaultComm();
  Global const width = 40, n = width * width;
  auto const map = Teuchos::rcp(new Map(n, 0, ranks));
  auto const a = laplacian(map, width);
  auto const squared = heddle::tpetra::multiply(*a, *a);
  heddle::tpetra::Operator const op(squared);

  Vector solution(map), b(map), x(map);
  solution.putScalar(1);
  op.apply(solution, b);
  int const steps = solve(op, b, x, 1e-10);
  x.update(-1.0, solution, 1.0);
  double const error = x.normInf();
  if (ranks->getRank() == 0)
    std::cout << squared->getGlobalNumEntries() << " entries on " << ranks->getSize() << " ranks, "
              << steps << " steps, largest error " << error << "\n";
  return error < 1e-6 ? 0 : 1;
}
catch (std::exception const& error)
{
  std::cerr << error.what() << "\n";
  return 1;
}
