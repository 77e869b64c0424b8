// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an application on Trilinos gets from heddle without other changes: Belos' conjugate
// gradients with a MueLu preconditioner (smoothed aggregation, Ifpack2's Chebyshev smoother) on
// Laplace3D and Elasticity3D of Galeri, once with Tpetra's matrix as the operator and once with
// heddle::tpetra::Operator; then the products A P and R (A P) of the finest level, by Tpetra and by
// heddle, and P^T A P by Tpetra's TripleMatrixMultiply and by both products of heddle. Prints
// times; ends with 1 where iterations or results differ.
//
//   mpirun -n 4 example_multigrid_solve [Laplace3D's width [Elasticity3D's width [repetitions]]]

#include <heddle/tpetra_multiply.hpp>
#include <heddle/tpetra_operator.hpp>

#include <algorithm>
#include <array>
#include <BelosLinearProblem.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <Galeri_XpetraMaps.hpp>
#include <Galeri_XpetraProblemFactory.hpp>
#include <iomanip>
#include <iostream>
#include <limits>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <MueLu_TpetraOperator.hpp>
#include <sstream>
#include <string>
#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrixTransposer.hpp>
#include <TpetraExt_MatrixMatrix.hpp>
#include <TpetraExt_TripleMatrixMultiply.hpp>
#include <utility>
#include <vector>

