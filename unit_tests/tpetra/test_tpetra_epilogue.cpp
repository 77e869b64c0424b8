// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/epilogues.hpp>
#include <heddle/error.hpp>
#include <heddle/tpetra_operator.hpp>
#include <support/tool_log.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Details_residual.hpp>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::tpetra::Operator;

namespace
{

using Memory = Map::device_type::memory_space;
using Counts = Kokkos::View<int*, Memory>;
using Number = Kokkos::View<double, Memory>;
using OneVector = Tpetra::Vector<double>;

struct CountCalls
{
  Counts calls;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double) const { ++calls(i); }
};
// Weights each row with its number, so that it sees which row it is given; counts ends.
struct AddUpRows
{
  using sum_type = double;
  Counts calls, ends;
  Number total;
  KOKKOS_FUNCTION double operator()(std::int64_t i, double value, double& sum) const
  {
    ++calls(i);
    sum += static_cast<double>(i + 1) * value;
    return 2 * value + static_cast<double>(i);
  }
  KOKKOS_FUNCTION void finish(double all) const
  {
    total() = all;
    ++ends(0);
  }
};

auto column(Vectors const& x)
{
  return Kokkos::subview(x.getLocalViewDevice(Tpetra::Access::ReadOnly), Kokkos::ALL, 0);
}
template <class View>
auto on_host(View const& view)
{
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}
double value_of(Number const& number) { return on_host(number)(); }
bool are_all_one(Counts const& calls)
{
  auto const host = on_host(calls);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    if (host(i) != 1)
      return false;
  return true;
}
Vectors filled(MapPointer const& map, std::size_t k, int seed)
{
  Vectors x(map, k);
  fill(x, seed);
  return x;
}
// alpha A x + beta y by Tpetra, and for the product by heddle a y that is not to be read if beta is
// 0.
struct Product
{
  Vectors x, y, expected;
  Product(Crs const& a, double alpha, double beta)
      : x(filled(a.getDomainMap(), 1, 3))
      , y(filled(a.getRangeMap(), 1, 7))
      , expected(y, Teuchos::Copy)
  {
    a.apply(x, expected, Teuchos::NO_TRANS, alpha, beta);
    if (beta == 0)
      y.putScalar(std::numeric_limits<double>::quiet_NaN());
  }
};

template <class Body>
void for_all_products(Body const& body)
{
  for (auto const& problem : problems())
  {
    Operator const op(problem.a);
    for (double const alpha : {0.0, 1.0, -2.0})
      for (double const beta : {0.0, 1.0, 3.0})
      {
        INFO(problem.name << ", alpha " << alpha << ", beta " << beta);
        body(op, *problem.a, alpha, beta);
      }
  }
}

} // namespace

TEST_CASE("an epilogue is called once per row with the complete sum", "[tpetra]")
{
  for_all_products([](auto const& op, Crs const& a, double alpha, double beta) {
    Product product(a, alpha, beta);
    auto const n = a.getRangeMap()->getLocalNumElements();
    Counts const calls("calls", n);
    op.apply(product.x, product.y, alpha, beta, CountCalls{calls});
    CHECK(differences(product.y, product.expected) == 0);
    CHECK(are_all_one(calls));
  });
}

TEST_CASE("an epilogue's result is stored and its sum is of all rows of the rank", "[tpetra]")
{
  for_all_products([](auto const& op, Crs const& a, double alpha, double beta) {
    Product product(a, alpha, beta);
    auto const n = a.getRangeMap()->getLocalNumElements();
    AddUpRows const epilogue{Counts("calls", n), Counts("ends", 1), Number("total")};
    double total = 0;
    {
      auto const values = product.expected.getLocalViewHost(Tpetra::Access::ReadWrite);
      for (std::size_t i = 0; i < n; ++i)
      {
        total += static_cast<double>(i + 1) * values(i, 0);
        values(i, 0) = 2 * values(i, 0) + static_cast<double>(i);
      }
    }
    op.apply(product.x, product.y, alpha, beta, epilogue);
    CHECK(differences(product.y, product.expected) == 0);
    CHECK(are_all_one(epilogue.calls));
    CHECK(are_all_one(epilogue.ends));
    CHECK(value_of(epilogue.total) == total);
  });
}

