// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bounds of data movement with partitions made here, so that no partitioner is needed.

#include <heddle/data_movement.hpp>
#include <heddle/error.hpp>
#include <support/host_pattern.hpp>
#include <support/messages.hpp>
#include <support/permutations.hpp>
#include <support/structures.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

using heddle::HostPattern;
using heddle::Hypergraph;
using heddle::MovementBound;
using heddle::Parts;
using heddle::ProductHypergraph;
using heddle::RowHypergraph;
using namespace heddle::test;

namespace
{

using Place = std::pair<std::int64_t, std::int64_t>;

// Paper 003, Fig. 4.
HostPattern const fig_4_a = host_pattern({"", 2, 3, {{0, 1}, {2}}});
HostPattern const fig_4_b = host_pattern({"", 3, 4, {{0, 3}, {0, 1}, {0, 2}}});

struct Product
{
  Place a, b, c;
};

std::vector<Product> products_of(Structure const& a, Structure const& b)
{
  std::vector<Product> products;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t const k : a.columns[i])
      for (std::int64_t const j : b.columns[k])
        products.push_back({{i, k}, {k, j}, {i, j}});
  return products;
}

// y = A x as a product with one column: x is B, y is C.
std::vector<Product> spmv_products_of(Structure const& a)
{
  std::vector<Product> products;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t const j : a.columns[i])
      products.push_back({{i, j}, {j, 0}, {i, 0}});
  return products;
}

// Words of an entry of A, a number of x, and one of y.
struct Words
{
  std::int64_t a = 2, b = 2, c = 2;
};

std::set<Place> places_of(Structure const& s)
{
  std::set<Place> places;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      places.insert({i, j});
  return places;
}

std::set<Place> places_of_vector(std::int64_t size)
{
  std::set<Place> places;
  for (std::int64_t i = 0; i < size; ++i)
    places.insert({i, 0});
  return places;
}

// All numbers of the three operands.
struct Numbers
{
  std::set<Place> a, b, c;
};

Numbers numbers_of(Structure const& a, Structure const& b)
{
  Numbers all{places_of(a), places_of(b), {}};
  for (Product const& product : products_of(a, b))
    all.c.insert(product.c);
  return all;
}

Numbers spmv_numbers_of(Structure const& a)
{
  return {places_of(a), places_of_vector(a.cols), places_of_vector(a.rows)};
}

// Algorithm 3's sum, part by part, with sets; numbers that are in no part are moved once.
MovementBound counted(std::vector<Product> const& products, Parts const& parts, Numbers all,
                      Words const& words)
{
  std::map<int, Numbers> touched;
  auto const all_of_c = static_cast<std::int64_t>(all.c.size());
  for (std::size_t v = 0; v < products.size(); ++v)
  {
    Numbers& part = touched[parts[v]];
    part.a.insert(products[v].a);
    part.b.insert(products[v].b);
    part.c.insert(products[v].c);
    all.a.erase(products[v].a);
    all.b.erase(products[v].b);
    all.c.erase(products[v].c);
  }
  auto const moved = [&words](Numbers const& part) {
    return words.a * static_cast<std::int64_t>(part.a.size()) +
           words.b * static_cast<std::int64_t>(part.b.size()) +
           (words.c + 1) * static_cast<std::int64_t>(part.c.size());
  };
  MovementBound bound{moved(all) - all_of_c, 0};
  for (auto const& [number, part] : touched)
  {
    bound.words += moved(part);
    bound.largest = std::max(bound.largest, moved(part) - static_cast<std::int64_t>(part.c.size()));
  }
  return bound;
}

