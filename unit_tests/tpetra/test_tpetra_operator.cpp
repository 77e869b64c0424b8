// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/error.hpp>
#include <heddle/tpetra_operator.hpp>
#include <support/tool_log.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::tpetra::Operator;

namespace
{

std::vector<Teuchos::ETransp> const modes{Teuchos::NO_TRANS, Teuchos::TRANS, Teuchos::CONJ_TRANS};

MapPointer input_map(Crs const& a, Teuchos::ETransp mode)
{
  return mode == Teuchos::NO_TRANS ? a.getDomainMap() : a.getRangeMap();
}
MapPointer output_map(Crs const& a, Teuchos::ETransp mode)
{
  return mode == Teuchos::NO_TRANS ? a.getRangeMap() : a.getDomainMap();
}

// Against Tpetra; results that are to be overwritten begin as NaN.
void check_apply(Operator<double, int, Global, Map::node_type> const& op, Crs const& a,
                 Teuchos::ETransp mode, double alpha, double beta, Vectors const& x, Vectors& y)
{
  fill(y, 7);
  Vectors expected(y, Teuchos::Copy);
  if (beta == 0)
    y.putScalar(std::numeric_limits<double>::quiet_NaN());
  a.apply(Vectors(x, Teuchos::Copy), expected, mode, alpha, beta); // Tpetra 17 refuses A^T of some
  op.apply(x, y, mode, alpha, beta);
  CHECK(differences(y, expected) == 0);
}

// In what order transfers begin and end and heddle multiplies. Regions of Tpetra's lie in each
// other.
std::string order_of(std::vector<ToolEvent> const& events)
{
  std::string all, last;
  for (ToolEvent const& event : events)
    for (std::string const label : {"beginTransfer", "endTransfer", "heddle::spm"})
      if (event.kind == ToolEvent::push_region && label != last &&
          event.label.find(label) != std::string::npos)
      {
        all += label + " ";
        last = label;
      }
  return all;
}

// Until the residual is 1e-10 of the right-hand side; the number of steps.
template <class A>
int solve(A const& a, Tpetra::Vector<double> const& b, Tpetra::Vector<double>& x)
{
  Tpetra::Vector<double> r(b, Teuchos::Copy), p(b, Teuchos::Copy), q(b.getMap());
  x.putScalar(0);
  double rr = r.dot(r);
  double const enough = 1e-20 * rr;
  int steps = 0;
  for (; rr > enough && steps < 1000; ++steps)
  {
    a.apply(p, q);
    double const alpha = rr / p.dot(q);
    x.update(alpha, p, 1.0);
    r.update(-alpha, q, 1.0);
    double const before = rr;
    rr = r.dot(r);
    p.update(1.0, r, rr / before);
  }
  return steps;
}

} // namespace

TEST_CASE("apply is Tpetra::CrsMatrix::apply", "[tpetra]")
{
  for (auto const& problem : problems())
  {
    Operator const op(problem.a);
    for (std::size_t const k : {1, 3})
      for (Teuchos::ETransp const mode : modes)
        for (double const alpha : {0.0, 1.0, -2.5})
          for (double const beta : {0.0, 1.0, 0.5})
          {
            INFO(problem.name << ", " << k << " vectors, mode " << mode << ", alpha " << alpha
                              << ", beta " << beta);
            Vectors x(input_map(*problem.a, mode), k), y(output_map(*problem.a, mode), k);
            fill(x, 3);
            check_apply(op, *problem.a, mode, alpha, beta, x, y);
          }
  }
}

TEST_CASE("vectors may be columns of others", "[tpetra]")
{
  std::vector<std::size_t> const some{4, 1, 2};
  Teuchos::ArrayView<std::size_t const> const columns(some.data(), 3);
  for (auto const& problem : problems())
  {
    Operator const op(problem.a);
    for (Teuchos::ETransp const mode : modes)
    {
      INFO(problem.name << ", mode " << mode);
      Vectors all_x(input_map(*problem.a, mode), 6), all_y(output_map(*problem.a, mode), 6);
      fill(all_x, 3);
      auto const x = all_x.subView(columns);
      auto const y = all_y.subViewNonConst(columns);
      check_apply(op, *problem.a, mode, 2, 0, *x, *y);
      check_apply(op, *problem.a, mode, 2, -1, *x, *y);
      auto const next = all_x.subView(Teuchos::Range1D(2, 3));
      auto const next_y = all_y.subViewNonConst(Teuchos::Range1D(1, 2));
      check_apply(op, *problem.a, mode, 2, -1, *next, *next_y);
    }
  }
}

TEST_CASE("vectors may lie in longer columns", "[tpetra]")
{
  auto const a = laplacian(in_pieces(144), 12);
  Operator const op(a);
  auto const map = a->getDomainMap();
  auto const n = map->getLocalNumElements();
  using Storage = Vectors::dual_view_type;
  Storage const storage_x("x", n + 5, 3), storage_y("y", n + 9, 3);
  auto const rows = std::make_pair(std::size_t(0), n);
  Vectors x(map, Kokkos::subview(storage_x, rows, Kokkos::ALL), storage_x);
  Vectors y(map, Kokkos::subview(storage_y, rows, Kokkos::ALL), storage_y);
  CHECK(x.getStride() == n + 5);
  fill(x, 3);
  for (Teuchos::ETransp const mode : modes)
    check_apply(op, *a, mode, 2, -1, x, y);
}

TEST_CASE("a vector may be its own product", "[tpetra]")
{
  for (MapPointer const& map : {in_pieces(144), on_last_rank(144)})
  {
    auto const a = laplacian(map, 12);
    Operator const op(a);
    for (Teuchos::ETransp const mode : modes)
    {
      Vectors x(map, 2), expected(map, 2);
      fill(x, 3);
      a->apply(x, expected, mode, 2.0, 0.0);
      op.apply(x, x, mode, 2.0, 0.0);
      CHECK(differences(x, expected) == 0);
    }
  }
}