TEST_CASE("epilogues of the library run on a rank's rows", "[tpetra]")
{
  using namespace heddle::epilogues;
  for_all_products([](auto const& op, Crs const& a, double alpha, double beta) {
    Product product(a, alpha, beta);
    Vectors const z = filled(a.getRangeMap(), 1, 5), w = filled(a.getRangeMap(), 1, 11);
    Number const square("square"), dot("dot");
    op.apply(product.x, product.y, alpha, beta,
             Then{Then{AddVector{4.0, column(z)}, SquaredNorm{square}}, Dot{column(w), dot}});
    product.expected.update(4.0, z, 1.0);
    CHECK(differences(product.y, product.expected) == 0);
    double expected_square = 0, expected_dot = 0;
    auto const y = product.expected.getLocalViewHost(Tpetra::Access::ReadOnly);
    auto const other = w.getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < y.extent(0); ++i)
    {
      expected_square += y(i, 0) * y(i, 0);
      expected_dot += other(i, 0) * y(i, 0);
    }
    CHECK(value_of(square) == expected_square);
    CHECK(value_of(dot) == expected_dot);
  });
}

TEST_CASE("an epilogue may read x at its row, and y may be x", "[tpetra]")
{
  for (MapPointer const& map : {in_pieces(144), by_turns(144), on_last_rank(144)})
  {
    auto const a = laplacian(map, 12);
    Operator const op(a);
    Vectors x = filled(map, 1, 3), y(map, 1), expected(map, 1);
    a->apply(x, expected);
    expected.update(2.0, x, 1.0);
    op.apply(x, y, 1.0, 0.0, heddle::epilogues::AddVector{2.0, column(x)});
    CHECK(differences(y, expected) == 0);

    a->apply(x, expected);
    Vectors const z = filled(map, 1, 5);
    expected.update(2.0, z, 1.0);
    op.apply(x, x, 1.0, 0.0, heddle::epilogues::AddVector{2.0, column(z)});
    CHECK(differences(x, expected) == 0);
  }
}

TEST_CASE("residual is Tpetra's, and its norm is norm2", "[tpetra]")
{
  for (auto const& problem : problems())
  {
    INFO(problem.name);
    Crs const& a = *problem.a;
    Operator op(problem.a);
    for (double const factor : {1.0, 3.0}) // new values
    {
      problem.a->resumeFill();
      problem.a->scale(factor);
      problem.a->fillComplete(a.getDomainMap(), a.getRangeMap());
      op.update_values();
      for (std::size_t const k : {1, 3})
      {
        Vectors x = filled(a.getDomainMap(), k, 3), b = filled(a.getRangeMap(), k, 7);
        Vectors r(a.getRangeMap(), k), expected(a.getRangeMap(), k);
        Tpetra::Details::residual(a, x, b, expected);
        r.putScalar(std::numeric_limits<double>::quiet_NaN());
        op.residual(b, x, r);
        CHECK(differences(r, expected) == 0);
        if (k == 1)
        {
          r.putScalar(std::numeric_limits<double>::quiet_NaN());
          double const norm = op.residual_norm(b, x, r);
          CHECK(norm == expected.getVector(0)->norm2());
          CHECK(differences(r, expected) == 0);
          Vectors own(b, Teuchos::Copy);
          CHECK(op.residual_norm(own, x, own) == norm);
          CHECK(differences(own, expected) == 0);
        }
        op.residual(b, x, b); // in the place of b
        CHECK(differences(b, expected) == 0);
      }
    }
  }
}

TEST_CASE("residual may overwrite x", "[tpetra]")
{
  for (MapPointer const& map : {in_pieces(144), on_last_rank(144)})
    for (std::size_t const k : {1, 3})
    {
      auto const a = laplacian(map, 12);
      Operator const op(a);
      Vectors x = filled(map, k, 3), expected(map, k);
      Vectors const b = filled(map, k, 7);
      Tpetra::Details::residual(*a, x, b, expected);
      op.residual(b, x, x);
      CHECK(differences(x, expected) == 0);
    }
}