// Algorithm 4: each product votes for its part on the row and the column that place_of gives.
template <class PlaceOf>
Order voted_order(std::int64_t rows, std::vector<Product> const& products, Parts const& parts,
                  PlaceOf const& place_of)
{
  int const count = parts.empty() ? 1 : 1 + *std::max_element(parts.begin(), parts.end());
  std::vector<std::vector<std::int64_t>> votes(
      static_cast<std::size_t>(rows),
      std::vector<std::int64_t>(static_cast<std::size_t>(count), 0));
  for (std::size_t v = 0; v < products.size(); ++v)
  {
    ++votes[place_of(products[v]).first][parts[v]];
    ++votes[place_of(products[v]).second][parts[v]];
  }
  Order expected = identity_order(rows);
  auto const winner = [&votes](std::int64_t u) {
    return std::max_element(votes[u].begin(), votes[u].end()) - votes[u].begin();
  };
  std::stable_sort(expected.begin(), expected.end(),
                   [&](auto u, auto w) { return winner(u) < winner(w); });
  return expected;
}

Parts random_parts(std::size_t vertices, int count, std::uint64_t seed)
{
  Random random(seed);
  Parts parts;
  for (std::size_t v = 0; v < vertices; ++v)
    parts.push_back(static_cast<int>(random.below(count)));
  return parts;
}

// Pieces of the vertices in their order.
Parts in_order(Hypergraph const& graph, int count)
{
  Parts parts;
  for (std::int64_t v = 0; v < graph.vertices; ++v)
    parts.push_back(static_cast<int>(v * count / graph.vertices));
  return parts;
}

} // namespace

TEST_CASE("the hypergraph of Fig. 4 has its nets, and one part moves 28 words", "[data_movement]")
{
  ProductHypergraph const product = heddle::hypergraph_of_product(fig_4_a, fig_4_b, 6);
  CHECK(product.graph.vertices == 6);
  CHECK(product.nets_of_a == 3);
  CHECK(product.nets_of_b == 6);
  CHECK(product.nets_of_c == 5);
  // Nets of A: two products each; of B: one each; of C: (1, 1) has two.
  CHECK(product.graph.net_offsets ==
        std::vector<std::int64_t>{0, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18});
  CHECK(product.graph.pins ==
        std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 2, 1, 3, 4, 5});
  auto const one = heddle::movement_of(product, Parts(6, 0));
  CHECK(one.words == 28);
  CHECK(one.largest == 28);
  // Rows of C apart: nothing is shared, the bound stays. A's first row cut: (1, 1) of C is moved
  // twice more.
  CHECK(heddle::movement_of(product, {0, 0, 0, 0, 1, 1}).words == 28);
  CHECK(heddle::movement_of(product, {0, 0, 1, 1, 2, 2}).words == 31);
}

TEST_CASE("movement is that of sets of numbers, part by part", "[data_movement]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    Structure const t = transposed(s);
    auto const products = products_of(s, t);
    auto const hypergraph =
        heddle::hypergraph_of_product(host_pattern(s), host_pattern(t), 1 << 30);
    REQUIRE(hypergraph.graph.vertices == static_cast<std::int64_t>(products.size()));
    for (int const count : {1, 2, 7, 64})
    {
      Parts const parts = random_parts(products.size(), count, 5);
      auto const seen = heddle::movement_of(hypergraph, parts);
      auto const expected = counted(products, parts, numbers_of(s, t), {});
      CHECK(seen.words == expected.words);
      CHECK(seen.largest == expected.largest);
    }
    CHECK(heddle::movement_of(hypergraph, Parts(products.size(), 0)).words ==
          2 * (hypergraph.nets_of_a + hypergraph.nets_of_b + hypergraph.nets_of_c));
  }
}

