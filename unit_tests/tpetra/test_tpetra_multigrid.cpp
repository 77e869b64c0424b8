// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/tpetra_multiply.hpp>
#include <heddle/tpetra_operator.hpp>

#include <catch2/catch_test_macros.hpp>

#include <BelosLinearProblem.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <MueLu_TpetraOperator.hpp>
#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_RowMatrixTransposer.hpp>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using HeddleOperator = heddle::tpetra::Operator<double, int, Global, Map::node_type>;

namespace
{

using AnyOperator = Tpetra::Operator<double>;

// Smoothed aggregation with Ifpack2's Chebyshev smoother, down to a few rows.
auto multigrid(CrsPointer const& a)
{
  Teuchos::ParameterList list;
  list.set("verbosity", "none");
  list.set("multigrid algorithm", "sa");
  list.set("smoother: type", "CHEBYSHEV");
  list.set("coarse: max size", 50);
  return MueLu::CreateTpetraPreconditioner(Teuchos::RCP<AnyOperator>(a), list);
}

// Iterations of Belos' conjugate gradients to a relative residual of 1e-8.
int iterations(Teuchos::RCP<AnyOperator const> const& a,
               Teuchos::RCP<AnyOperator> const& preconditioner, Vectors const& b,
               Teuchos::RCP<Vectors> const& x)
{
  x->putScalar(0);
  auto const problem = Teuchos::rcp(
      new Belos::LinearProblem<double, Vectors, AnyOperator>(a, x, Teuchos::rcpFromRef(b)));
  problem->setRightPrec(preconditioner);
  problem->setProblem();
  auto const list = Teuchos::rcp(new Teuchos::ParameterList);
  list->set("Convergence Tolerance", 1e-8);
  list->set("Maximum Iterations", 100);
  Belos::PseudoBlockCGSolMgr<double, Vectors, AnyOperator> solver(problem, list);
  CHECK(solver.solve() == Belos::Converged);
  return solver.getNumIters();
}

// Of any rank; MueLu's matrices do not know it themselves.
std::size_t longest_row(Crs const& a)
{
  std::size_t const mine = a.getLocalMaxNumRowEntries();
  std::size_t longest = 0;
  Teuchos::reduceAll(*communicator(), Teuchos::REDUCE_MAX, mine, Teuchos::outArg(longest));
  return longest;
}

Crs absolute(Crs const& a)
{
  Crs result(a, Teuchos::Copy);
  result.resumeFill();
  {
    auto const values = result.getLocalValuesHost(Tpetra::Access::ReadWrite);
    for (std::size_t k = 0; k < values.extent(0); ++k)
      values(k) = std::abs(values(k));
  }
  result.fillComplete(a.getDomainMap(), a.getRangeMap());
  return result;
}
// R A P x for whole-number x, or |R| |A| |P| |x|.
Vectors triple(Crs const& r, Crs const& a, Crs const& p, Vectors const& x)
{
  Vectors px(p.getRangeMap(), 1), apx(a.getRangeMap(), 1), result(r.getRangeMap(), 1);
  p.apply(x, px);
  a.apply(px, apx);
  r.apply(apx, result);
  return result;
}

} // namespace

TEST_CASE("Belos with MueLu takes the same iterations with heddle's operator", "[tpetra]")
{
  Global const width = 40, n = width * width;
  for (MapPointer const& map : {in_pieces(n), by_turns(n)})
  {
    auto const a = laplacian(map, width);
    auto const preconditioner = multigrid(a);
    CHECK(preconditioner->GetHierarchy()->GetNumLevels() >= 2);
    auto const op = Teuchos::rcp(new HeddleOperator(a));
    auto const x = Teuchos::rcp(new Vectors(map, 1));
    Vectors b(map, 1), residual(map, 1);
    fill(b, 3);
    int const expected = iterations(a, preconditioner, b, x);
    CHECK(expected > 3);
    CHECK(expected < 40);
    CHECK(iterations(op, preconditioner, b, x) == expected);
    a->apply(*x, residual);
    residual.update(1.0, b, -1.0);
    // Rounding adds to what conjugate gradients update.
    CHECK(residual.getVector(0)->norm2() <= 2e-8 * b.getVector(0)->norm2());
  }
}

TEST_CASE("R A P of a level by multiply is MueLu's coarse matrix", "[tpetra]")
{
  Global const width = 40;
  auto const map = in_pieces(width * width);
  auto const a = laplacian(map, width);
  auto const level = multigrid(a)->GetHierarchy()->GetLevel(1);
  using LevelMatrix = Teuchos::RCP<Xpetra::Matrix<double, int, Global, Map::node_type>>;
  auto const p = Xpetra::toTpetra(level->Get<LevelMatrix>("P"));
  auto const coarse = Xpetra::toTpetra(level->Get<LevelMatrix>("A"));
  auto const r = Tpetra::RowMatrixTransposer<double>(p).createTranspose();

  auto const c = heddle::tpetra::multiply(*r, *heddle::tpetra::multiply(*a, *p));
  Vectors x(p->getDomainMap(), 1), size(x.getMap(), 1);
  Vectors y(coarse->getRangeMap(), 1), expected(coarse->getRangeMap(), 1);
  fill(x, 3);
  size.abs(x);
  c->apply(x, y);
  coarse->apply(x, expected);
  y.update(-1.0, expected, 1.0);
  Vectors const largest = triple(absolute(*r), absolute(*a), absolute(*p), size);
  // Each factor and the product add as many roundings as their longest row has terms, on both
  // sides.
  std::size_t const terms =
      longest_row(*r) + longest_row(*a) + longest_row(*p) + longest_row(*coarse);
  double const factor = 2.0 * static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
  auto const error = y.getLocalViewHost(Tpetra::Access::ReadOnly);
  auto const bound = largest.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < error.extent(0); ++i)
    CHECK(std::abs(error(i, 0)) <= factor * bound(i, 0));
  CHECK(coarse->getGlobalNumRows() < a->getGlobalNumRows());
  CHECK(coarse->getGlobalNumRows() > 0);
}
