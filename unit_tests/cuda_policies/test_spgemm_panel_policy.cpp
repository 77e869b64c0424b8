// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

using heddle::test::h200;
using namespace heddle::cuda_native;

namespace
{

std::vector<int> sizes_of(MatrixSizes const& a, MatrixSizes const& b)
{
  NodeSizes const possible = possible_node_sizes(a, b);
  return {possible.sizes, possible.sizes + possible.count};
}

} // namespace

TEST_CASE("sizes of nodes are those that divide both matrices", "[cuda_native]")
{
  MatrixSizes const twelve{12, 24, 144 * 5};
  CHECK(sizes_of(twelve, twelve) == std::vector{6, 4, 3, 2});
  CHECK(sizes_of(twelve, {24, 9, 144}) == std::vector{3});
  CHECK(sizes_of(twelve, {24, 12, 36}) == std::vector{6, 3, 2});
  CHECK(sizes_of({12, 24, 7}, twelve).empty());
  CHECK(sizes_of({13, 24, 144}, twelve).empty());
}

TEST_CASE("bins of panels grow by no more than a half", "[cuda_native]")
{
  CHECK(most_entries_of_panel(0) == 16);
  for (int bin = 1; bin < panel_bins; ++bin)
  {
    CHECK(most_entries_of_panel(bin) > most_entries_of_panel(bin - 1));
    CHECK(2 * most_entries_of_panel(bin) <= 3 * most_entries_of_panel(bin - 1));
  }
  // Slots have 16 bits.
  CHECK(most_entries_of_panel(panel_bins - 1) <= 1 << 16);
}

TEST_CASE("teams of a block share its memory", "[cuda_native]")
{
  for (int team = 0; team < panel_teams; ++team)
  {
    CHECK(panel_bytes(team) * (spgemm_panel_policy.shared_block / panel_threads(team)) ==
          spgemm_panel_policy.bytes_of_block);
    CHECK(panel_team(panel_threads(team)) == team);
  }
  CHECK(panel_threads(panel_teams - 1) == spgemm_panel_policy.shared_block);
}

TEST_CASE("plans have panels for many rows that take short rows of B", "[cuda_native]")
{
  CHECK(panels_pay(h200, 100000, 0, 25.0));
  CHECK(panels_pay(h200, 100000, 100000, 25.0));
  CHECK_FALSE(panels_pay(h200, 100000, 100001, 25.0)); // most rows are others
  CHECK_FALSE(panels_pay(h200, 20000, 0, 25.0));
  CHECK_FALSE(panels_pay(h200, 100000, 0, 41.0));
  // Fewer lanes a row where rows of B are shorter: more rows are needed.
  CHECK_FALSE(panels_pay(h200, 40000, 0, 12.0));
  CHECK(panels_pay(h200, 40000, 0, 13.0));
}

TEST_CASE("a multiprocessor holds panels until its memory or its threads are used up",
          "[cuda_native]")
{
  CHECK(panel_blocks_of_multiprocessor(h200, 1 << 10, 64) == 32);
  CHECK(panel_blocks_of_multiprocessor(h200, 48 << 10, 64) == 4);
  CHECK(panel_blocks_of_multiprocessor(h200, 220 << 10, 128) == 1);
}
