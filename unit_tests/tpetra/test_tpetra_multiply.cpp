// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/error.hpp>
#include <heddle/tpetra_multiply.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <string>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;

namespace
{

// The row by global columns, which two matrices may number differently.
Row row_of(Crs const& a, int local)
{
  Crs::local_inds_host_view_type columns;
  Crs::values_host_view_type values;
  a.getLocalRowView(local, columns, values);
  Row row;
  for (std::size_t k = 0; k < columns.extent(0); ++k)
    row[a.getColMap()->getGlobalElement(columns(k))] += values(k);
  return row;
}

// Entry (i, j) of A B, by the rules of the matrices.
Row product_row(Rows const& a, Rows const& b, Global i)
{
  Row row;
  for (auto const& [k, left] : a(i))
    for (auto const& [j, right] : b(k))
      row[j] += left * right;
  return row;
}

void check_product(Rows const& a, MapPointer const& rows, Rows const& b, MapPointer const& inner,
                   MapPointer const& columns)
{
  auto const left = make_matrix(rows, inner, rows, a),
             right = make_matrix(inner, columns, inner, b);
  auto const c = heddle::tpetra::multiply(*left, *right);
  CHECK(c->isFillComplete());
  CHECK(c->getRowMap()->isSameAs(*rows));
  CHECK(c->getRangeMap()->isSameAs(*rows));
  CHECK(c->getDomainMap()->isSameAs(*columns));
  int wrong = 0;
  for (std::size_t local = 0; local < rows->getLocalNumElements(); ++local)
  {
    Global const i = rows->getGlobalElement(static_cast<int>(local));
    wrong += row_of(*c, static_cast<int>(local)) == product_row(a, b, i) ? 0 : 1;
  }
  CHECK(wrong == 0);

  Vectors x(columns, 2), y(rows, 2), expected(rows, 2), between(inner, 2);
  fill(x, 3);
  right->apply(x, between);
  left->apply(between, expected);
  c->apply(x, y); // its import works
  CHECK(differences(y, expected) == 0);
}

} // namespace

TEST_CASE("multiply is A B whoever has the rows", "[tpetra]")
{
  Global const width = 12, n = width * width, wide = 61;
  Rows const grid = [](Global i) { return laplacian_row(width, i); };
  Rows const square = [](Global i) { return scattered_row(n, i); };
  Rows const narrow = [](Global i) { return scattered_row(wide, i); };
  Rows const none = [](Global) { return Row(); };
  check_product(grid, in_pieces(n), grid, in_pieces(n), in_pieces(n));
  check_product(grid, in_pieces(n), square, in_pieces(n), by_turns(n));
  check_product(square, by_turns(n), narrow, in_pieces(n), in_pieces(wide));
  check_product(square, in_pieces(n), narrow, by_turns(n), by_turns(wide));
  check_product(grid, on_last_rank(n), square, on_last_rank(n), in_pieces(n));
  check_product(grid, in_pieces(n), square, on_last_rank(n), in_pieces(n));
  check_product(none, in_pieces(n), narrow, in_pieces(n), in_pieces(wide));
  check_product(grid, in_pieces(n), none, in_pieces(n), in_pieces(wide));
}

TEST_CASE("multiply refuses matrices that do not fit", "[tpetra]")
{
  auto const a = laplacian(in_pieces(144), 12), b = laplacian(in_pieces(100), 10);
  CHECK_THROWS_WITH(
      heddle::tpetra::multiply(*a, *b),
      ContainsSubstring("heddle::tpetra::multiply: the row Map of B has 100 rows, ") &&
          ContainsSubstring("and is not the domain Map of A, which has 144 and "));
  Crs const open(in_pieces(144), 5);
  CHECK_THROWS_WITH(heddle::tpetra::multiply(open, *a),
                    "heddle::tpetra::multiply: A is not fill complete");
  CHECK_THROWS_WITH(heddle::tpetra::multiply(*a, open),
                    "heddle::tpetra::multiply: B is not fill complete");
}
