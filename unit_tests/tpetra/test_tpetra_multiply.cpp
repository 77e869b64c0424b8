// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heddle/error.hpp>
#include <heddle/tpetra_multiply.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

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

// As Tpetra makes them: this rank's in the order of the domain Map, then others by rank and number.
void check_columns(Crs const& c)
{
  auto const columns = c.getColMap(), domain = c.getDomainMap();
  int const n = static_cast<int>(columns->getLocalNumElements());
  std::vector<int> own;
  std::vector<Global> others;
  for (int k = 0; k < n; ++k)
  {
    Global const global = columns->getGlobalElement(k);
    int const mine = domain->getLocalElement(global);
    if (mine < 0)
      others.push_back(global);
    else
    {
      CHECK(others.empty());
      own.push_back(mine);
    }
  }
  CHECK(std::is_sorted(own.begin(), own.end()));
  std::vector<int> ranks(others.size());
  CHECK(domain->getRemoteIndexList(Teuchos::ArrayView<Global const>(others.data(), others.size()),
                                   Teuchos::ArrayView<int>(ranks.data(), ranks.size())) ==
        Tpetra::AllIDsPresent);
  std::vector<std::pair<int, Global>> order;
  for (std::size_t k = 0; k < others.size(); ++k)
    order.emplace_back(ranks[k], others[k]);
  CHECK(std::is_sorted(order.begin(), order.end()));
}
// Local columns that ascend: no entry twice.
bool has_sorted_rows(Crs const& c)
{
  auto const local = c.getLocalMatrixHost();
  for (int i = 0; i < local.numRows(); ++i)
    for (auto k = local.graph.row_map(i) + 1; k < local.graph.row_map(i + 1); ++k)
      if (local.graph.entries(k - 1) >= local.graph.entries(k))
        return false;
  return true;
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
  check_columns(*c);
  CHECK(has_sorted_rows(*c));
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

TEST_CASE("multiply finds columns that only received rows have", "[tpetra]")
{
  Global const width = 12, n = width * width, half = n / 2;
  Rows const grid = [](Global i) { return laplacian_row(width, i); };
  Rows const far = [](Global i) { return Row{{(i + half) % n, 2.0}, {(i + half + 1) % n, 3.0}}; };
  Rows const near = [](Global i) { return Row{{i, 5.0}}; };
  // Rows of B name columns of another rank, and A brings them to the rank that has these columns.
  check_product(far, in_pieces(n), far, in_pieces(n), in_pieces(n));
  check_product(far, by_turns(n), far, by_turns(n), in_pieces(n));
  check_product(grid, in_pieces(n), far, by_turns(n), in_pieces(n));
  // Rows of B name their own column alone: what is received names no other than A does.
  check_product(grid, in_pieces(n), near, in_pieces(n), in_pieces(n));
  check_product(near, in_pieces(n), far, in_pieces(n), in_pieces(n));
  // Every rank has all columns: there is nothing to import in C.
  check_product(grid, in_pieces(n), far, in_pieces(n), on_every_rank(n));
  check_product(far, by_turns(n), grid, in_pieces(n), on_every_rank(n));
}

TEST_CASE("multiply takes ranks that have no rows, and no columns", "[tpetra]")
{
  Global const width = 12, n = width * width;
  Rows const grid = [](Global i) { return laplacian_row(width, i); };
  Rows const square = [](Global i) { return scattered_row(n, i); };
  int const others = std::max(num_ranks() - 1, 1);
  MapPointer const on_first = as_owned(n, [](Global) { return 0; });
  MapPointer const not_on_first = as_owned(
      n, [=](Global i) { return num_ranks() == 1 ? 0 : 1 + static_cast<int>(i % others); });
  for (MapPointer const& rows : {on_first, not_on_first, in_pieces(n)})
    for (MapPointer const& inner : {on_first, not_on_first, by_turns(n)})
      for (MapPointer const& columns : {on_first, not_on_first})
      {
        check_product(grid, rows, square, inner, columns);
        check_product(square, rows, grid, inner, columns);
      }
}

TEST_CASE("multiply takes rows of A that are exported", "[tpetra]")
{
  Global const wide = 61, n = 50;
  Rows const scattered = [](Global i) { return scattered_row(wide, i); };
  Rows const back = [](Global i) { return scattered_row(n, i); };
  auto const a = make_matrix(by_turns(n), in_pieces(wide), in_pieces(n), scattered);
  auto const b = make_matrix(in_pieces(wide), in_pieces(n), in_pieces(wide), back);
  auto const c = heddle::tpetra::multiply(*a, *b);
  CHECK(c->getRowMap()->isSameAs(*a->getRowMap()));
  CHECK(c->getRangeMap()->isSameAs(*a->getRangeMap()));
  Vectors x(in_pieces(n), 2), y(in_pieces(n), 2), expected(in_pieces(n), 2);
  Vectors between(in_pieces(wide), 2);
  fill(x, 3);
  b->apply(x, between);
  a->apply(between, expected);
  c->apply(x, y);
  CHECK(differences(y, expected) == 0);
}

TEST_CASE("R A P has few rows, and new values give new products", "[tpetra]")
{
  Global const width = 12, n = width * width;
  for (Global const coarse : {1, 3, 9})
  {
    // Each row belongs to one of few aggregates, and its neighbours' as well.
    Rows const p_row = [=](Global i) {
      Global const own = i * coarse / n;
      return Row{{own, 2.0}, {(own + 1) % coarse, 1.0}};
    };
    Rows const r_row = [=](Global j) {
      Row row;
      for (Global i = 0; i < n; ++i)
        if (p_row(i).contains(j))
          row[i] = p_row(i)[j];
      return row;
    };
    for (MapPointer const& fine : {in_pieces(n), by_turns(n)})
      for (MapPointer const& few : {in_pieces(coarse), on_last_rank(coarse)})
      {
        auto const a = laplacian(fine, width);
        auto const p = make_matrix(fine, few, fine, p_row), r = make_matrix(few, fine, few, r_row);
        for (double const factor : {1.0, 3.0})
        {
          a->resumeFill();
          a->scale(factor);
          a->fillComplete();
          p->resumeFill();
          p->scale(factor);
          p->fillComplete(few, fine);
          auto const rap = heddle::tpetra::multiply(*r, *heddle::tpetra::multiply(*a, *p));
          Vectors x(few, 2), y(few, 2), expected(few, 2), px(fine, 2), apx(fine, 2);
          fill(x, 3);
          p->apply(x, px);
          a->apply(px, apx);
          r->apply(apx, expected);
          rap->apply(x, y);
          CHECK(differences(y, expected) == 0);
          check_columns(*rap);
        }
      }
  }
}

TEST_CASE("only rows of other ranks are imported, each with the ranks of its columns", "[tpetra]")
{
  Global const n = 144;
  Rows const square = [](Global i) { return scattered_row(n, i); };
  for (MapPointer const& inner : {in_pieces(n), by_turns(n)})
  {
    auto const columns = by_turns(n);
    auto const a = laplacian(inner, 12), b = make_matrix(inner, columns, inner, square);
    auto const importer = a->getGraph()->getImporter();
    if (importer.is_null())
    {
      CHECK(num_ranks() == 1);
      continue;
    }
    auto const rows = heddle::impl::rows_of_others(Map::execution_space(), *importer,
                                                   heddle::csr_view(b->getLocalMatrixDevice()),
                                                   *b->getCrsGraph());
    auto const remote = importer->getRemoteLIDs();
    REQUIRE(rows.offsets.size() == importer->getNumRemoteIDs() + 1);
    CHECK(rows.offsets.back() == rows.values.size());
    for (std::size_t j = 0; j + 1 < rows.offsets.size(); ++j)
    {
      Row row;
      for (std::size_t k = rows.offsets[j]; k < rows.offsets[j + 1]; ++k)
      {
        auto const name = static_cast<std::size_t>(rows.columns[k]);
        row[rows.global[name]] += rows.values[k];
        CHECK(rows.owner[name] == static_cast<int>(rows.global[name] % num_ranks()));
      }
      CHECK(row == square(a->getColMap()->getGlobalElement(remote[j])));
    }
  }
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
