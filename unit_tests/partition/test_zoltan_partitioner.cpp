// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where Zoltan is. What is done with parts is tested without it (test_data_movement).

#include <heddle/error.hpp>
#include <heddle/zoltan_partitioner.hpp>
#include <support/host_pattern.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

using heddle::Hypergraph;
using heddle::Parts;
using heddle::zoltan_partitioner;
using namespace heddle::test;

namespace
{

// Groups of vertices, each joined by a net a pair; vertex v is in group v % groups.
Hypergraph groups_of(std::int64_t groups, std::int64_t size)
{
  Hypergraph graph;
  graph.vertices = groups * size;
  for (std::int64_t group = 0; group < groups; ++group)
    for (std::int64_t i = 0; i < size; ++i)
      for (std::int64_t j = 0; j < i; ++j)
      {
        graph.pins.push_back(group + i * groups);
        graph.pins.push_back(group + j * groups);
        graph.net_offsets.push_back(static_cast<std::int64_t>(graph.pins.size()));
      }
  return graph;
}

} // namespace

TEST_CASE("Zoltan keeps together what nets join, and parts of a size", "[partition]")
{
  Parts const parts = zoltan_partitioner()(groups_of(4, 20), 4);
  REQUIRE(parts.size() == 80);
  std::set<int> seen;
  for (std::size_t group = 0; group < 4; ++group)
  {
    for (std::size_t n = 0; n < 20; ++n)
      CHECK(parts[group + 4 * n] == parts[group]);
    seen.insert(parts[group]);
  }
  CHECK(seen == std::set<int>{0, 1, 2, 3});
}

TEST_CASE("Zoltan keeps together what heavy nets join", "[partition]")
{
  // Vertex v is in group v % 4 by some nets, in group v / 20 by others: the heavy ones decide.
  for (bool const by_remainder : {true, false})
  {
    Hypergraph graph = groups_of(4, 20);
    Hypergraph const by_remainders = graph;
    std::int64_t const nets = graph.nets();
    for (std::int64_t const pin : by_remainders.pins)
      graph.pins.push_back(pin % 4 * 20 + pin / 4);
    for (std::int64_t net = 1; net <= nets; ++net)
      graph.net_offsets.push_back(graph.net_offsets[nets] + by_remainders.net_offsets[net]);
    graph.net_weights.assign(static_cast<std::size_t>(nets), by_remainder ? 100 : 1);
    graph.net_weights.resize(static_cast<std::size_t>(2 * nets), by_remainder ? 1 : 100);
    Parts const parts = zoltan_partitioner()(graph, 4);
    for (std::size_t v = 0; v < 80; ++v)
      CHECK(parts[v] == (by_remainder ? parts[v % 4] : parts[v / 20 * 20]));
  }
}

TEST_CASE("Zoltan's parts weigh about the same", "[partition]")
{
  // Two groups, the vertices of one three times as heavy: parts of a group each would weigh 20, 60.
  Hypergraph graph = groups_of(2, 20);
  for (std::int64_t v = 0; v < graph.vertices; ++v)
    graph.vertex_weights.push_back(v % 2 == 0 ? 1 : 3);
  Parts const parts = zoltan_partitioner()(graph, 2);
  std::int64_t first = 0;
  for (std::size_t v = 0; v < parts.size(); ++v)
    first += parts[v] == 0 ? graph.vertex_weights[v] : 0;
  CHECK(first >= 34); // 80 in all, and at most 1.1 times the mean, a heavy vertex more or less
  CHECK(first <= 46);
}

TEST_CASE("Zoltan's parts are the same each time", "[partition]")
{
  auto const pattern = host_pattern(structure("banded"));
  auto const graph = heddle::hypergraph_of_product(pattern, pattern, 1 << 20).graph;
  Parts const first = zoltan_partitioner()(graph, 8);
  CHECK(zoltan_partitioner()(graph, 8) == first);
  CHECK(*std::min_element(first.begin(), first.end()) == 0);
  CHECK(*std::max_element(first.begin(), first.end()) == 7);
  CHECK(zoltan_partitioner()(graph, 1) == Parts(first.size(), 0));
  CHECK(zoltan_partitioner()(Hypergraph{}, 4).empty());
}

TEST_CASE("Zoltan's upper bounds of a band, and of Fig. 4 in one part", "[partition]")
{
  auto const a = host_pattern({"", 2, 3, {{0, 1}, {2}}});
  auto const b = host_pattern({"", 3, 4, {{0, 3}, {0, 1}, {0, 2}}});
  auto const fig_4 = heddle::hypergraph_of_product(a, b, 6);
  auto const small = heddle::movement_upper_bound(fig_4, 28, zoltan_partitioner());
  CHECK(small.bound.words == 28);
  CHECK(small.count == 1);
  // A band of 257 rows through 2000 words: at least the lower bound, at most what a cut into pieces
  // of rows moves, 8 pieces with five rows of A A's operands and results on each side of a cut.
  auto const pattern = host_pattern(structure("banded"));
  auto const product = heddle::hypergraph_of_product(pattern, pattern, 1 << 20);
  auto const bound = heddle::movement_upper_bound(product, 2000, zoltan_partitioner());
  CHECK(bound.bound.largest <= 2000);
  std::int64_t const lower = 2 * (product.nets_of_a + product.nets_of_b + product.nets_of_c);
  CHECK(bound.bound.words >= lower);
  CHECK(bound.bound.words < 2 * lower);
  // A x of it through 500 words: an entry is used once, so only rows and columns at cuts cost more.
  auto const spmv = heddle::hypergraph_of_spmv(pattern, 1 << 20);
  auto const of_spmv = heddle::movement_upper_bound(spmv, 500, zoltan_partitioner());
  std::int64_t const least = 2 * spmv.nets_of_a + spmv.nets_of_b + spmv.nets_of_c;
  CHECK(of_spmv.count > 1);
  CHECK(of_spmv.bound.largest <= 500);
  CHECK(of_spmv.bound.words > least);
  CHECK(of_spmv.bound.words < 1.25 * static_cast<double>(least));
}

TEST_CASE("Zoltan's partitioner refuses no parts", "[partition]")
{
  CHECK(message_of<heddle::InvalidArgument>([] { zoltan_partitioner()(groups_of(1, 2), 0); }) ==
        "heddle::zoltan_partitioner: parts is 0");
}
