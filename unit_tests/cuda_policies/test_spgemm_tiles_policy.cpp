// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <vector>

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
  small.products *= 3;
  CHECK_FALSE(tiles_pay(small, by_dense_rows(0.0), 1));
  CHECK(tiles_pay(small, by_dense_rows(0.0), 100));
}

TEST_CASE("tiles have to be faster than dense rows, and than kernels of floats", "[cuda_native]")
{
  // Neighbours whose C has 3422 columns: 652 us by dense rows of floats, most of it for their sums.
  TilesQuestion const neighbours{198777, 814272, 36936, 920844, 63799758, 4969, 4303};
  CHECK_FALSE(tiles_pay(neighbours, by_dense_rows(0.0, sizeof(float)), 1));
  CHECK(tiles_pay(neighbours, by_dense_rows(17e6, sizeof(float)), 1));
  CHECK(tiles_pay(neighbours, by_dense_rows(17e6), 100));
  // Small blocks that are aligned, floats by nodes of three rows: 1479 us, 1632 by tiles.
  TilesQuestion const blocks{529186, 2127664, 193424, 10880100, 897608250, 238511, 4950};
  CHECK_FALSE(tiles_pay(blocks, by_nodes(3, sizeof(float)), 1));
  CHECK(tiles_pay(blocks, by_nodes(3), 1));
  // What finding them took is spent: 1876 us where they were given up then.
  CHECK(tiles_pay(blocks, by_nodes(3, sizeof(float)), 1, true));
}

TEST_CASE("long strips take long to be found", "[cuda_native]")
{
  // 64 rows of 15,500 entries, whose tiles two thread blocks find in 1 ms.
  TilesQuestion few_rows{.common_steps = 18024,
                         .tile_products = 288384,
                         .tiles = 72096,
                         .entries = 1985390,
                         .products = 40000000,
                         .blocks = 4,
                         .entries_of_strip = 496348};
  CHECK_FALSE(tiles_pay(few_rows, by_nodes(1), 1));
  few_rows.entries_of_strip = 1000;
  CHECK(tiles_pay(few_rows, by_nodes(1), 1));
}

TEST_CASE("a product is sampled where full tiles would repay it", "[cuda_native]")
{
  auto const square = [](std::int64_t rows, std::int64_t entries, double products) {
    return ProductSizes{entries, entries, products, rows, rows, rows};
  };
  CHECK(full_tiles_pay(square(10000, 600000, 5e7), by_nodes(1), 1));
  CHECK_FALSE(full_tiles_pay(square(10000, 600000, 5e6), by_nodes(1), 1));  // few products
  CHECK_FALSE(full_tiles_pay(square(10000, 3500000, 5e7), by_nodes(1), 1)); // per entry
  CHECK(full_tiles_pay(square(1000, 60000, 1e7), by_nodes(1), 100));
  CHECK_FALSE(full_tiles_pay(square(1000, 60000, 2e6), by_nodes(1), 100));
}

TEST_CASE("a sample says how many tiles and products of tiles there are", "[cuda_native]")
{
  // Tiles of 32 entries, two in each step of A and four in each of B.
  SampledTiles const sampled{.entries = 640, .tiles = 20, .steps_of_a = 10, .steps_of_b = 5};
  TilesQuestion const expected = expected_tiles({.entries_a = 64000,
                                                 .entries_b = 32000,
                                                 .products = 512e4,
                                                 .rows = 3200,
                                                 .inner = 1600,
                                                 .cols = 64},
                                                sampled, sampled);
  CHECK(expected.tiles == 3000);
  CHECK(expected.entries == 96000);
  CHECK(expected.tile_products == 40000); // four places for each product
  CHECK(expected.common_steps == 5000);
  CHECK(expected.products == 5120000);
  CHECK(expected.blocks == 200); // 100 strips by 2
  CHECK(expected.entries_of_strip == 640);
}

