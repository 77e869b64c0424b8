// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times of A x, and of ||b - A x||, by Tpetra and by heddle::tpetra::Operator, by turns, for
// matrices of heddle's gallery that balanced_rows cuts into as many parts as there are ranks. Every
// rank makes the whole matrix on its host. Ends with 1 where results differ by more than rounding.
//
//   mpirun -n 4 example_operator_times [REPETITIONS [MATRIX...]]

#include <heddle/balanced_rows.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/gallery.hpp>
#include <heddle/tpetra_operator.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <ostream>
#include <string>
#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_RCP.hpp>
#include <Teuchos_Time.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Details_residual.hpp>
#include <Tpetra_MultiVector.hpp>
#include <vector>

namespace
{

using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;
using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;
using Whole = heddle::CsrMatrix<double, int, std::size_t, Kokkos::HostSpace>;
using Communicator = Teuchos::Comm<int>;

// This rank's rows of the whole matrix, in absolute values where it is asked for.
Teuchos::RCP<Matrix> distributed(Whole const& whole, bool absolute)
{
  auto const ranks = Tpetra::getDefaultComm();
  auto const cuts =
      heddle::balanced_rows(Kokkos::DefaultHostExecutionSpace{}, whole, ranks->getSize());
  auto const rank = static_cast<std::size_t>(ranks->getRank());
  auto const own = static_cast<std::size_t>(cuts[rank + 1] - cuts[rank]);
  auto const map = Teuchos::rcp(new Map(static_cast<std::size_t>(whole.num_rows()), own, 0, ranks));
  auto const offsets = whole.row_offsets();
  std::vector<std::size_t> lengths(own);
  for (std::size_t i = 0; i < own; ++i)
  {
    auto const row = static_cast<std::size_t>(cuts[rank]) + i;
    lengths[i] = offsets(row + 1) - offsets(row);
  }
  auto const a =
      Teuchos::rcp(new Matrix(map, Teuchos::ArrayView<std::size_t const>(lengths.data(), own)));
  std::vector<Global> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < own; ++i)
  {
    auto const row = static_cast<std::size_t>(cuts[rank]) + i;
    columns.clear();
    values.clear();
    for (std::size_t k = offsets(row); k < offsets(row + 1); ++k)
    {
      columns.push_back(whole.columns()(k));
      values.push_back(absolute ? std::abs(whole.values()(k)) : whole.values()(k));
    }
    a->insertGlobalValues(static_cast<Global>(row), static_cast<int>(columns.size()), values.data(),
                          columns.data());
  }
  a->fillComplete();
  return a;
}

double largest(Communicator const& ranks, double own)
{
  double all = 0;
  Teuchos::reduceAll(ranks, Teuchos::REDUCE_MAX, own, Teuchos::outArg(all));
  return all;
}

// From the moment that all ranks begin until the last one has done it.
template <class Action>
double seconds(Communicator const& ranks, Action const& action)
{
  Kokkos::fence();
  ranks.barrier();
  double const begin = Teuchos::Time::wallTime();
  action();
  Kokkos::fence();
  return largest(ranks, Teuchos::Time::wallTime() - begin);
}

// The largest |y - expected| over its bound: as many roundings as the longest row has terms, of
// |A| |x|, by either library.
double error_over_bound(Matrix const& absolute, Vectors const& x, Vectors y,
                        Vectors const& expected)
{
  Vectors size(x.getMap(), 1), bound(y.getMap(), 1);
  size.abs(x);
  absolute.apply(size, bound);
  y.update(-1.0, expected, 1.0);
  double const terms = static_cast<double>(absolute.getLocalMaxNumRowEntries());
  double const factor = 2 * (terms + 2) * std::numeric_limits<double>::epsilon();
  auto const error = y.getLocalViewHost(Tpetra::Access::ReadOnly);
  auto const most = bound.getLocalViewHost(Tpetra::Access::ReadOnly);
  double worst = 0;
  for (std::size_t i = 0; i < error.extent(0); ++i)
    if (std::abs(error(i, 0)) > 0)
      worst = std::max(worst, std::abs(error(i, 0)) / (factor * most(i, 0)));
  return largest(*x.getMap()->getComm(), worst);
}

struct Times
{
  double tpetra = std::numeric_limits<double>::max(), heddle = tpetra;
};
template <class ByTpetra, class ByHeddle>
Times least_times(Communicator const& ranks, int repetitions, ByTpetra const& by_tpetra,
                  ByHeddle const& by_heddle)
{
  Times least;
  for (int i = 0; i < repetitions; ++i)
    least = {std::min(least.tpetra, seconds(ranks, by_tpetra)),
             std::min(least.heddle, seconds(ranks, by_heddle))};
  return least;
}
std::ostream& operator<<(std::ostream& out, Times const& times)
{
  return out << "Tpetra " << 1e3 * times.tpetra << " ms, heddle " << 1e3 * times.heddle
             << " ms, ratio " << times.tpetra / times.heddle;
}

bool compare(std::string const& name, int repetitions)
{
  auto const whole = heddle::gallery<Whole>(name);
  auto const a = distributed(whole, false), absolute = distributed(whole, true);
  heddle::tpetra::Operator const op(a);
  auto const& ranks = *a->getComm();
  Vectors x(a->getDomainMap(), 1), y(a->getRangeMap(), 1), expected(a->getRangeMap(), 1);
  x.randomize();
  a->apply(x, expected);
  op.apply(x, y);
  double const error = error_over_bound(*absolute, x, Vectors(y, Teuchos::Copy), expected);
  Times const product = least_times(
      ranks, repetitions, [&] { a->apply(x, y); }, [&] { op.apply(x, y); });
  Vectors b(a->getRangeMap(), 1);
  b.putScalar(1);
  double norm = 0, fused_norm = 0;
  Times const residual = least_times(
      ranks, repetitions,
      [&] {
        Tpetra::Details::residual(*a, x, b, y);
        norm = y.getVector(0)->norm2();
      },
      [&] { fused_norm = op.residual_norm(b, x, y); });
  if (ranks.getRank() == 0)
    std::cout << name << " on " << ranks.getSize() << " ranks: " << product
              << ", error over its bound " << error << "\n  residual and its norm: " << residual
              << "\n";
  // They differ by no more than the residuals do, which round as products do, and by their sums.
  Vectors size(x.getMap(), 1);
  size.abs(x);
  absolute->apply(size, y);
  double const largest = y.getVector(0)->norm2() + b.getVector(0)->norm2();
  auto const roundings =
      static_cast<double>(2 * a->getGlobalMaxNumRowEntries() + 8 + a->getGlobalNumRows());
  bool const is_same =
      std::abs(norm - fused_norm) <= roundings * std::numeric_limits<double>::epsilon() * largest;
  return error <= 1 && is_same;
}

} // namespace

int main(int argc, char** argv)
try
{
  Tpetra::ScopeGuard const guard(&argc, &argv);
  int const repetitions = argc > 1 ? std::atoi(argv[1]) : 20;
  std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
  if (names.empty())
    names = {"rmat10_8", "stencil27_12", "elast3_8"};
  bool right = true;
  for (std::string const& name : names)
    right = compare(name, repetitions) && right;
  return right ? 0 : 1;
}
catch (std::exception const& error)
{
  std::cerr << error.what() << "\n";
  return 1;
}
