// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>

using Catch::Matchers::ContainsSubstring;
using heddle::test::h200;
using namespace heddle::cuda_native;

namespace
{

// 1.3 10^9 products of rows of 890 entries in tiles that are nearly full.
TilesQuestion dense_blocks()
{
  return {.common_steps = 235000,
          .tile_products = 3060000,
          .tiles = 50000,
          .entries = 3000000,
          .products = 1340000000,
          .blocks = 3500};
}
// Elements with three unknowns per node: a third of a tile is filled.
TilesQuestion nodes_of_three()
{
  return {.common_steps = 4000000,
          .tile_products = 15300000,
          .tiles = 1200000,
          .entries = 29000000,
          .products = 1157000000,
          .blocks = 200000};
}

} // namespace

TEST_CASE("tiles of dense blocks pay for one call and for many", "[cuda_native]")
{
  for (std::int64_t const calls : {1, 100})
    for (int const size : {1, 2})
      CHECK(tiles_pay(dense_blocks(), by_nodes(size), calls));
  CHECK_THAT(tiles_pay(dense_blocks(), by_nodes(1), 1).reason(),
             ContainsSubstring("3060000 products of tiles"));
}

TEST_CASE("tiles do not pay where nodes multiply, or tiles are nearly empty", "[cuda_native]")
{
  CHECK(tiles_pay(nodes_of_three(), by_nodes(1), 100));
  CHECK_FALSE(tiles_pay(nodes_of_three(), by_nodes(3), 100));
  TilesQuestion empty = dense_blocks();
  empty.common_steps = 100 * empty.common_steps; // one product of tiles each
  empty.tile_products = empty.common_steps;
  CHECK_FALSE(tiles_pay(empty, by_nodes(1), 100));
}

TEST_CASE("few calls do not repay finding tiles of a small product", "[cuda_native]")
{
  TilesQuestion small = dense_blocks();
  small.common_steps /= 200;
  small.tile_products /= 200;
  small.tiles /= 200;
  small.entries /= 200;
  small.products /= 200;
  small.blocks /= 200;
  CHECK_FALSE(tiles_pay(small, by_nodes(1), 1));
  CHECK(tiles_pay(small, by_nodes(1), 100));
}

TEST_CASE("tiles are looked for where a sample says that they are filled", "[cuda_native]")
{
  ProductSizes const products{.entries = 200000, .products = 1e8};
  CHECK(tiles_may_pay(products, 1.5, by_nodes(1), 100));
  CHECK(tiles_may_pay(products, 12.0, by_nodes(1), 100));
  CHECK_FALSE(tiles_may_pay(products, 20.0, by_nodes(1), 100));
  CHECK_FALSE(tiles_may_pay(products, 500.0, by_nodes(1), 100));
  CHECK(tiles_may_pay(products, 1.5, by_nodes(2), 100));
  CHECK_FALSE(tiles_may_pay(products, 7.0, by_nodes(2), 100)); // nodes of two rows
  CHECK_FALSE(tiles_may_pay(products, 2.5, by_nodes(3), 100));
  CHECK(tiles_may_pay(products, 12.0, by_dense_rows, 100));
  CHECK_FALSE(tiles_may_pay(products, 20.0, by_dense_rows, 100));
  // A single call: the product must be large beside the entries.
  CHECK_FALSE(tiles_may_pay({.entries = 20000, .products = 1e6}, 1.5, by_nodes(1), 1));
  CHECK(tiles_may_pay({.entries = 1000000, .products = 1.4e8}, 1.5, by_nodes(1), 1));
  CHECK_FALSE(tiles_may_pay({.entries = 50000000, .products = 1.4e8}, 1.5, by_nodes(1), 1));
}

TEST_CASE("a single multiply takes tiles where they were measured to be faster", "[cuda_native]")
{
  // What was counted, and times of whole multiplies in us by other kernels and by tiles
  // (perf_tests/results/h200/spgemm_tiles_symbolic.txt).
  struct Measured
  {
    char const* name;
    TilesQuestion counted;
    double places; // of a product
    OtherKernels others;
    bool is_faster;
  };
  Measured const all[] = {{"dense blocks, 401 and 210",
                           {45600, 502000, 15600, 871200, 191700000, 961},
                           1.3,
                           by_nodes(6),
                           true},
                          {"a pruned layer, 440 and 310",
                           {198000, 3160000, 37600, 695012, 135900000, 1764},
                           11.9,
                           by_dense_rows,
                           true},
                          {"a band, 337 and 173",
                           {11000, 141000, 11500, 673898, 60640000, 725},
                           1.2,
                           by_nodes(1),
                           true},
                          {"neighbours, 696 and 300",
                           {199000, 814000, 36900, 920844, 63800000, 4969},
                           6.5,
                           by_nodes(1),
                           true},
                          {"far neighbours, 516 and 660",
                           {479000, 1620000, 142000, 2407666, 58140000, 31384},
                           14.2,
                           by_nodes(1),
                           false},
                          {"elements of three unknowns, 607 and 637",
                           {363000, 1200000, 112000, 4188992, 208400000, 38229},
                           2.9,
                           by_nodes(3),
                           false},
                          {"small blocks, 3114 and 4279",
                           {2430000, 8990000, 365000, 10880100, 897600000, 799104},
                           5.1,
                           by_nodes(3),
                           false}};
  for (Measured const& m : all)
  {
    INFO(m.name);
    ProductSizes const sizes{.entries = m.counted.entries,
                             .products = static_cast<double>(m.counted.products)};
    CHECK((tiles_may_pay(sizes, m.places, m.others, 1) &&
           static_cast<bool>(tiles_pay(m.counted, m.others, 1))) == m.is_faster);
  }
}

TEST_CASE("warps share a block of C where there are few, up to what steps allow", "[cuda_native]")
{
  CHECK(parts_of_blocks(h200, 100000, 1000.0) == 1);
  CHECK(parts_of_blocks(h200, 400, 1000.0) == 3);
  CHECK(parts_of_blocks(h200, 400, 10.0) == 1);
  CHECK(parts_of_blocks(h200, 4, 100000.0) == spgemm_tiles_policy.most_parts);
  CHECK(parts_of_blocks(h200, 0, 0.0) == 1);
}

TEST_CASE("tensor cores multiply doubles at full rate on GPUs for servers alone", "[cuda_native]")
{
  for (int const architecture : {80, 90, 100})
    CHECK(architecture_shape(architecture).has_f64_mma);
  for (int const architecture : {70, 75, 86, 87, 89, 103, 120})
    CHECK_FALSE(architecture_shape(architecture).has_f64_mma);
}