TEST_CASE("the hypergraph of y = A x has its nets", "[data_movement]")
{
  // Entries (0, 0), (0, 2), (2, 2); column 1 and row 1 are empty.
  ProductHypergraph const spmv =
      heddle::hypergraph_of_spmv(host_pattern({"", 3, 3, {{0, 2}, {}, {2}}}), 3);
  CHECK(spmv.graph.vertices == 3);
  CHECK(spmv.nets_of_a == 3);
  CHECK(spmv.nets_of_b == 3);
  CHECK(spmv.nets_of_c == 3);
  // Nets of A: a product each; of x: 1, 0 and 2; of y: rows 0 and 2, then row 1.
  CHECK(spmv.graph.net_offsets == std::vector<std::int64_t>{0, 1, 2, 3, 4, 4, 6, 8, 9, 9});
  CHECK(spmv.graph.pins == std::vector<std::int64_t>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(heddle::movement_of(spmv, {0, 0, 0}).words == 2 * 3 + 3 + 3);
  CHECK(heddle::movement_of(spmv, {0, 0, 0}).largest == 2 * 3 + 2 + 2);
  // Row 0 cut: y(0) is stored, read and stored again; x(2) cut: it is read again.
  CHECK(heddle::movement_of(spmv, {0, 1, 1}).words == 12 + 2);
  CHECK(heddle::movement_of(spmv, {0, 0, 1}).words == 12 + 1);
  CHECK(heddle::movement_of(spmv, {0, 0, 1}).largest == 2 * 2 + 2 + 1);
}

TEST_CASE("movement of y = A x is that of sets, and one part's the lower bound", "[data_movement]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    auto const products = spmv_products_of(s);
    auto const hypergraph = heddle::hypergraph_of_spmv(host_pattern(s), 1 << 30);
    REQUIRE(hypergraph.graph.vertices == static_cast<std::int64_t>(products.size()));
    for (int const count : {1, 2, 7, 64})
    {
      Parts const parts = random_parts(products.size(), count, 5);
      auto const seen = heddle::movement_of(hypergraph, parts);
      auto const expected = counted(products, parts, spmv_numbers_of(s), {2, 1, 1});
      CHECK(seen.words == expected.words);
      CHECK(seen.largest == expected.largest);
    }
    auto const one = heddle::movement_upper_bound(hypergraph, 1 << 30, in_order);
    CHECK(one.count == 1);
    CHECK(one.bound.words == 2 * hypergraph.graph.vertices + s.rows + s.cols);
  }
}

TEST_CASE("no partition of a small y = A x moves less than one part", "[data_movement]")
{
  // Every partition into at most three parts of five products.
  Structure const s{"", 3, 3, {{0, 1}, {1}, {0, 2}}};
  auto const products = spmv_products_of(s);
  auto const hypergraph = heddle::hypergraph_of_spmv(host_pattern(s), 5);
  for (int n = 0; n < 243; ++n)
  {
    Parts parts;
    for (int rest = n, v = 0; v < 5; ++v, rest /= 3)
      parts.push_back(rest % 3);
    auto const seen = heddle::movement_of(hypergraph, parts);
    CHECK(seen.words == counted(products, parts, spmv_numbers_of(s), {2, 1, 1}).words);
    CHECK(seen.words >= 2 * 5 + 3 + 3);
  }
}

TEST_CASE("parts double until they fit, and progress may end it", "[data_movement]")
{
  Structure const& s = structure("banded");
  auto const product = heddle::hypergraph_of_product(host_pattern(s), host_pattern(s), 1 << 20);
  auto const whole = heddle::movement_upper_bound(product, 1 << 20, in_order);
  CHECK(whole.count == 1);
  CHECK(whole.bound.words == whole.bound.largest);
  std::vector<int> tried;
  auto const cut = heddle::movement_upper_bound(product, 2000, in_order,
                                                [&tried](int parts) { tried.push_back(parts); });
  // 4 parts of 2000 words are fewer than there are to move.
  CHECK(whole.bound.largest > 4 * 2000);
  CHECK(tried == std::vector<int>{8});
  CHECK(cut.count == 8);
  CHECK(cut.parts == in_order(product.graph, 8));
  CHECK(cut.bound.largest <= 2000);
  CHECK(cut.bound.words == heddle::movement_of(product, cut.parts).words);
  CHECK(cut.bound.words > whole.bound.words);
  tried.clear();
  auto const later = heddle::movement_upper_bound(
      product, 2000,
      [](Hypergraph const& graph, int parts) {
        return parts < 32 ? Parts(static_cast<std::size_t>(graph.vertices), 0)
                          : in_order(graph, parts);
      },
      [&tried](int parts) { tried.push_back(parts); });
  CHECK(tried == std::vector<int>{8, 16, 32});
  CHECK(later.count == 32);
  CHECK(message_of<std::runtime_error>([&] {
          heddle::movement_upper_bound(product, 2000, in_order,
                                       [](int) { throw std::runtime_error("enough"); });
        }) == "enough");
}

