// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_costs.hpp>
#include <heddle/cuda_native/spmm/row_model.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>

// How plans for SpMM choose who takes which rows, on any host.

namespace heddle::test
{

namespace
{

using cuda_native::no_row;
using cuda_native::RowLengths;
using cuda_native::RowsOfCall;
using cuda_native::SpmmRowCosts;
using cuda_native::SpmmRowModel;
using cuda_native::SpmmShortPolicy;

SpmmRowModel model_of(std::size_t value_bytes) { return {value_bytes, h200}; }
RowLengths alike(std::int64_t rows, std::int64_t entries)
{
  return RowLengths::of(
      impl::RowStatistics{.rows = rows, .nonzeros = rows * entries, .longest = entries});
}

} // namespace

TEST_CASE("the model of a call of csr_rows adds up what it says", "[cuda_native]")
{
  // 1000 rows of 64 entries, 128 columns of floats in tiles of 256 bytes: two tiles, groups of 16
  // lanes, two of them a warp, eight a block.
  SpmmRowCosts const costs = SpmmRowCosts::of(4);
  RowLengths const rows = alike(1000, 64);
  auto const expected = [&](double beside, double turns, double warps) {
    double const chain = costs.turn_us * (beside + turns);
    double const work =
        costs.turn_us * 1000 * warps * (beside + turns) * 2 / (costs.warps * h200.multiprocessors);
    double const memory = 1e-6 * costs.us_of_megabyte * (1000 * 512 + 64000 * 8 * 2);
    return costs.launch_us + std::sqrt(chain * chain + work * work + memory * memory);
  };
  SpmmRowModel const model = model_of(4);
  CHECK(model.microseconds(rows, {256, 0, 0}, 512, 0) ==
        Catch::Approx(expected(costs.block_turns, 2, 4)));
  CHECK(model.microseconds(rows, {256, 0, no_row}, 512, 0) ==
        Catch::Approx(expected(costs.warp_turns, 8, 1)));
  CHECK(model.microseconds(rows, {256, no_row, no_row}, 512, 0) ==
        Catch::Approx(expected(costs.group_turns, 16, 0.5)));
  // Segments of 32 entries are blocks, twice as many, and take a second launch.
  double const chain = costs.turn_us * (costs.block_turns + 1);
  double const work =
      costs.turn_us * 2000 * 4 * (costs.block_turns + 1) * 2 / (costs.warps * h200.multiprocessors);
  double const memory = 1e-6 * costs.us_of_megabyte * (1000 * 512 + 64000 * 8 * 2);
  CHECK(model.microseconds(rows, {256, no_row, no_row}, 512, 32) ==
        Catch::Approx(costs.launch_us + costs.segments_us +
                      std::sqrt(chain * chain + work * work + memory * memory)));
  // Where the longest unit counts most, caution does.
  CHECK(model.microseconds(alike(1, 100000), {256, no_row, no_row}, 512, 0, 2.0) >
        1.9 * model.microseconds(alike(1, 100000), {256, no_row, no_row}, 512, 0));
}

TEST_CASE("few rows of hundreds of entries take blocks, many rows groups", "[cuda_native]")
{
  for (std::size_t const bytes : {4, 8})
  {
    INFO(bytes);
    SpmmRowModel const model = model_of(bytes);
    for (std::int64_t const columns : {8, 32, 128})
    {
      INFO(columns);
      auto const row_bytes = columns * static_cast<std::int64_t>(bytes);
      CHECK(model.best_of_alike(alike(128, 500), row_bytes, 512).block_from == 0);
      RowsOfCall const many = model.best_of_alike(alike(1 << 20, 8), row_bytes, 512);
      // A group of all lanes is a warp: which of the two the model takes says nothing then.
      CHECK((many.warp_from == no_row || many.tile_bytes == 512));
      CHECK(many.block_from == no_row);
      // The limit on tiles holds, and what is chosen is no slower than the widest tile.
      RowsOfCall const narrow = model.best_of_alike(alike(1 << 20, 8), row_bytes, 128);
      CHECK(narrow.tile_bytes <= 128);
      CHECK(many.microseconds <=
            model.microseconds(alike(1 << 20, 8), {512, no_row, no_row}, row_bytes, 0));
    }
    // Where there are few rows, tiles are narrower than rows of B, so that there are more blocks.
    CHECK(model.best_of_alike(alike(128, 500), 512, 512).tile_bytes < 512);
  }
}

TEST_CASE("rows are cut where they are long beside all work", "[cuda_native]")
{
  for (std::size_t const bytes : {4, 8})
  {
    INFO(bytes);
    SpmmRowModel const model = model_of(bytes);
    CHECK(model.segment(alike(30, 20000), 512) > 0);
    CHECK(model.segment(alike(500, 300), 512) == 0); // blocks for whole rows will do
    CHECK(model.segment(alike(100000, 7), 512) == 0);
    CHECK(model.segment(alike(20000, 3000), 512) == 0); // enough of them to wait for each other
    // 10^5 rows of 4 to 7 entries, and two of 2^17.
    std::array<std::int64_t, cuda_native::length_classes> rows_from{};
    for (std::size_t n = 0; n < rows_from.size(); ++n)
      rows_from[n] = n <= 3 ? 100002 : n <= 18 ? 2 : 0;
    impl::RowStatistics const rows{
        .rows = 100002, .nonzeros = 5 * 100000 + (2 << 17), .longest = 1 << 17};
    RowLengths const lengths = RowLengths::of(rows, rows_from);
    REQUIRE(lengths.count == 2);
    CHECK(lengths.classes[0].rows == 2);
    CHECK(lengths.classes[1].rows == 100000);
    CHECK(lengths.classes[1].length >= 4);
    CHECK(lengths.classes[1].length <= 8);
    CHECK(model.segment(lengths, 512) > 0);
  }
}

TEST_CASE("tiles are as narrow as the second cache asks for", "[cuda_native]")
{
  using Policy = cuda_native::SpmmCsrPolicyFor;
  cuda_native::RowOverlap overlap;
  auto const bytes = [&](double alone, double span, double mean) {
    overlap.alone = alone;
    overlap.span = span;
    return Policy::tile_bytes(overlap, mean, h200); // 60 MiB, of which 40 may be in use
  };
  CHECK(bytes(1.0, 1e4, 7) == 512);
  CHECK(bytes(1.0, 1e5, 7) == 256); // 49 MiB of 512 bytes a row
  CHECK(bytes(1.0, 2e5, 7) == 128);
  CHECK(bytes(1.0, 1e7, 7) == 128);
  CHECK(bytes(0.5, 1e5, 7) == 512);    // neighbours share half of their columns
  CHECK(bytes(1.0, 1e7, 1) == 512);    // rows of B are used about once
  CHECK(bytes(0.2, 2e5, 5000) == 128); // few long rows are worked on at once
}

TEST_CASE("rows of up to twenty entries are short where they are many", "[cuda_native]")
{
  using Policy = cuda_native::SpmmCsrPolicyFor;
  auto const rows = [](std::int64_t count, std::int64_t entries) {
    return impl::RowStatistics{.rows = count, .nonzeros = count * entries, .longest = entries};
  };
  CHECK(Policy::is_short(rows(100, 20)));
  CHECK_FALSE(Policy::is_short(rows(100, 21)));
  CHECK(Policy::short_pays(rows(100, 12), 32));
  CHECK_FALSE(Policy::short_pays(rows(100, 13), 32));
  CHECK(Policy::short_pays(rows(1 << 14, 13), 8));
  CHECK_FALSE(Policy::short_pays(rows((1 << 14) - 4, 13), 8));
  CHECK(Policy::short_pays(rows(1 << 20, 5), 4));
  CHECK(Policy::short_pays(rows(1 << 13, 19), 4)); // eight rows a warp
  CHECK_FALSE(Policy::short_pays(rows(541, 18), 4));
  CHECK(Policy::short_pays(rows(541, 18), 2)); // groups share them
  CHECK(SpmmShortPolicy::is_exact(9.0, 16));
  CHECK_FALSE(SpmmShortPolicy::is_exact(9.0, 8)); // four rows of a warp would take turns
  CHECK(SpmmShortPolicy::is_exact(2.0, 16));
  CHECK_FALSE(SpmmShortPolicy::is_exact(1.9, 16)); // two rows, hardly more than one turn
  CHECK(SpmmShortPolicy::is_exact(0.5, 32));
  // Longer rows where a row of B is two sectors.
  CHECK(Policy::is_short_beside(rows(100, 20), 1024));
  CHECK(Policy::is_short_beside(rows(1 << 15, 64), 64));
  CHECK_FALSE(Policy::is_short_beside(rows(1 << 15, 64), 128));
  CHECK_FALSE(Policy::is_short_beside(rows((1 << 15) + 1, 65), 64));
  CHECK_FALSE(Policy::is_short_beside(rows((1 << 15) - 1, 47), 64));
}

TEST_CASE("narrow calls of rows that are alike go as short rows that groups share", "[cuda_native]")
{
  using Policy = cuda_native::SpmmCsrPolicyFor;
  auto const rows = [](std::int64_t count, std::int64_t entries) {
    return impl::RowStatistics{.rows = count, .nonzeros = count * entries, .longest = entries};
  };
  CHECK(Policy::are_shared(rows(100000, 100), 32));
  CHECK(Policy::are_shared(rows(1 << 10, 300), 32));
  CHECK_FALSE(Policy::are_shared(rows(1000, 300), 32)); // a block each
  CHECK_FALSE(Policy::are_shared(rows(100000, 100), 64));
  CHECK(Policy::are_shared(rows(1 << 15, 100), 64));
  CHECK(Policy::are_shared(rows(1 << 15, 48), 64));
  CHECK_FALSE(Policy::are_shared(rows(1 << 15, 47), 64));
  CHECK_FALSE(Policy::are_shared(rows(1 << 15, 100), 128));
  CHECK(Policy::are_shared(rows(1 << 12, 100), 64));
  CHECK_FALSE(Policy::are_shared(rows(4095, 100), 64)); // a block each
  CHECK_FALSE(Policy::are_shared({.rows = 1000, .nonzeros = 10000, .longest = 63}, 32));
  CHECK_FALSE(Policy::are_shared({}, 32)); // rows of a list

  auto const shares = [&](std::int64_t count, std::int64_t entries, int lanes) {
    return SpmmShortPolicy::shares(rows(count, entries), lanes);
  };
  CHECK(shares(1 << 20, 7, 2) == 1);
  CHECK(shares(1 << 20, 8, 2) == 2);
  CHECK(shares(1 << 20, 16, 2) == 4);
  CHECK(shares(1 << 20, 300, 2) == 16);
  CHECK(shares(1 << 10, 64, 2) == 8); // few warps, and eight entries for each
  CHECK(shares(1 << 10, 63, 2) == 4);
  CHECK(shares(1 << 10, 200, 2) == 16);
  CHECK(shares(1 << 15, 100, 4) == 4);
  CHECK(shares(1 << 20, 20, 4) == 1);
  CHECK(shares(20480, 20, 4) == 2); // few warps
  CHECK(shares(20488, 20, 4) == 1);
  CHECK(shares(10240, 20, 8) == 1);
  CHECK(shares(100, 100, 16) == 1);
  auto const shares_of_uneven = [](std::int64_t count, std::int64_t longest, int lanes) {
    return SpmmShortPolicy::shares({.rows = count, .nonzeros = count * 20, .longest = longest},
                                   lanes);
  };
  CHECK(shares_of_uneven(49152, 40, 8) == 2);
  CHECK(shares_of_uneven(49152, 39, 8) == 1);
  CHECK(shares_of_uneven(49156, 40, 8) == 1);
  CHECK(shares_of_uneven(100, 40, 16) == 1);
}

TEST_CASE("groups for short rows take several rows and tiles where there are warps enough",
          "[cuda_native]")
{
  CHECK(SpmmShortPolicy::rounds(1 << 20, 32, 1, 1) == 4);
  CHECK(SpmmShortPolicy::rounds(1 << 20, 4, 1, 1) == 1); // many rows a warp
  CHECK(SpmmShortPolicy::rounds(1000, 32, 1, 1) == 1);
  CHECK(SpmmShortPolicy::rounds(27136, 32, 1, 1) == 1); // by four they would be one turn and a bit
  CHECK(SpmmShortPolicy::rounds(27136, 32, 8, 1) == 4);
  CHECK(SpmmShortPolicy::rounds(1 << 20, 32, 8, 2) == 2); // four tiles of rows in all
  CHECK(SpmmShortPolicy::rounds(1 << 20, 32, 8, 8) == 1);
  CHECK(SpmmShortPolicy::rounds(0, 32, 1, 1) == 1);
  CHECK(SpmmShortPolicy::are_even({.rows = 10, .nonzeros = 70, .longest = 25}));
  CHECK_FALSE(SpmmShortPolicy::are_even(
      {.rows = 10, .nonzeros = 70, .longest = 26})); // others would wait for it

  auto const most = [&](double alone, double span, double mean) {
    cuda_native::RowOverlap overlap;
    overlap.alone = alone;
    overlap.span = span;
    double const rows = cuda_native::SpmmCsrPolicyFor::rows_of_b_in_use(overlap, mean);
    return SpmmShortPolicy::most_tiles(512 * rows, mean, h200); // 60 MiB, of which 10 may be in use
  };
  CHECK(most(0.2, 1000, 7) == 8);  // a band
  CHECK(most(1.0, 1e6, 1.5) == 8); // rows of B that are read about once
  CHECK(most(1.0, 1e6, 7) == 1);
  CHECK(most(1.0, 4096, 1000) == 4); // of 2 MiB each
  CHECK(most(1.0, 4096, 3) == 2);    // three of a range leave a quarter of it on both sides

  CHECK(SpmmShortPolicy::tiles(1 << 20, 32, 8, 8, 132) == 8);
  CHECK(SpmmShortPolicy::tiles(1 << 20, 32, 8, 2, 132) == 2);
  CHECK(SpmmShortPolicy::tiles(1 << 20, 32, 3, 8, 132) == 2); // no more than there are
  CHECK(SpmmShortPolicy::tiles(8000, 32, 8, 8, 132) == 4);
  CHECK(SpmmShortPolicy::tiles(1000, 32, 8, 8, 132) == 1);

  impl::RowStatistics const even{.rows = 1 << 20, .nonzeros = 3 << 20, .longest = 5},
      uneven{.rows = 1 << 20, .nonzeros = 3 << 20, .longest = 40};
  auto const shape = [](impl::RowStatistics const& rows, int lanes, int most_tiles) {
    auto const found = SpmmShortPolicy::shape(rows, lanes, 8, most_tiles, 132);
    return std::tuple(found.is_exact, found.tiles, found.rounds, found.shares);
  };
  CHECK(shape(even, 32, 2) == std::tuple(true, 2, 2, 1));
  CHECK(shape(uneven, 32, 2) == std::tuple(true, 2, 1, 1));
  CHECK(shape(even, 8, 8) == std::tuple(false, 1, 4, 1)); // turns of four have one tile
  impl::RowStatistics const longer{.rows = 1 << 20, .nonzeros = 30 << 20, .longest = 40};
  CHECK(shape(longer, 2, 8) == std::tuple(false, 1, 1, 1)); // of eight tiles, which are not shared
  CHECK(SpmmShortPolicy::shape(longer, 2, 1, 8, 132).shares == 4);
}

TEST_CASE("groups for short rows that are not the shortest take two tiles at once", "[cuda_native]")
{
  CHECK(SpmmShortPolicy::packets(8.0, 32, 2) == 2);
  CHECK(SpmmShortPolicy::packets(7.9, 32, 2) == 1);
  CHECK(SpmmShortPolicy::packets(8.0, 16, 2) == 1);
  CHECK(SpmmShortPolicy::packets(8.0, 32, 1) == 1);
  auto const shape = [](std::int64_t entries, int tiles) {
    return SpmmShortPolicy::shape(
        {.rows = 490000, .nonzeros = 490000 * entries, .longest = entries}, 32, tiles, 8, 132);
  };
  CHECK(shape(9, 8).tiles == 8);
  CHECK(shape(9, 8).packets == 2);
  CHECK(shape(9, 8).rounds == 1);
  CHECK(shape(9, 4).rounds == 2); // four times two tiles of rows in all
  CHECK(shape(9, 2).rounds == 4);
  CHECK(shape(7, 2).rounds == 2);
  CHECK(shape(7, 8).packets == 1);
  CHECK(shape(9, 1).packets == 1);
}

TEST_CASE("short rows go one by one and not by tensor cores where tiles of B stay in the cache",
          "[cuda_native]")
{
  CHECK(SpmmShortPolicy::pays_beside_tensor_bundles(9.0, 0.42, 8)); // a 9-point stencil
  CHECK_FALSE(SpmmShortPolicy::pays_beside_tensor_bundles(12.0, 0.42, 8));
  CHECK_FALSE(SpmmShortPolicy::pays_beside_tensor_bundles(9.0, 0.125, 8)); // dense blocks
  CHECK_FALSE(SpmmShortPolicy::pays_beside_tensor_bundles(9.0, 0.42, 2));
}

TEST_CASE("long rows go first where the last tile's work would not outlast them", "[cuda_native]")
{
  SpmmRowModel const model = model_of(8);
  // Rows of 4 to 7 entries, and two of 2048 to 4095.
  auto const pays = [&](std::int64_t rows, std::int64_t b_row_bytes) {
    std::array<std::int64_t, cuda_native::length_classes> rows_from{};
    for (std::size_t n = 0; n < rows_from.size(); ++n)
      rows_from[n] = n <= 3 ? rows + 2 : n <= 12 ? 2 : 0;
    RowLengths const lengths = RowLengths::of(
        impl::RowStatistics{.rows = rows + 2, .nonzeros = 5 * rows + 6000, .longest = 3000},
        rows_from);
    RowsOfCall const by = model.best_of_list(lengths, b_row_bytes, 512, 0);
    return model.long_first_pays(lengths, by, b_row_bytes, 0);
  };
  CHECK(pays(4000, 4096));
  CHECK(pays(4000, 1024));
  CHECK_FALSE(pays(4000, 64)); // one tile
  CHECK_FALSE(pays(1 << 20, 4096));
  CHECK_FALSE(model.long_first_pays(alike(10000, 8), {512, no_row, no_row}, 4096, 0));
}

TEST_CASE("short rows of a list are those of fewer than 16 or 32 entries", "[cuda_native]")
{
  using Policy = cuda_native::SpmmCsrPolicyFor;
  CHECK(Policy::short_below({.sixteen = 1000, .thirty_two = 2000}, 512, 512) == 16);
  CHECK(Policy::short_below({.sixteen = 0, .thirty_two = 0}, 512, 512) == 16);
  CHECK(Policy::short_below({.sixteen = 1 << 16, .thirty_two = 1 << 16}, 512, 512) == 16);
  CHECK(Policy::short_below({.sixteen = (1 << 16) + 1, .thirty_two = 1 << 17}, 512, 512) == 0);
  // A row of B is a sector.
  CHECK(Policy::short_below({.sixteen = 1 << 20, .thirty_two = 1 << 20}, 32, 64) == 16);
  CHECK(Policy::short_below({.sixteen = 1 << 20, .thirty_two = 1 << 20}, 64, 64) == 0);
  CHECK(Policy::short_below({.sixteen = 1000, .thirty_two = 1 << 15}, 64, 64) == 32);
  CHECK(Policy::short_below({.sixteen = 1000, .thirty_two = (1 << 15) - 1}, 64, 64) == 16);
  CHECK(Policy::short_below({.sixteen = 1000, .thirty_two = (1 << 16) + 1}, 64, 64) == 16);
  CHECK(Policy::short_below({.sixteen = 1000, .thirty_two = 1 << 15}, 128, 128) == 16);
}

TEST_CASE("a matrix without rows or entries has a model too", "[cuda_native]")
{
  SpmmRowModel const model = model_of(8);
  RowLengths const none = RowLengths::of(impl::RowStatistics{});
  CHECK(std::isfinite(model.best_of_alike(none, 0, 512).microseconds));
  CHECK(model.segment(none, 512) == 0);
  std::array<std::int64_t, cuda_native::length_classes> rows_from{};
  rows_from[0] = 5;
  RowLengths const empty = RowLengths::of(impl::RowStatistics{.rows = 5}, rows_from);
  CHECK(empty.count == 1);
  CHECK(std::isfinite(model.best_of_list(empty, 64, 512, 0).microseconds));
}

TEST_CASE("threads that add up segments fit a block", "[cuda_native]")
{
  using Policy = cuda_native::SpmmSegmentSumsPolicy;
  for (std::int64_t const columns : {1, 3, 8, 31, 32, 33, 512, 100000})
    for (std::int64_t const rows : {1, 2, 25, 100000})
      for (std::int64_t const each : {1, 2, 9, 60, 10000})
      {
        auto const shape = Policy::shape(columns, rows * each, rows);
        INFO(columns << " columns, " << rows << " rows of " << each << " segments: " << shape.width
                     << " x " << shape.slices);
        int const team = shape.width * shape.slices;
        CHECK(team <= Policy::most_threads);
        CHECK(Policy::threads(shape) % team == 0);
        CHECK(shape.width <= Policy::widest);
        CHECK((shape.width == Policy::widest || shape.width >= columns));
        CHECK((shape.slices == 1 || shape.slices < each));
      }
  CHECK(Policy::shape(32, 200, 1).slices == 16);
  CHECK(Policy::shape(8, 200, 1).slices == 64);
}

} // namespace heddle::test
