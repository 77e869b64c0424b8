// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/gallery.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <multigrid/problem.hpp>

using heddle::InvalidArgument;
using heddle::perf::laplacian_of;
using heddle::perf::LoadedMatrix;
using heddle::perf::multigrid_problem;
using heddle::test::HostCsr;
using heddle::test::make_csr;
using heddle::test::message_of;
using heddle::test::to_host;

namespace
{

using C = heddle::test::Case<heddle::test::Host, double, int, std::size_t>;

} // namespace

TEST_CASE("the Laplacian is that of the largest component without its vertex of most edges",
          "[perf]")
{
  // Edges 1 -> 2, 2 -> 4, 4 <-> 5, 2 -> 5, 6 -> 4; another component 0, 3; a loop at 5; 7 alone.
  auto const graph = make_csr<C>({"", 8, 8, {{3}, {2}, {5, 4}, {}, {5}, {4, 5}, {4}, {}}});
  // 2 and 4 have three edges each, and 2 is the first of them.
  CHECK(to_host(laplacian_of(graph)) ==
        HostCsr<double>{
            4, 4, {0, 1, 4, 6, 8}, {0, 1, 2, 3, 1, 2, 1, 3}, {1, 3, -1, -1, -1, 2, -1, 1}});
  CHECK(message_of<InvalidArgument>([] {
          laplacian_of(make_csr<C>({"", 2, 2, {{0}, {}}}));
        }) == "heddle::perf: the Laplacian of a graph without edges has no rows");
  CHECK(message_of<InvalidArgument>([] {
          laplacian_of(make_csr<C>({"", 0, 0, {}}));
        }) == "heddle::perf: the Laplacian of a graph without edges has no rows");
}

TEST_CASE("problems of multigrid are matrices, Laplacians or bodies that are held", "[perf]")
{
  auto const loaded = [](std::string const& name) {
    return LoadedMatrix{name, heddle::gallery(name)};
  };
  auto const grid = multigrid_problem(loaded("stencil5_4"), false);
  CHECK(grid.name == "stencil5_4");
  CHECK(to_host(grid.a) == to_host(heddle::gallery("stencil5_4")));
  CHECK(grid.coordinates.extent(0) == 0);

  auto const graph = multigrid_problem(loaded("rmat5_4"), true);
  CHECK(graph.name == "laplacian_rmat5_4");
  CHECK(to_host(graph.a) == to_host(laplacian_of(heddle::gallery("rmat5_4"))));

  auto const body = multigrid_problem(loaded("elast3_3_4_2"), false);
  auto const whole = to_host(heddle::gallery("elast3_3_4_2")), held = to_host(body.a);
  CHECK(body.rows_of_node == 3);
  REQUIRE(held.rows == 3 * 3 * 4);
  REQUIRE(body.coordinates.extent(0) == 12);
  CHECK(body.coordinates(7, 0) == 1);
  CHECK(body.coordinates(7, 1) == 2);
  CHECK(body.coordinates(7, 2) == 1);
  // Row i of the body is row i + 36 of the whole, without the columns of held nodes.
  for (std::size_t i = 0; i < 36; ++i)
  {
    auto k = held.offsets[i];
    for (auto n = whole.offsets[i + 36]; n < whole.offsets[i + 37]; ++n)
      if (whole.columns[n] >= 36)
      {
        REQUIRE(k < held.offsets[i + 1]);
        CHECK(held.columns[k] == whole.columns[n] - 36);
        CHECK(held.values[k] == whole.values[n]);
        ++k;
      }
    CHECK(k == held.offsets[i + 1]);
  }
  // Another matrix of that name.
  auto const other =
      multigrid_problem(LoadedMatrix{"elast3_3_4_2", heddle::gallery("stencil5_4")}, false);
  CHECK(other.a.num_rows() == 16);
  CHECK(other.rows_of_node == 1);
}
