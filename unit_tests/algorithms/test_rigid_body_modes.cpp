// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Modes of rigid bodies, and what a level of multigrid for elasticity makes of them.

#include <heddle/aggregate.hpp>
#include <heddle/block_norms.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/copy.hpp>
#include <heddle/filter.hpp>
#include <heddle/gallery.hpp>
#include <heddle/rigid_body_modes.hpp>
#include <heddle/spmm.hpp>
#include <heddle/tentative_prolongator.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Points = std::vector<std::vector<double>>;

template <class Real>
auto coordinates_of(Points const& points, std::size_t d)
{
  Kokkos::View<Real**, Device::memory_space> const view("heddle::test::points", points.size(), d);
  auto const host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t c = 0; c < d; ++c)
      host(i, c) = static_cast<Real>(points[i][c]);
  Kokkos::deep_copy(view, host);
  return view;
}

template <class View>
Points rows_of(View const& view)
{
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  Points rows(view.extent(0), std::vector<double>(view.extent(1)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      rows[i][j] = host(i, j);
  return rows;
}

double largest_of(Points const& rows)
{
  double largest = 0;
  for (auto const& row : rows)
    for (double const entry : row)
      largest = std::max(largest, std::abs(entry));
  return largest;
}

Points grid_points(int nx, int ny, int nz)
{
  Points points;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        points.push_back({double(x), double(y), double(z)});
  return points;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::aggregate;
using heddle::block_norms;
using heddle::filter;
using heddle::InvalidArgument;
using heddle::rigid_body_modes;
using heddle::tentative_prolongator;
using heddle::to_bsr;

TEST_CASE("rigid_body_modes moves two points", "[rigid_body_modes]")
{
  CHECK(rows_of(rigid_body_modes(Device{}, coordinates_of<double>({{4, 1}, {6, 5}}, 2))) ==
        Points{{1, 0, 2}, {0, 1, -1}, {1, 0, -2}, {0, 1, 1}});
  CHECK(rows_of(rigid_body_modes(Device{}, coordinates_of<float>({{1, 2, 3}, {3, 6, 9}}, 3))) ==
        Points{{1, 0, 0, 2, 0, -3},
               {0, 1, 0, -1, 3, 0},
               {0, 0, 1, 0, -2, 1},
               {1, 0, 0, -2, 0, 3},
               {0, 1, 0, 1, -3, 0},
               {0, 0, 1, 0, 2, -1}});
  CHECK(rigid_body_modes(Device{}, coordinates_of<double>({}, 3)).extent(0) == 0);
}

TEST_CASE("rigid motions of the gallery's elastic body cost nothing", "[rigid_body_modes]")
{
  auto const a =
      heddle::copy_to(Device{}, Device::memory_space{}, heddle::generate::elasticity(4, 3, 5));
  auto const modes = rigid_body_modes(Device{}, coordinates_of<double>(grid_points(4, 3, 5), 3));
  REQUIRE(modes.extent(0) == static_cast<std::size_t>(a.num_rows()));
  REQUIRE(modes.extent(1) == 6);
  decltype(modes) const forces("heddle::test::forces", modes.extent(0), 6);
  heddle::spmm(Device{}, 1.0, a, modes, 0.0, forces);
  Kokkos::fence();
  CHECK(largest_of(rows_of(forces)) <= 1e-13); // 81 terms of at most 2 each
}

TEST_CASE("a level of elasticity keeps the rigid motions", "[rigid_body_modes]")
{
  Device const exec;
  auto const a =
      heddle::copy_to(exec, Device::memory_space{}, heddle::generate::elasticity(9, 8, 7));
  auto const coordinates = coordinates_of<double>(grid_points(9, 8, 7), 3);
  auto const modes = rigid_body_modes(exec, coordinates);        // 3 rows per node, 6 columns
  auto const nodes = block_norms(exec, to_bsr(exec, a, {3, 3})); // the graph of the nodes
  auto const aggregates = aggregate(exec, filter(exec, nodes, 0.02));
  auto const level = tentative_prolongator(exec, aggregates, modes);
  CHECK(nodes.num_rows() == 9 * 8 * 7);
  CHECK(aggregates.num_cols() * 8 < aggregates.num_rows());
  REQUIRE(level.p.num_cols() == 6 * aggregates.num_cols());
  auto const coarse = rows_of(level.coarse);
  for (std::size_t row = 0; row < coarse.size(); ++row)
    CHECK(coarse[row][row % 6] > 0.1); // no mode is lost
  Kokkos::View<double**, Device::memory_space> const lost("heddle::test::lost", modes.extent(0), 6);
  Kokkos::deep_copy(lost, modes);
  heddle::spmm(exec, -1.0, level.p, level.coarse, 1.0, lost);
  exec.fence();
  CHECK(largest_of(rows_of(lost)) <= 1e-14 * largest_of(rows_of(modes)));
}

TEST_CASE("rigid_body_modes refuses other dimensions", "[rigid_body_modes]")
{
  for (std::size_t const d : {std::size_t(1), std::size_t(4)})
    CHECK(message_of<InvalidArgument>([&] {
            rigid_body_modes(Device{}, coordinates_of<double>({{1, 2, 3, 4}}, d));
          }) == "heddle::rigid_body_modes: coordinates has " + std::to_string(d) +
                    " columns, expected 2 or 3");
}