TEST_CASE("new values are taken over", "[tpetra]")
{
  for (auto const& problem : problems())
  {
    INFO(problem.name);
    Operator op(problem.a);
    problem.a->resumeFill();
    problem.a->scale(3.0);
    problem.a->fillComplete(problem.a->getDomainMap(), problem.a->getRangeMap());
    op.update_values();
    for (Teuchos::ETransp const mode : modes)
    {
      Vectors x(input_map(*problem.a, mode), 2), y(output_map(*problem.a, mode), 2);
      fill(x, 3);
      check_apply(op, *problem.a, mode, 1, 1, x, y);
    }
  }
}

TEST_CASE("own columns are multiplied while entries of others travel", "[tpetra]")
{
  auto const a = laplacian(in_pieces(6400), 80);
  Operator const op(a);
  Vectors x(a->getDomainMap(), 1), y(a->getRangeMap(), 1);
  fill(x, 3);
  for (Teuchos::ETransp const mode : modes)
  {
    op.apply(x, y, mode);
    ToolLog log;
    op.apply(x, y, mode);
    auto const events = log.take();
    std::string const labels = order_of(events);
    // The rank's own part of x is multiplied where it is.
    CHECK(std::none_of(events.begin(), events.end(), [](ToolEvent const& event) {
      return event.label.find("copyAndPermute") != std::string::npos;
    }));
    if (num_ranks() == 1)
      CHECK(labels == "heddle::spm ");
    else if (mode == Teuchos::NO_TRANS)
      CHECK(labels == "beginTransfer heddle::spm endTransfer heddle::spm ");
    else
      CHECK(labels == "heddle::spm beginTransfer heddle::spm endTransfer ");
  }
}

TEST_CASE("conjugate gradients reach 1e-10 on a distributed Laplacian", "[tpetra]")
{
  for (MapPointer const& map : {in_pieces(1024), by_turns(1024)})
  {
    auto const a = laplacian(map, 32);
    Operator const op(a);
    Tpetra::Vector<double> b(map), x(map), residual(map);
    fill(b, 3);
    int const steps = solve(op, b, x);
    CHECK(steps > 10);
    CHECK(steps < 200);
    a->apply(x, residual);
    residual.update(1.0, b, -1.0);
    CHECK(residual.norm2() <= 2e-10 * b.norm2()); // of x itself: rounding adds to what CG updates
  }
}

TEST_CASE("an operator is refused where entries of A came or went", "[tpetra]")
{
  for (MapPointer const& map : {in_pieces(144), on_last_rank(144)}) // with and without transfers
  {
    auto const a = laplacian(map, 12);
    auto const before = a->getLocalNumEntries();
    Operator op(a);
    a->resumeFill();
    // Rows that have their first entry alone.
    auto const n = a->getLocalNumRows();
    Teuchos::ArrayRCP<std::size_t> const offsets(n + 1);
    for (std::size_t i = 0; i <= n; ++i)
      offsets[i] = i;
    a->setAllValues(offsets, Teuchos::ArrayRCP<int>(n, 0), Teuchos::ArrayRCP<double>(n, 1.0));
    a->expertStaticFillComplete(map, map);
    std::string const message = "heddle::tpetra::Operator: A has " + std::to_string(n) +
                                " entries on rank " + std::to_string(my_rank()) +
                                " but the operator was made for " + std::to_string(before);
    if (before > 0)
      CHECK_THROWS_WITH(op.update_values(), message);
  }
}

TEST_CASE("what does not fit is refused with names and numbers", "[tpetra]")
{
  auto const a = laplacian(in_pieces(144), 12);
  CHECK_THROWS_WITH(Operator(CrsPointer()),
                    "heddle::tpetra::Operator: the matrix is a null pointer");
  auto const open = Teuchos::rcp(new Crs(in_pieces(144), 5));
  std::string const not_filled =
      "heddle::tpetra::Operator: A is not fill complete: it has 144 rows; call fillComplete first";
  CHECK_THROWS_WITH(Operator(open), not_filled);

  Operator op(a);
  CHECK(op.hasTransposeApply());
  CHECK(op.getDomainMap()->isSameAs(*a->getDomainMap()));
  CHECK(op.getRangeMap()->isSameAs(*a->getRangeMap()));
  Vectors x(in_pieces(144), 2), y(in_pieces(144), 2), one(in_pieces(144), 1);
  Vectors short_x(in_pieces(100), 2), in_turn(on_last_rank(144), 2);
  CHECK_THROWS_WITH(op.apply(x, one), "heddle::tpetra::Operator: X has 2 vectors but Y has 1");
  CHECK_THROWS_WITH(op.apply(short_x, y),
                    ContainsSubstring("heddle::tpetra::Operator: the Map of X has 100 entries, ") &&
                        ContainsSubstring("and is not the domain Map of A, which has 144 and "));
  CHECK_THROWS_WITH(op.apply(x, short_x, Teuchos::TRANS),
                    ContainsSubstring("the Map of Y has 100 entries, ") &&
                        ContainsSubstring("and is not the domain Map of A, which has 144 and "));
  if (num_ranks() > 1)
    CHECK_THROWS_AS(op.apply(in_turn, y), heddle::InvalidArgument);
  op.apply(x, y); // still usable

  a->resumeFill();
  CHECK_THROWS_WITH(op.apply(x, y), not_filled);
  CHECK_THROWS_WITH(op.update_values(), not_filled);
}
