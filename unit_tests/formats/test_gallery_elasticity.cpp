// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/gallery.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace heddle::test
{

TEST_CASE("elasticity has the structure of kron(stencil27, ones(3, 3))", "[gallery]")
{
  constexpr std::int64_t nx = 3, ny = 4, nz = 2;
  GalleryMatrix const nodes = generate::stencil27(nx, ny, nz);
  GalleryMatrix const a = generate::elasticity(nx, ny, nz);
  REQUIRE(a.num_rows() == 3 * nodes.num_rows());
  REQUIRE(a.num_cols() == 3 * nodes.num_cols());
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
  {
    Row expected;
    for (std::int64_t const node : row_of(nodes, i / 3))
      expected.insert(expected.end(), {3 * node, 3 * node + 1, 3 * node + 2});
    CHECK(row_of(a, i) == expected);
  }
}

namespace
{

// One displacement of each unknown, from a function of the node's place.
using Displacement = std::function<std::array<double, 3>(double x, double y, double z)>;

std::vector<double> displacement(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                 Displacement const& f)
{
  std::vector<double> u;
  for (std::int64_t i = 0; i < nx * ny * nz; ++i)
  {
    auto const [x, y, z] = point(i, nx, ny);
    for (double const component :
         f(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)))
      u.push_back(component);
  }
  return u;
}

std::vector<double> product(Dense const& a, std::vector<double> const& x)
{
  std::vector<double> y;
  for (std::vector<double> const& row : a)
    y.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
  return y;
}

// The entries of an elasticity matrix are multiples of 1 / 1872 (see its generator); with them as
// integers, sums are exact.
Dense times_1872(Dense a)
{
  double worst = 0;
  for (std::vector<double>& row : a)
    for (double& value : row)
    {
      double const rounded = std::round(1872 * value);
      worst = std::max(worst, std::abs(1872 * value - rounded));
      value = rounded;
    }
  CHECK(worst < 1e-12);
  return a;
}

} // namespace

TEST_CASE("elasticity is symmetric and rigid motions cost nothing", "[gallery]")
{
  constexpr std::int64_t nx = 3, ny = 4, nz = 3;
  Dense const a = times_1872(dense(generate::elasticity(nx, ny, nz)));
  bool is_symmetric = true;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    CHECK(a[i][i] > 0);
    for (std::size_t j = 0; j < a.size(); ++j)
      is_symmetric &= a[i][j] == a[j][i];
  }
  CHECK(is_symmetric);

  using Vector = std::array<double, 3>;
  std::vector<Displacement> const rigid_motions = {[](double, double, double) {
                                                     return Vector{1, 0, 0};
                                                   },
                                                   [](double, double, double) {
                                                     return Vector{0, 1, 0};
                                                   },
                                                   [](double, double, double) {
                                                     return Vector{0, 0, 1};
                                                   },
                                                   [](double x, double y, double) {
                                                     return Vector{-y, x, 0};
                                                   },
                                                   [](double x, double, double z) {
                                                     return Vector{z, 0, -x};
                                                   },
                                                   [](double, double y, double z) {
                                                     return Vector{0, -z, y};
                                                   }};
  for (Displacement const& motion : rigid_motions)
  {
    std::vector<double> const u = displacement(nx, ny, nz, motion);
    CHECK(product(a, u) == std::vector<double>(u.size(), 0.0));
  }
}

TEST_CASE("elasticity gives the energies of known strains", "[gallery]")
{
  // u^T A u is the integral of lambda tr(e)^2 + 2 mu e : e over the body; by hand for displacements
  // that the trilinear shape functions represent exactly.
  constexpr double lambda = 0.3 / (1.3 * 0.4), mu = 1 / 2.6;
  using Vector = std::array<double, 3>;
  struct Strain
  {
    Displacement motion;
    double density; // of a constant strain
  };
  std::vector<Strain> const constant = {{[](double x, double, double) {
                                           return Vector{x, 0, 0};
                                         },
                                         lambda + 2 * mu},
                                        {[](double, double y, double) {
                                           return Vector{0, y, 0};
                                         },
                                         lambda + 2 * mu},
                                        {[](double, double, double z) {
                                           return Vector{0, 0, z};
                                         },
                                         lambda + 2 * mu},
                                        {[](double, double y, double) {
                                           return Vector{y, 0, 0};
                                         },
                                         mu},
                                        {[](double, double, double z) {
                                           return Vector{0, z, 0};
                                         },
                                         mu},
                                        {[](double x, double, double) {
                                           return Vector{0, 0, x};
                                         },
                                         mu},
                                        {[](double x, double y, double z) {
                                           return Vector{x, y, z};
                                         },
                                         9 * lambda + 6 * mu}};
  auto const energy = [](std::int64_t nx, std::int64_t ny, std::int64_t nz,
                         Displacement const& motion) {
    std::vector<double> const u = displacement(nx, ny, nz, motion);
    std::vector<double> const force = product(dense(generate::elasticity(nx, ny, nz)), u);
    return std::inner_product(u.begin(), u.end(), force.begin(), 0.0);
  };
  for (Strain const& strain : constant)
  {
    CHECK(energy(2, 2, 2, strain.motion) == Catch::Approx(strain.density));
    CHECK(energy(3, 4, 3, strain.motion) == Catch::Approx(strain.density * 2 * 3 * 2));
  }
  // One element, strains that are not constant.
  CHECK(energy(2, 2, 2, [](double, double y, double z) {
          return Vector{y * z, 0, 0};
        }) == Catch::Approx(2 * mu / 3));
  CHECK(energy(2, 2, 2, [](double x, double y, double) {
          return Vector{x * y, 0, 0};
        }) == Catch::Approx((lambda + 3 * mu) / 3));
  CHECK(energy(2, 2, 2, [](double x, double y, double z) {
          return Vector{0, 0, x * y * z};
        }) == Catch::Approx((lambda + 4 * mu) / 9));
}

} // namespace heddle::test