TEST_CASE("apply_dot is A x and the dot product over all ranks", "[tpetra]")
{
  for (auto const& problem : problems())
  {
    INFO(problem.name);
    Crs const& a = *problem.a;
    Operator const op(problem.a);
    Vectors const x = filled(a.getDomainMap(), 1, 3), w = filled(a.getRangeMap(), 1, 11);
    Vectors y(a.getRangeMap(), 1), expected(a.getRangeMap(), 1);
    a.apply(x, expected);
    CHECK(op.apply_dot(x, y, w) == w.getVector(0)->dot(*expected.getVector(0)));
    CHECK(differences(y, expected) == 0);
  }
  auto const a = laplacian(in_pieces(144), 12);
  Vectors const x = filled(in_pieces(144), 1, 3);
  Vectors y(x.getMap(), 1);
  double const dot = Operator(a).apply_dot(x, y, x);
  CHECK(dot == x.getVector(0)->dot(*y.getVector(0)));
}

TEST_CASE("epilogues of interior rows run while entries travel", "[tpetra]")
{
  auto const a = laplacian(in_pieces(144), 12);
  Operator const op(a);
  Vectors const x = filled(a->getDomainMap(), 1, 3), b = filled(a->getRangeMap(), 1, 7);
  Vectors r(a->getRangeMap(), 1);
  op.residual(b, x, r);
  ToolLog log;
  op.residual(b, x, r);
  std::string order, last;
  for (ToolEvent const& event : log.take())
    for (std::string const label : {"beginTransfer", "endTransfer", "heddle::spmv", "update"})
      if (event.kind == ToolEvent::push_region && label != last &&
          event.label.find(label) != std::string::npos)
      {
        order += label + " ";
        last = label;
      }
  CHECK(order == (num_ranks() == 1 ? "heddle::spmv "
                                   : "beginTransfer heddle::spmv endTransfer heddle::spmv "));
}

TEST_CASE("epilogues and residuals refuse what does not fit", "[tpetra]")
{
  auto const map = in_pieces(144);
  auto const a = laplacian(map, 12);
  Operator const op(a);
  Vectors x(map, 2), y(map, 2), one(map, 1), other(in_pieces(100), 1);
  Counts const calls("calls", map->getLocalNumElements());
  std::string const prefix = "heddle::tpetra::Operator: ";
  CHECK_THROWS_WITH(op.apply(x, y, 1.0, 0.0, CountCalls{calls}),
                    prefix + "apply with an epilogue takes one vector, but there are 2");
  CHECK_THROWS_WITH(op.apply(x, one, 1.0, 0.0, CountCalls{calls}),
                    prefix + "X has 2 vectors but Y has 1");
  CHECK_THROWS_WITH(op.apply(other, one, 1.0, 0.0, CountCalls{calls}),
                    ContainsSubstring(prefix + "the Map of X has 100 entries, "));
  CHECK_THROWS_WITH(op.residual(one, x, y), prefix + "B has 1 vectors but R has 2");
  Vectors result(map, 1);
  CHECK_THROWS_WITH(op.residual(other, one, result),
                    ContainsSubstring(prefix + "the Map of B has 100 entries, ") &&
                        ContainsSubstring("and is not the range Map of A, which has 144 and "));
  CHECK_THROWS_WITH(op.residual_norm(x, x, y),
                    prefix + "residual_norm takes one vector, but there are 2");
  CHECK_THROWS_WITH(op.apply_dot(x, y, x), prefix + "apply_dot takes one vector, but there are 2");
  CHECK_THROWS_WITH(op.apply_dot(one, result, other),
                    ContainsSubstring(prefix + "the Map of W has 100 entries, "));
  CHECK_THROWS_WITH(op.apply_dot(one, result, result), prefix + "apply_dot: W and Y share memory");
  a->resumeFill();
  CHECK_THROWS_AS(op.residual(one, one, result), heddle::InvalidArgument);
}
