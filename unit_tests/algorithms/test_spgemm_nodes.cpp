// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices of nodes: several rows with one pattern, whose columns come in runs of as many. On CUDA
// both phases then go by node, and sums of any rows may be in panels, by slots that a plan keeps.

#include <heddle/error.hpp>
#include <heddle/spgemm.hpp>
#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;

namespace
{

using C = Case<Device, double, int, std::size_t>;
SpgemmOptions const row_panels{.accumulator = SpgemmAccumulator::row_panels};

// Each entry becomes a dense block of size x size.
Structure of_nodes(Structure const& graph, int size)
{
  Structure s{graph.name + " of nodes of " + std::to_string(size),
              graph.rows * size,
              graph.cols * size,
              {}};
  for (auto const& nodes : graph.columns)
  {
    std::vector<std::int64_t> row;
    for (std::int64_t const node : nodes)
      for (int c = 0; c < size; ++c)
        row.push_back(node * size + c);
    s.columns.insert(s.columns.end(), static_cast<std::size_t>(size), row);
  }
  return s;
}

// With what the plan chooses, and with panels where there are any.
template <class C>
void check(Structure const& a, Structure const& b)
{
  check_spgemm<C>(a, b, {});
  if (has_native_spgemm<C>())
    check_products<C>(a, b, spgemm_names<C>().front(), row_panels);
}

// Nodes with 12 neighbours each: on CUDA so many that a plan looks for nodes in two such matrices.
std::int64_t many(int size) { return has_native_spgemm<C>() ? 5760 / (size * size) : 40; }
Structure many_nodes(int size, std::uint64_t seed = 41)
{
  return of_nodes(random_structure("12 neighbours", many(size), many(size), 12, seed), size);
}

} // namespace

TEST_CASE("spgemm multiplies matrices of nodes", "[spgemm][nodes]")
{
  Structure graph = random_structure("4 neighbours", 30, 25, 4, 48);
  graph.columns[7].clear();
  for (int const size : {2, 3, 4, 5, 6})
    for (Structure const& s : {graph, shuffled(graph, 49), structure("0 x 7")})
      check<C>(of_nodes(s, size), of_nodes(transposed(s), size));
}

TEMPLATE_LIST_TEST_CASE("spgemm multiplies nodes of every type", "[spgemm][nodes]", DeviceTypes)
{
  for (int const size : {2, 3, 4, 6})
  {
    Structure const a = many_nodes(size);
    check<TestType>(a, a);
    check<TestType>(a, of_nodes(random_structure("5 neighbours", many(size), 90, 5, 42), size));
  }
}

TEST_CASE("spgemm multiplies nodes with long rows of C", "[spgemm][nodes]")
{
  // Sums of a row of nodes for a warp, for a block, and more than shared memory has.
  for (std::int64_t const nodes : {300, 900})
    for (int const size : {2, 3, 6})
    {
      Structure const wide = of_nodes(random_structure("wide", 40, 5000, nodes / 10, 43), size);
      check<C>(of_nodes(random_structure("10 a row", 20, 40, 10, 44), size), wide);
    }
}

TEST_CASE("spgemm multiplies matrices that are nearly nodes", "[spgemm][nodes]")
{
  Structure const a = of_nodes(random_structure("6 neighbours", 50, 50, 6, 50), 3);
  if (has_native_spgemm<C>())
    REQUIRE_THAT(describe_spgemm<C>(a, a, row_panels), ContainsSubstring("50 nodes of 3 rows"));
  auto const check_changed = [&](char const* name, auto const& change) {
    Structure changed = a;
    changed.name = name;
    change(changed);
    check<C>(changed, changed);
    check<C>(a, changed);
    check<C>(changed, a);
    if (has_native_spgemm<C>())
      CHECK_THAT(describe_spgemm<C>(changed, changed, row_panels),
                 !ContainsSubstring("nodes of 3 rows"));
  };
  check_changed("a column moved", [](Structure& s) {
    auto& row = s.columns[61];
    row.back() = row.back() + 1 < s.cols ? row.back() + 1 : row.back();
    if (row.back() == s.columns[60].back())
      row[0] = row[0] > 0 ? row[0] - 1 : row[0];
  });
  check_changed("a column less in one row, one more in another", [](Structure& s) {
    s.columns[61].pop_back();
    auto& row = s.columns[91];
    std::int64_t free = 0;
    while (std::find(row.begin(), row.end(), free) != row.end())
      ++free;
    row.insert(std::upper_bound(row.begin(), row.end(), free), free);
  });
  check_changed("runs that begin one later", [](Structure& s) {
    for (auto& row : s.columns)
    {
      for (std::int64_t& column : row)
        column = (column + 1) % s.cols;
      std::sort(row.begin(), row.end());
    }
  });
  check_changed("columns of a run in another order", [](Structure& s) {
    for (std::size_t r = 60; r < 63; ++r)
      std::swap(s.columns[r][0], s.columns[r][1]);
  });
}