TEST_CASE("rows and columns go where most of their products are", "[data_movement]")
{
  for (Structure const& s : small_structures())
  {
    if (s.rows != s.cols)
      continue;
    INFO(s.name);
    for (int const count : {1, 3, 16})
    {
      auto const products = products_of(s, s), of_spmv = spmv_products_of(s);
      Parts const parts = random_parts(products.size(), count, 6);
      CHECK(heddle::order_by_majority(host_pattern(s), parts) ==
            voted_order(s.rows, products, parts, [](Product const& p) { return p.c; }));
      Parts const spmv_parts = random_parts(of_spmv.size(), count, 7);
      CHECK(heddle::order_by_spmv_majority(host_pattern(s), spmv_parts) ==
            voted_order(s.rows, of_spmv, spmv_parts, [](Product const& p) { return p.a; }));
    }
  }
}

TEST_CASE("rows as vertices: Fig. 4", "[data_movement]")
{
  RowHypergraph const rows = heddle::hypergraph_of_rows(fig_4_a, fig_4_b);
  CHECK(rows.graph.vertices == 2);
  CHECK(rows.graph.vertex_weights == std::vector<std::int64_t>{2 * (2 + 3), 2 * (1 + 2)});
  CHECK(rows.graph.net_weights == std::vector<std::int64_t>{4, 4, 4});
  CHECK(rows.graph.net_offsets == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(rows.graph.pins == std::vector<std::int64_t>{0, 0, 1});
  CHECK(heddle::movement_of(rows, {0, 0}).words == 28);
  CHECK(heddle::movement_of(rows, {0, 0}).largest == 28);
  CHECK(heddle::movement_of(rows, {1, 0}).words == 28); // no row of B is used by both
  CHECK(heddle::movement_of(rows, {1, 0}).largest == 18);
}

TEST_CASE("rows move what their products move as parts", "[data_movement]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    Structure const t = transposed(s);
    auto const a = host_pattern(s), b = host_pattern(t);
    auto const rows = heddle::hypergraph_of_rows(a, b);
    auto const products = products_of(s, t), of_spmv = spmv_products_of(s);
    auto const spmv_rows = heddle::hypergraph_of_spmv_rows(a);
    for (int const count : {1, 2, 7, 64})
    {
      Parts const parts = random_parts(static_cast<std::size_t>(s.rows), count, 8);
      auto const of_products = [&](std::vector<Product> const& all) {
        Parts result;
        for (Product const& product : all)
          result.push_back(parts[product.a.first]);
        return result;
      };
      // Rows without products hold nothing in the one, and their words of A in the other.
      auto const expected = counted(products, of_products(products), numbers_of(s, t), {});
      CHECK(heddle::movement_of(rows, parts).words == expected.words);
      CHECK(heddle::movement_of(rows, parts).largest >= expected.largest);
      auto const spmv = counted(of_spmv, of_products(of_spmv), spmv_numbers_of(s), {2, 1, 1});
      CHECK(heddle::movement_of(spmv_rows, parts).words == spmv.words);
      CHECK(heddle::movement_of(spmv_rows, parts).largest >= spmv.largest);
      if (s.rows != s.cols)
        continue;
      auto const square = products_of(s, s);
      CHECK(heddle::order_by_row_majority(a, parts) ==
            voted_order(s.rows, square, of_products(square), [](Product const& p) { return p.c; }));
    }
  }
}

