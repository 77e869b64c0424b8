// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tpetra/complex_tpetra.hpp>
// Its macro must be there first.
#include <heddle/tpetra_multiply.hpp>
#include <heddle/tpetra_operator.hpp>

#include <catch2/catch_test_macros.hpp>

#include <complex>
#include <limits>
#include <vector>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using heddle::tpetra::Operator;

namespace
{

using Complex = std::complex<double>;
using ComplexVectors = Tpetra::MultiVector<Complex>;

// Against Tpetra; results that are to be overwritten begin as NaN.
void check_apply(CrsOf<Complex> const& a, Operator<Complex, int, Global, Map::node_type> const& op,
                 Teuchos::ETransp mode, std::size_t k, Complex alpha, Complex beta)
{
  bool const is_none = mode == Teuchos::NO_TRANS;
  ComplexVectors x(is_none ? a.getDomainMap() : a.getRangeMap(), k);
  ComplexVectors y(is_none ? a.getRangeMap() : a.getDomainMap(), k);
  fill(x, 3);
  fill(y, 7);
  ComplexVectors expected(y, Teuchos::Copy);
  if (beta == Complex(0))
    y.putScalar(std::numeric_limits<double>::quiet_NaN());
  a.apply(x, expected, mode, alpha, beta);
  op.apply(x, y, mode, alpha, beta);
  CHECK(differences(y, expected) == 0);
}

std::vector<Teuchos::ETransp> const modes{Teuchos::NO_TRANS, Teuchos::TRANS, Teuchos::CONJ_TRANS};

} // namespace

TEST_CASE("apply is Tpetra::CrsMatrix::apply of complex numbers", "[tpetra]")
{
  for (auto const& problem : problems<Complex>())
  {
    Operator const op(problem.a);
    for (std::size_t const k : {1, 3})
      for (Teuchos::ETransp const mode : modes)
        for (Complex const alpha : {Complex(0), Complex(1), Complex(2, -1)})
          for (Complex const beta : {Complex(0), Complex(1), Complex(0, 3)})
          {
            INFO(problem.name << ", " << k << " vectors, mode " << mode << ", alpha " << alpha
                              << ", beta " << beta);
            check_apply(*problem.a, op, mode, k, alpha, beta);
          }
  }
}

TEST_CASE("A^T and A^H of complex numbers differ", "[tpetra]")
{
  auto const a = laplacian<Complex>(in_pieces(144), 12);
  Operator const op(a);
  ComplexVectors x(a->getRangeMap(), 1), transposed(a->getDomainMap(), 1),
      conjugated(a->getDomainMap(), 1);
  fill(x, 3);
  op.apply(x, transposed, Teuchos::TRANS);
  op.apply(x, conjugated, Teuchos::CONJ_TRANS);
  CHECK(differences(transposed, conjugated) > 0);
}

TEST_CASE("new complex values are taken over", "[tpetra]")
{
  for (auto const& problem : problems<Complex>())
  {
    INFO(problem.name);
    Operator op(problem.a);
    problem.a->resumeFill();
    problem.a->scale(Complex(1, -2));
    problem.a->fillComplete(problem.a->getDomainMap(), problem.a->getRangeMap());
    op.update_values();
    for (Teuchos::ETransp const mode : modes)
      check_apply(*problem.a, op, mode, 2, 1, 1);
  }
}

TEST_CASE("multiply takes complex numbers", "[tpetra]")
{
  Global const width = 12, n = width * width, wide = 61;
  Rows const narrow = [](Global i) { return scattered_row(wide, i); };
  for (MapPointer const& map : {in_pieces(n), by_turns(n), on_last_rank(n)})
  {
    auto const a = laplacian<Complex>(map, width);
    auto const b = make_matrix<Complex>(map, in_pieces(wide), map, narrow);
    auto const c = heddle::tpetra::multiply(*a, *b);
    ComplexVectors x(in_pieces(wide), 2), between(map, 2), expected(map, 2), y(map, 2);
    fill(x, 3);
    b->apply(x, between);
    a->apply(between, expected);
    c->apply(x, y);
    CHECK(differences(y, expected) == 0);
  }
}