namespace
{

using Teuchos::RCP;
using Map = Tpetra::Map<>;
using Local = Map::local_ordinal_type;
using Global = Map::global_ordinal_type;
using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;
using HeddleOperator = heddle::tpetra::Operator<double, Local, Global, Map::node_type>;
using Communicator = RCP<Teuchos::Comm<int> const>;

struct Problem
{
  std::string name;
  RCP<Matrix> a;
  RCP<Vectors> near_kernel; // what the coarse levels must represent: constants, rigid-body modes
  int unknowns_per_node = 1;
};

// Every node of the Map becomes `unknowns` rows, next to each other.
RCP<Map const> rows_of_nodes(Map const& nodes, Global unknowns)
{
  std::vector<Global> rows;
  for (std::size_t i = 0; i < nodes.getLocalNumElements(); ++i)
    for (Global k = 0; k < unknowns; ++k)
      rows.push_back(nodes.getGlobalElement(static_cast<Local>(i)) * unknowns + k);
  return Teuchos::rcp(new Map(nodes.getGlobalNumElements() * static_cast<std::size_t>(unknowns),
                              rows.data(), static_cast<Local>(rows.size()), 0, nodes.getComm()));
}

Problem make_problem(std::string const& name, Global width, Communicator const& ranks)
{
  Teuchos::ParameterList grid;
  grid.set("nx", width).set("ny", width).set("nz", width);
  RCP<Map const> map = Galeri::Xpetra::CreateMap<Local, Global, Map>("Cartesian3D", ranks, grid);
  bool const is_elasticity = name == "Elasticity3D";
  if (is_elasticity)
  {
    map = rows_of_nodes(*map, 3);
    for (auto const* side : {"right", "bottom", "top", "front", "back"}) // held on the left
      grid.set(side + std::string(" boundary"), "Neumann");
  }
  auto const problem =
      Galeri::Xpetra::BuildProblem<double, Local, Global, Map, Matrix, Vectors>(name, map, grid);
  auto const a = problem->BuildMatrix();
  return {name, a, problem->BuildNullspace(), is_elasticity ? 3 : 1};
}

auto make_preconditioner(Problem const& problem)
{
  Teuchos::ParameterList list;
  list.set("verbosity", "none");
  list.set("multigrid algorithm", "sa");
  list.set("number of equations", problem.unknowns_per_node);
  list.set("smoother: type", "CHEBYSHEV"); // Ifpack2's
  list.sublist("smoother: params").set("chebyshev: degree", 2);
  list.sublist("user data").set("Nullspace", problem.near_kernel);
  return MueLu::CreateTpetraPreconditioner(RCP<Operator>(problem.a), list);
}

// From the moment that all ranks begin until the last one has done it.
template <class Action>
double seconds(Teuchos::Comm<int> const& ranks, Action const& action)
{
  Kokkos::fence();
  ranks.barrier();
  double const begin = Teuchos::Time::wallTime();
  action();
  Kokkos::fence();
  double const own = Teuchos::Time::wallTime() - begin;
  double slowest = 0;
  Teuchos::reduceAll(ranks, Teuchos::REDUCE_MAX, own, Teuchos::outArg(slowest));
  return slowest;
}

struct Times
{
  double tpetra, heddle;
};

// Of several repetitions by turns, after one that is not counted, the least of each.
template <class Tpetra, class Heddle>
Times least_times(Teuchos::Comm<int> const& ranks, int repetitions, Tpetra const& tpetra,
                  Heddle const& heddle)
{
  tpetra();
  heddle();
  Times least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  for (int i = 0; i < repetitions; ++i)
    least = {std::min(least.tpetra, seconds(ranks, tpetra)),
             std::min(least.heddle, seconds(ranks, heddle))};
  return least;
}

// Iterations to a relative residual of 1e-8; none where it is not reached.
int solve(RCP<Operator const> const& a, RCP<Operator> const& preconditioner,
          RCP<Vectors const> const& b, RCP<Vectors> const& x)
{
  x->putScalar(0);
  auto const problem = Teuchos::rcp(new Belos::LinearProblem<double, Vectors, Operator>(a, x, b));
  problem->setRightPrec(preconditioner);
  problem->setProblem();
  auto const list = Teuchos::rcp(new Teuchos::ParameterList);
  list->set("Convergence Tolerance", 1e-8);
  list->set("Maximum Iterations", 200);
  Belos::PseudoBlockCGSolMgr<double, Vectors, Operator> solver(problem, list);
  return solver.solve() == Belos::Converged ? solver.getNumIters() : -1;
}

// The largest difference of C x and D x, relative to the largest entry.
double difference(Matrix const& c, Matrix const& d)
{
  Vectors x(c.getDomainMap(), 1), cx(c.getRangeMap(), 1), dx(c.getRangeMap(), 1);
  x.randomize();
  c.apply(x, cx);
  d.apply(x, dx);
  std::array<double, 1> size{}, error{};
  cx.normInf(Teuchos::ArrayView<double>(size.data(), 1));
  dx.update(-1.0, cx, 1.0);
  dx.normInf(Teuchos::ArrayView<double>(error.data(), 1));
  return error[0] / size[0];
}

RCP<Matrix> multiply_by_tpetra(Matrix const& a, Matrix const& b)
{
  auto const c = Teuchos::rcp(new Matrix(a.getRowMap(), 0));
  Tpetra::MatrixMatrix::Multiply(a, false, b, false, *c);
  return c;
}

RCP<Matrix> transposed(Matrix const& p)
{
  return Tpetra::RowMatrixTransposer<double>(Teuchos::rcpFromRef(p)).createTranspose();
}

// P^T A P. (With P^T as a matrix, MultiplyRAP of Trilinos 17.0 ends by a signal on several ranks.)
RCP<Matrix> galerkin_by_tpetra(Matrix const& a, Matrix const& p)
{
  auto const c = Teuchos::rcp(new Matrix(p.getDomainMap(), 0));
  Tpetra::TripleMatrixMultiply::MultiplyRAP(p, true, a, false, p, false, *c);
  return c;
}

class Report
{
public:
  explicit Report(bool prints)
      : m_prints(prints)
  {}
  void heading(Problem const& problem, int levels) const
  {
    auto const rows = problem.a->getGlobalNumRows(), entries = problem.a->getGlobalNumEntries();
    if (m_prints)
      std::cout << problem.name << ": " << rows << " rows, " << entries << " entries, " << levels
                << " levels\n";
  }
  void line(std::string const& what, Times const& times) const
  {
    if (m_prints)
      std::cout << "  " << std::left << std::setw(18) << what << std::right << std::fixed
                << std::setprecision(3) << std::setw(10) << 1e3 * times.tpetra << " ms Tpetra"
                << std::setw(10) << 1e3 * times.heddle << " ms heddle" << std::setw(7)
                << std::setprecision(2) << times.tpetra / times.heddle << "\n"
                << std::defaultfloat;
  }
  bool check(bool holds, std::string const& what) const
  {
    if (m_prints)
      std::cout << "  " << what << (holds ? "" : ": WRONG") << "\n";
    return holds;
  }

private:
  bool m_prints;
};

bool compare_solves(Problem const& problem, RCP<Operator> const& preconditioner, int repetitions,
                    Report const& report)
{
  auto const& ranks = *problem.a->getComm();
  RCP<HeddleOperator> const op = Teuchos::rcp(new HeddleOperator(problem.a)); // the one line
  auto const b = Teuchos::rcp(new Vectors(problem.a->getRangeMap(), 1));
  auto const x = Teuchos::rcp(new Vectors(problem.a->getDomainMap(), 1));
  Vectors y(problem.a->getRangeMap(), 1);
  b->putScalar(1);
  int const by_tpetra = solve(problem.a, preconditioner, b, x);
  int const by_heddle = solve(op, preconditioner, b, x);
  report.line("operator", least_times(
                              ranks, 20 * repetitions, [&] { problem.a->apply(*b, y); },
                              [&] { op->apply(*b, y); }));
  report.line("solve", least_times(
                           ranks, repetitions, [&] { solve(problem.a, preconditioner, b, x); },
                           [&] { solve(op, preconditioner, b, x); }));
  return report.check(by_tpetra > 0 && by_tpetra == by_heddle,
                      "iterations: " + std::to_string(by_tpetra) + " with Tpetra's operator, " +
                          std::to_string(by_heddle) + " with heddle's");
}

bool compare_products(Matrix const& a, Matrix const& p, int repetitions, Report const& report)
{
  auto const& ranks = *a.getComm();
  auto const r = transposed(p);
  RCP<Matrix> ap, rap, heddle_ap, heddle_rap;
  report.line("A P", least_times(
                         ranks, repetitions, [&] { ap = multiply_by_tpetra(a, p); },
                         [&] { heddle_ap = heddle::tpetra::multiply(a, p); }));
  report.line("R (A P)", least_times(
                             ranks, repetitions, [&] { rap = multiply_by_tpetra(*r, *ap); },
                             [&] { heddle_rap = heddle::tpetra::multiply(*r, *heddle_ap); }));
  RCP<Matrix> galerkin, heddle_galerkin;
  report.line("P^T A P", least_times(
                             ranks, repetitions, [&] { galerkin = galerkin_by_tpetra(a, p); },
                             [&] {
                               heddle_galerkin = heddle::tpetra::multiply(
                                   *transposed(p), *heddle::tpetra::multiply(a, p));
                             }));
  double const error = std::max({difference(*ap, *heddle_ap), difference(*rap, *heddle_rap),
                                 difference(*galerkin, *heddle_galerkin)});
  // Sums of some hundred terms in another order.
  std::ostringstream text;
  text << "largest relative difference of products " << error;
  return report.check(error < 1000 * std::numeric_limits<double>::epsilon(), text.str());
}

bool run(Problem const& problem, int repetitions)
{
  Report const report(problem.a->getComm()->getRank() == 0);
  auto const preconditioner = make_preconditioner(problem);
  auto const hierarchy = preconditioner->GetHierarchy();
  report.heading(problem, hierarchy->GetNumLevels());
  bool const same = compare_solves(problem, preconditioner, repetitions, report);
  using LevelMatrix = Xpetra::Matrix<double, Local, Global, Map::node_type>;
  auto const p = hierarchy->GetLevel(1)->Get<RCP<LevelMatrix>>("P");
  return compare_products(*problem.a, *Xpetra::toTpetra(p), repetitions, report) && same;
}

} // namespace

int main(int argc, char** argv)
try
{
  Tpetra::ScopeGuard const guard(&argc, &argv);
  auto const ranks = Tpetra::getDefaultComm();
  auto const argument = [&](int i, int otherwise) {
    return argc > i ? std::atoi(argv[i]) : otherwise;
  };
  int const repetitions = argument(3, 1);
  bool const laplace = run(make_problem("Laplace3D", argument(1, 20), ranks), repetitions);
  bool const elasticity = run(make_problem("Elasticity3D", argument(2, 12), ranks), repetitions);
  return laplace && elasticity ? 0 : 1;
}
catch (std::exception const& error)
{
  std::cerr << error.what() << "\n";
  return 1;
}