TEST_CASE("rows in an order fill one part after another", "[data_movement]")
{
  // Rows 0 and 2 use row 0 of B, 1 and 3 row 1. Of C each has two entries, of A one.
  Structure const s{"", 4, 2, {{0}, {1}, {0}, {1}}};
  auto const rows =
      heddle::hypergraph_of_rows(host_pattern(s), host_pattern({"", 2, 9, {{0, 1}, {5, 8}}}));
  // A row takes 2 + 4 words, a row of B 4: two rows that share one take 16, others 20.
  CHECK(heddle::parts_in_order(rows, {0, 1, 2, 3}, 16) == Parts{0, 1, 2, 3});
  CHECK(heddle::parts_in_order(rows, {0, 2, 1, 3}, 16) == Parts{0, 1, 0, 1});
  CHECK(heddle::parts_in_order(rows, {0, 1, 2, 3}, 26) == Parts{0, 0, 0, 1});
  CHECK(heddle::movement_of(rows, {0, 1, 2, 3}).words == 4 * 10);
  CHECK(heddle::movement_of(rows, {0, 1, 0, 1}).words == 4 * 6 + 2 * 4);
  Structure const& band = structure("banded");
  auto const pattern = host_pattern(band);
  auto const of_band = heddle::hypergraph_of_rows(pattern, pattern);
  auto const whole = heddle::movement_of(of_band, Parts(static_cast<std::size_t>(band.rows), 0));
  Parts const parts = heddle::parts_in_order(of_band, identity_order(band.rows), 2000);
  auto const cut = heddle::movement_of(of_band, parts);
  CHECK(std::is_sorted(parts.begin(), parts.end()));
  CHECK(parts.back() >= whole.words / 2000);
  CHECK(cut.largest <= 2000);
  CHECK(cut.words > whole.words);
  CHECK(cut.words < whole.words * 5 / 4);
  auto const bound = heddle::movement_upper_bound(of_band, 2000, in_order);
  CHECK(bound.count == 8);
  CHECK(bound.bound.largest <= 2000);
  CHECK(bound.bound.words == heddle::movement_of(of_band, in_order(of_band.graph, 8)).words);
}

TEST_CASE("bounds of rows refuse what does not fit", "[data_movement]")
{
  using heddle::InvalidArgument;
  CHECK(message_of<InvalidArgument>([] { heddle::hypergraph_of_rows(fig_4_a, fig_4_a); }) ==
        "heddle::hypergraph_of_rows: A has 3 columns but B has 2 rows");
  auto const rows = heddle::hypergraph_of_rows(fig_4_a, fig_4_b);
  CHECK(message_of<InvalidArgument>([&] { heddle::movement_of(rows, {0}); }) ==
        "heddle::movement_of: parts has 1 entries but there are 2 vertices");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::movement_of(rows, {0, -1});
        }) == "heddle::movement_of: vertex 1 is in part -1");
  CHECK(message_of<InvalidArgument>([&] { heddle::movement_upper_bound(rows, 17, in_order); }) ==
        "heddle::movement_upper_bound: row 0 alone takes 18 words, a fast memory of 17 words does "
        "not hold it");
  CHECK(
      message_of<InvalidArgument>([&] {
        heddle::movement_upper_bound(rows, 20, [](Hypergraph const&, int) { return Parts{1, 1}; });
      }) == "heddle::movement_upper_bound: parts of 28 words do not fit 20 words, and 4 parts are "
            "more than there are rows, 2");
  CHECK(message_of<InvalidArgument>([&] { heddle::parts_in_order(rows, {0}, 28); }) ==
        "heddle::parts_in_order: order has 1 entries but there are 2 rows");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::parts_in_order(rows, {1, 1}, 28);
        }) == "heddle::parts_in_order: row 1 is out of range or there twice");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::parts_in_order(rows, {0, 2}, 28);
        }) == "heddle::parts_in_order: row 2 is out of range or there twice");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::parts_in_order(rows, {0, 1}, 17);
        }) ==
        "heddle::parts_in_order: row 0 alone takes 18 words, a fast memory of 17 words does not "
        "hold it");
  CHECK(message_of<InvalidArgument>([] {
          heddle::order_by_row_majority(fig_4_a, {0, 0});
        }) == "heddle::order_by_row_majority: A is 2 x 3, expected a square matrix");
  CHECK(message_of<InvalidArgument>([] {
          heddle::order_by_row_majority(host_pattern({"", 2, 2, {{0}, {1}}}), {0});
        }) == "heddle::order_by_row_majority: parts has 1 entries but A has 2 rows");
}