namespace
{

// Without the last of every n rows, and its column.
Structure without_rows(Structure const& s, std::int64_t n)
{
  Structure left{s.name + " without rows", s.rows - s.rows / n, s.cols - s.rows / n, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    if (i % n != n - 1)
    {
      left.columns.emplace_back();
      for (std::int64_t const j : s.columns[i])
        if (j % n != n - 1)
          left.columns.back().push_back(j - j / n);
    }
  return left;
}

} // namespace

TEST_CASE("spgemm multiplies nodes from which rows were removed", "[spgemm][nodes]")
{
  for (int const size : {2, 3, 4, 6})
  {
    Structure const whole = of_nodes(random_structure("9 neighbours", 70, 70, 9, 52), size);
    Structure const s = without_rows(whole, 10);
    Structure holes = s;
    for (std::int64_t i = 0; i < s.rows; i += 7)
      holes.columns[i].erase(holes.columns[i].begin() + i % 5);
    check<C>(s, s);
    check<C>(s, holes);
    check<C>(holes, s);
    if (has_native_spgemm<C>())
    {
      CHECK_THAT(describe_spgemm<C>(s, s, row_panels), ContainsSubstring("nodes of up to "));
      CHECK_THAT(describe_spgemm<C>(s, holes, row_panels), ContainsSubstring("nodes of up to "));
    }
  }
}

TEST_CASE("plans of spgemm by nodes with gaps repeat their bits", "[spgemm][nodes]")
{
  if (!has_native_spgemm<C>())
    return;
  Structure const s =
      without_rows(of_nodes(random_structure("12 neighbours", 400, 400, 12, 53), 3), 20);
  auto const a = make_csr<C>(s);
  heddle::SpgemmPlan const plan(C::exec{}, a, a, row_panels);
  CHECK_THAT(plan.describe(), ContainsSubstring("nodes of up to "));
  REQUIRE(plan.is_repeatable());
  CHECK(calls_with_other_bits<C>(plan, a, a) == 0);
  // Rows out of order are no nodes.
  CHECK_THAT(describe_spgemm<C>(shuffled(s, 54), s, row_panels),
             !ContainsSubstring("nodes of up to"));
}

TEST_CASE("spgemm has sums in panels where that is asked for", "[spgemm][nodes]")
{
  if (!has_native_spgemm<C>())
    return;
  char const* const name = spgemm_names<C>().front();
  for (Structure const& s : small_structures())
    check_products<C>(s, transposed(s), name, row_panels);
  for (std::int64_t const per_row : {3, 20, 60})
    check_products<C>(random_structure("30 a row", 100, 400, 30, 45),
                      random_structure("B", 400, 900, per_row, 46), name, row_panels);
  // All rows are merged or empty: one list of rows serves both phases.
  Structure merged = random_structure("3 a row", 300, 300, 3, 51);
  for (std::size_t i = 0; i < merged.columns.size(); i += 3)
    merged.columns[i].clear();
  check_products<C>(merged, merged, name, row_panels);
  SpgemmOptions options = row_panels;
  options.op_a = heddle::Op::transpose;
  check_products<C>(structure("tall"), structure("tall"), name, options);
  options = row_panels;
  for (std::size_t const cap : {1000, 40000, 400000})
  {
    options.max_workspace_bytes = cap;
    try
    {
      check_products<C>(many_nodes(3), many_nodes(3), name, options);
    }
    catch (heddle::OutOfMemory const&)
    {}
  }
}

TEST_CASE("plans of spgemm say that they go by node, and repeat their bits", "[spgemm][nodes]")
{
  if (!has_native_spgemm<C>())
    return;
  for (int const size : {2, 3, 4, 6})
  {
    // Many calls of so few products are done by terms.
    heddle::SpgemmOptions const once{.expected_calls = 1};
    CHECK_THAT(describe_spgemm<C>(many_nodes(size), many_nodes(size)),
               ContainsSubstring("of terms that are kept"));
    CHECK_THAT(describe_spgemm<C>(many_nodes(size), many_nodes(size), once),
               ContainsSubstring(std::to_string(many(size)) + " nodes of " + std::to_string(size) +
                                 " rows"));
    auto const a = make_csr<C>(many_nodes(size));
    heddle::SpgemmPlan const plan(C::exec{}, a, a, once);
    REQUIRE(plan.is_repeatable());
    CHECK(calls_with_other_bits<C>(plan, a, a) == 0);
  }
  Structure const wide = random_structure("30 a row", 100, 400, 30, 45);
  CHECK_THAT(describe_spgemm<C>(wide, transposed(wide), row_panels),
             ContainsSubstring("100 rows have their sums in panels"));
}

TEST_CASE("a plan by node reports matrices of another pattern", "[spgemm][nodes]")
{
  if (!has_native_spgemm<C>())
    return;
  // As many neighbours in each row, and others.
  auto const ring = [](std::int64_t step) {
    Structure s{"ring", 640, 640, {}};
    for (std::int64_t i = 0; i < s.rows; ++i)
    {
      s.columns.push_back({});
      for (std::int64_t n = 0; n < 12; ++n)
        s.columns.back().push_back((i + n * step) % s.cols);
      std::sort(s.columns.back().begin(), s.columns.back().end());
    }
    return of_nodes(s, 3);
  };
  auto const a = make_csr<C>(ring(1)), b = make_csr<C>(ring(7));
  heddle::SpgemmPlan const plan(C::exec{}, a, a, {.expected_calls = 1});
  REQUIRE_THAT(plan.describe(), ContainsSubstring("640 nodes of 3 rows"));
  auto const c = plan.make_result(C::exec{});
  heddle::spgemm(C::exec{}, plan, b, b, c);
  C::exec{}.fence();
  CHECK_THROWS_AS(heddle::spgemm(C::exec{}, plan, a, a, c), heddle::InvalidArgument);
}
