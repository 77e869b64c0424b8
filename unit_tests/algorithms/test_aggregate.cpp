// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/aggregate.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/symmetrize_pattern.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

using Neighbors = std::vector<std::set<std::int64_t>>;

template <class Matrix>
Neighbors neighbors_of(Matrix const& graph)
{
  auto const h = to_host(graph);
  Neighbors all(static_cast<std::size_t>(h.rows));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].insert(h.columns.begin() + h.offsets[i], h.columns.begin() + h.offsets[i + 1]);
  return all;
}

// Row i and what is within so many edges of it.
std::set<std::int64_t> within(Neighbors const& neighbors, std::int64_t i, int edges)
{
  std::set<std::int64_t> reached{i};
  for (int edge = 0; edge < edges; ++edge)
  {
    auto const before = reached;
    for (std::int64_t const j : before)
      reached.insert(neighbors[static_cast<std::size_t>(j)].begin(),
                     neighbors[static_cast<std::size_t>(j)].end());
  }
  return reached;
}

// The same set by one greedy pass over the rows of a symmetric graph, that of the largest hash
// first, and the aggregates row by row.
std::vector<std::int64_t> greedy_aggregates(Neighbors const& neighbors)
{
  std::size_t const n = neighbors.size();
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::ranges::greater(), impl::HashOfRow{});
  std::vector<bool> is_root(n), is_taken(n);
  for (std::int64_t const i : order)
    if (!is_taken[static_cast<std::size_t>(i)])
    {
      is_root[static_cast<std::size_t>(i)] = true;
      for (std::int64_t const j : within(neighbors, i, 2))
        is_taken[static_cast<std::size_t>(j)] = true;
    }
  std::int64_t count = 0;
  std::vector<std::int64_t> first(n, -1);
  for (std::size_t i = 0; i < n; ++i)
    if (is_root[i])
    {
      for (std::int64_t const j : within(neighbors, static_cast<std::int64_t>(i), 1))
        first[static_cast<std::size_t>(j)] = count;
      ++count;
    }
  auto all = first;
  for (std::size_t i = 0; i < n; ++i)
    for (std::int64_t const j : neighbors[i])
      if (first[i] < 0)
        all[i] = std::max(all[i], first[static_cast<std::size_t>(j)]);
  return all;
}

// One entry, 1, in each row; every column has a row.
template <class C, class Result>
std::vector<std::int64_t> aggregates_of(Result const& p)
{
  using Value = typename C::value;
  static_assert(std::is_same_v<typename Result::value_type, Value>);
  auto const h = to_host(p);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(h.rows) + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  CHECK(h.offsets == offsets);
  CHECK(h.values == std::vector<Value>(static_cast<std::size_t>(h.rows), Value(1)));
  std::set<std::int64_t> const used(h.columns.begin(), h.columns.end());
  CHECK(static_cast<std::int64_t>(used.size()) == h.cols);
  CHECK((used.empty() || (*used.begin() == 0 && *used.rbegin() == h.cols - 1)));
  return h.columns;
}

template <class C>
void check_aggregate(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr_with<C>(s, 1);
  aggregates_of<C>(aggregate(exec, a)); // whatever the pattern is
  auto const graph = symmetrize_pattern(exec, a);
  auto const found = aggregates_of<C>(aggregate(exec, graph));
  CHECK(found == greedy_aggregates(neighbors_of(graph)));
  CHECK(aggregates_of<C>(aggregate(exec, graph)) == found);
}

using C = DoubleCase<Device>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::aggregate;
using heddle::InvalidArgument;

TEMPLATE_LIST_TEST_CASE("aggregate agrees with a greedy pass", "[aggregate]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    if (s.rows == s.cols)
    {
      check_aggregate<TestType>(exec, s);
      check_aggregate<TestType>(exec, shuffled(s, 5));
    }
  check_aggregate<TestType>(exec, random_structure("random", 3000, 3000, 2, 6));
}

TEST_CASE("aggregate makes aggregates of grids coarse enough for multigrid", "[aggregate]")
{
  for (char const* const name : {"stencil5_60", "stencil7_20", "stencil27_20"})
  {
    INFO(name);
    auto const grid = heddle::copy_to(Device{}, C::space{}, heddle::gallery(name));
    auto const p = aggregate(Device{}, grid);
    auto const neighbors = neighbors_of(grid);
    CHECK(aggregates_of<C>(p) == greedy_aggregates(neighbors));
    // Each aggregate has its root and all neighbors of it, which no other can take.
    CHECK(p.num_cols() * 5 < p.num_rows());
  }
}

TEST_CASE("aggregate needs neither edges nor a diagonal", "[aggregate]")
{
  CHECK(to_host(aggregate(Device{}, CsrOf<C>{})) == HostCsr<double>{0, 0, {0}, {}, {}});
  auto const apart = make_csr<C>({"no edges", 4, 4, {{}, {}, {}, {}}});
  CHECK(to_host(aggregate(Device{}, apart)) ==
        HostCsr<double>{4, 4, {0, 1, 2, 3, 4}, {0, 1, 2, 3}, {1, 1, 1, 1}});
  auto const triangle = make_csr<C>({"triangle", 3, 3, {{1, 2}, {0, 2}, {0, 1}}});
  CHECK(to_host(aggregate(Device{}, triangle)) ==
        HostCsr<double>{3, 1, {0, 1, 2, 3}, {0, 0, 0}, {1, 1, 1}});
}

TEST_CASE("aggregate refuses what is not square or too large", "[aggregate]")
{
  auto const message = [](auto const& call) { return message_of<InvalidArgument>(call); };
  CHECK(message([] { aggregate(Device{}, make_csr<C>(structure("wide"))); }) ==
        "heddle::aggregate: the graph is 31 x 700, expected a square matrix");
  using Short = Case<Device, double, int, std::int16_t>;
  Structure const many{"no edges", 40000, 40000, std::vector<std::vector<std::int64_t>>(40000)};
  CHECK(message([&] { aggregate(Device{}, make_csr<Short>(many)); }) ==
        "heddle::aggregate: the result has 40000 entries, which do not fit its offset type "
        "(largest value 32767); use wider offsets");
}