TEST_CASE("bounds of data movement refuse what does not fit", "[data_movement]")
{
  using heddle::InvalidArgument;
  CHECK(message_of<InvalidArgument>([] { heddle::hypergraph_of_product(fig_4_a, fig_4_a, 9); }) ==
        "heddle::hypergraph_of_product: A has 3 columns but B has 2 rows");
  CHECK(message_of<InvalidArgument>([] { heddle::hypergraph_of_product(fig_4_a, fig_4_b, 5); }) ==
        "heddle::hypergraph_of_product: A B has 6 products, more than 5");
  auto const product = heddle::hypergraph_of_product(fig_4_a, fig_4_b, 6);
  CHECK(message_of<InvalidArgument>([&] {
          heddle::movement_of(product, {0, 1});
        }) == "heddle::movement_of: parts has 2 entries but there are 6 vertices");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::movement_of(product, {0, 0, 0, -2, 0, 0});
        }) == "heddle::movement_of: vertex 3 is in part -2");
  CHECK(message_of<InvalidArgument>([&] { heddle::movement_upper_bound(product, 5, in_order); }) ==
        "heddle::movement_upper_bound: a fast memory of 5 words does not hold the three numbers of "
        "one product, 6 words");
  auto const all_in_one = [](Hypergraph const& graph, int) {
    return Parts(static_cast<std::size_t>(graph.vertices), 0);
  };
  CHECK(
      message_of<InvalidArgument>([&] { heddle::movement_upper_bound(product, 20, all_in_one); }) ==
      "heddle::movement_upper_bound: parts of 28 words do not fit 20 words, and 8 parts are more "
      "than there are products, 6");
  CHECK(message_of<InvalidArgument>([] { heddle::hypergraph_of_spmv(fig_4_a, 2); }) ==
        "heddle::hypergraph_of_spmv: A x has 3 products, more than 2");
  CHECK(message_of<InvalidArgument>([&] {
          heddle::movement_upper_bound(heddle::hypergraph_of_spmv(fig_4_a, 3), 3, in_order);
        }) == "heddle::movement_upper_bound: a fast memory of 3 words does not hold the three "
              "numbers of one product, 4 words");
  CHECK(message_of<InvalidArgument>([] { heddle::order_by_spmv_majority(fig_4_a, {}); }) ==
        "heddle::order_by_spmv_majority: A is 2 x 3, expected a square matrix");
  CHECK(message_of<InvalidArgument>([] {
          heddle::order_by_spmv_majority(host_pattern(structure("banded")), {0});
        }) == "heddle::order_by_spmv_majority: parts has 1 entries but A has 1279 entries");
  CHECK(message_of<InvalidArgument>([] { heddle::order_by_majority(fig_4_a, {}); }) ==
        "heddle::order_by_majority: A is 2 x 3, expected a square matrix");
  CHECK(message_of<InvalidArgument>([] {
          heddle::order_by_majority(host_pattern(structure("banded")), {0});
        }) == "heddle::order_by_majority: parts has 1 entries but A A has 6375 products");
}