TEST_CASE("a single multiply takes tiles where they were measured to be faster", "[cuda_native]")
{
  // What was counted, and times of whole multiplies in us by other kernels and by tiles
  // (perf_tests/results/h200/spgemm_tiles_sample.txt).
  struct Measured
  {
    char const* name;
    TilesQuestion counted;
    OtherKernels others;
    bool is_faster;
  };
  Measured const all[] = {{"dense blocks, 397 and 214",
                           {45598, 502452, 15570, 871200, 191664000, 961, 14052},
                           by_nodes(6),
                           true},
                          {"a pruned layer, 444 and 305",
                           {197568, 3160753, 37630, 695012, 135936884, 1764, 8274},
                           by_dense_rows(3.9e6),
                           true},
                          {"a pruned layer of 64 rows, 149 and 1244",
                           {18024, 288384, 72096, 1985390, 27905893, 4, 496348},
                           by_dense_rows(1e5),
                           false},
                          {"a band, 346 and 195",
                           {11004, 141000, 11488, 673898, 60640283, 725, 5711},
                           by_nodes(1),
                           true},
                          {"neighbours, 692 and 300",
                           {198777, 814272, 36936, 920844, 63799758, 4969, 4303},
                           by_nodes(1),
                           true},
                          {"far neighbours, 506 and 649",
                           {479192, 1615494, 142068, 2407666, 58138337, 31384, 1536},
                           by_nodes(1),
                           false},
                          {"images, 475 and 223",
                           {119424, 1484191, 22234, 245426, 41415205, 1444, 3229},
                           by_nodes(1),
                           true},
                          {"a pruned convolution, 313 and 186",
                           {65536, 1000000, 16000, 204646, 21134291, 1024, 3198},
                           by_nodes(1),
                           true},
                          {"elements, 251 and 186",
                           {28842, 202285, 21718, 580756, 18728606, 2709, 1898},
                           by_nodes(1),
                           true},
                          {"elements of three unknowns, 380 and 307",
                           {104506, 658256, 55256, 1326528, 48038400, 8572, 2211},
                           by_nodes(6),
                           true},
                          {"elements of four unknowns, 591 and 664",
                           {362805, 1196590, 112476, 4188992, 208384640, 38229, 3067},
                           by_nodes(4),
                           false},
                          {"small blocks, 2873 and 3987",
                           {2429132, 8994029, 364676, 10880100, 897608250, 799104, 5276},
                           by_nodes(3),
                           false},
                          {"small blocks that are aligned, 2873 before",
                           {529186, 2127664, 193424, 10880100, 897608250, 238511, 4950},
                           by_nodes(3),
                           true}};
  for (Measured const& m : all)
  {
    INFO(m.name);
    CHECK(static_cast<bool>(tiles_pay(m.counted, m.others, 1)) == m.is_faster);
  }
}

TEST_CASE("small blocks are aligned to tiles, large ones are not", "[cuda_native]")
{
  // Nodes of 15 rows, and of 5 of these, which are as many tiles.
  TilesQuestion const as_they_are{.common_steps = 2162769,
                                  .tile_products = 8115321,
                                  .tiles = 365761,
                                  .entries = 10880100,
                                  .products = 897608250,
                                  .blocks = 135173};
  TilesQuestion aligned = as_they_are;
  aligned.common_steps = 564761;
  aligned.tile_products = 2269508;
  aligned.tiles = 193424;
  aligned.blocks = 35297;
  for (std::int64_t const calls : {1, 100})
  {
    CHECK(alignment_pays(aligned, as_they_are, calls));
    CHECK_FALSE(alignment_pays(as_they_are, as_they_are, calls));
    CHECK_FALSE(alignment_pays(as_they_are, aligned, calls));
  }
  auto const sizes_of = [](NodeSizesInTiles const& possible) {
    return std::vector<int>(possible.sizes, possible.sizes + possible.count);
  };
  MatrixSizes const of_15{32970, 32970, 5440050};
  CHECK(sizes_of(possible_alignments(of_15, of_15)) == std::vector{15, 5});
  CHECK(sizes_of(possible_alignments(of_15, {32970, 32970, 5440051})).empty());
  MatrixSizes const of_any{360360, 360360, std::int64_t(360360) * 360360};
  CHECK(sizes_of(possible_alignments(of_any, of_any)) == std::vector{15, 14, 13, 12, 11, 10});
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
