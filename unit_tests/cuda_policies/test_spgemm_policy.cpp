// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/kept_room.hpp>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using heddle::SpgemmAccumulator;
using heddle::cuda_native::NumericBin;
using heddle::cuda_native::RowOfProducts;
using heddle::cuda_native::SymbolicBin;
using heddle::test::h200;
using namespace heddle::cuda_native;

namespace
{

constexpr auto automatic = SpgemmAccumulator::automatic;
// A row of products that stand alone, on a wide matrix.
RowOfProducts scattered(std::int64_t entries, std::int64_t products)
{
  return {entries, products, products, 1000000, true};
}

} // namespace

TEST_CASE("rows with few products are sorted, others have tables", "[cuda_native]")
{
  CHECK(symbolic_bin(automatic, scattered(3, 0), 0, 0) == SymbolicBin::empty);
  CHECK(symbolic_bin(automatic, scattered(3, 32), 32, 32) == SymbolicBin::sorted);
  CHECK(symbolic_bin(automatic, scattered(3, 33), 33, 33) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, scattered(3, 256), 256, 256) == SymbolicBin::sorted + 3);
  // Too many entries of A to be one sequence, or too many products.
  CHECK(symbolic_bin(automatic, scattered(65, 65), 65, 65) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, scattered(3, 257), 257, 257) == SymbolicBin::table + 1);
  // Hash tables take two words a slot, a power of two of slots, two thirds of them in use.
  CHECK(symbolic_bin(automatic, scattered(100, 9000), 170, 9000) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, scattered(100, 9000), 171, 9000) == SymbolicBin::table + 1);
  CHECK(symbolic_bin(automatic, scattered(100, 90000), 2730, 9000) == SymbolicBin::table + 4);
  CHECK(symbolic_bin(automatic, scattered(100, 90000), 5461, 9000) == SymbolicBin::table + 5);
  CHECK(symbolic_bin(automatic, scattered(100, 90000), 10922, 9000) == SymbolicBin::table + 6);
  CHECK(symbolic_bin(automatic, scattered(100, 90000), 10923, 9000) == SymbolicBin::windows);
  CHECK(symbolic_bin(automatic, {100, 90000, 90000, 50000, true}, 10923, 9000) ==
        SymbolicBin::table + 6);
}

TEST_CASE("a row with many products has a block, not a warp", "[cuda_native]")
{
  constexpr auto warp = SpgemmPolicyFor::value.most_of_warp,
                 block = SpgemmPolicyFor::value.most_of_small_block;
  CHECK(symbolic_bin(automatic, scattered(100, warp), 100, warp) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, scattered(100, warp + 1), 100, warp + 1) ==
        SymbolicBin::table + SpgemmPolicyFor::value.first_small_block);
  // Many products of few words.
  CHECK(symbolic_bin(automatic, scattered(100, warp + 1), 100, warp / 8) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, scattered(100, block + 1), 100, block + 1) ==
        SymbolicBin::table + SpgemmPolicyFor::value.first_medium_block);
  CHECK(numeric_bin(automatic, scattered(100, warp), 20, 20, 8) == NumericBin::table);
  CHECK(numeric_bin(automatic, scattered(100, warp + 1), 20, 20, 8) ==
        NumericBin::table + SpgemmPolicyFor::value.first_small_block);
  CHECK(numeric_bin(automatic, scattered(100, block + 1), 20, 20, 8) ==
        NumericBin::table + SpgemmPolicyFor::value.first_medium_block);
}

TEST_CASE("long rows keep their warps where nearly all rows are long", "[cuda_native]")
{
  constexpr auto warp = SpgemmPolicyFor::value.most_of_warp;
  constexpr std::int64_t many = 1 << 14;
  auto const most = [](DeviceShape const& device, std::int64_t rows, double mean) {
    return SpgemmPolicyFor::most_products_of_warp(device, rows, static_cast<double>(rows) * mean);
  };
  CHECK(most(h200, many, 25000.0) == 50000);
  CHECK(most(h200, many - 1, 25000.0) == warp); // too few warps for the device
  DeviceShape smaller = h200; // of the multiprocessors, so that half as many rows are many
  smaller.multiprocessors /= 2;
  CHECK(most(smaller, many / 2, 25000.0) == 50000);
  // Few products in all: a warp with as many as elsewhere would still work when all others are
  // done. 8448 warps are on the device at once.
  CHECK(most(h200, 40, 90000.0) == 8 * 40 * 90000 / 8448);
  CHECK(most(h200, many, 100.0) == 8 * many * 100 / 8448);
  CHECK(most(h200, 40, 1000.0) == SpgemmPolicyFor::value.least_of_warp);
  CHECK(most(h200, 0, 0.0) == SpgemmPolicyFor::value.least_of_warp);
  CHECK(SpgemmPolicyFor::few_table_rows(h200) == 512);
  CHECK(SpgemmPolicyFor::few_table_rows(smaller) == 256);
  RowLimits const limits{false, 50000};
  CHECK(symbolic_bin(automatic, scattered(200, 50000), 100, 50000, limits) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, scattered(200, 50001), 100, 50001, limits) ==
        SymbolicBin::table + SpgemmPolicyFor::value.first_small_block);
  CHECK(numeric_bin(automatic, scattered(200, 50000), 20, 20, 8, limits) == NumericBin::table);
}

TEST_CASE("teams share rows that have much of all products", "[cuda_native]")
{
  SymbolicChoices const choices =
      choose_symbolic({40, 400000, 50000, 400000}, 8, 1 << 30, true, h200);
  RowLimits const& limits = choices.limits;
  CHECK(limits.shares == 8 * 132);
  auto const of_row = [&](std::int64_t products, std::int64_t all, std::int64_t count) {
    return numeric_bin(automatic, scattered(10000, products), count, count, 8, limits, all);
  };
  constexpr int shared = NumericBin::shared_rows;
  CHECK(of_row(80000, 3200000, 40) == shared);
  CHECK(of_row(80000, 3200000, 800) == shared + 1);   // a warp's table does not hold so many sums
  CHECK(of_row(80000, 3200000, 1500) == shared + 2);  // nor one of a small block
  CHECK(of_row(80000, 3200000, 30000) == shared + 3); // sums are in C
  CHECK(of_row(80000, 80000 * limits.shares, 40) < shared); // as many as others have
  CHECK(of_row(SpgemmPolicyFor::value.least_of_shared_row - 1, 10000, 40) < shared);
  CHECK(numeric_bin(automatic, scattered(10000, 80000), 40, 40, 8, {}, 3200000) < shared);

  CHECK(SpgemmPolicyFor::most_parts(h200, 40, 32) == 2 * 8448 / 40);
  CHECK(SpgemmPolicyFor::most_parts(h200, 40, 1024) == 2 * 264 / 40);
  CHECK(SpgemmPolicyFor::most_parts(h200, 100000, 1024) == 1);
  CHECK(SpgemmPolicyFor::most_parts(h200, 0, 1024) == 2 * 264);
}

TEST_CASE("rows are sorted up to more products where there are few in all", "[cuda_native]")
{
  CHECK(expected_products(1000, 500, 100) == 5000.0);
  CHECK(expected_products(1000, 500, 0) == 0.0);
  RowLimits const limits{true, SpgemmPolicyFor::value.most_of_warp};
  auto const row = [](std::int64_t entries, std::int64_t products) {
    return RowOfProducts{entries, products, products, 1 << 16, true};
  };
  CHECK(symbolic_bin(automatic, {8, 64, 48, 100, true}, 48, 48, limits) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, row(3, 256), 256, 256, limits) == SymbolicBin::sorted + 3);
  CHECK(symbolic_bin(automatic, row(3, 257), 257, 257, limits) == SymbolicBin::long_sorted);
  CHECK(symbolic_bin(automatic, row(64, 1024), 1024, 1024, limits) == SymbolicBin::long_sorted);
  CHECK(symbolic_bin(automatic, row(3, 1025), 1025, 1025, limits) >= SymbolicBin::table);
  CHECK(symbolic_bin(automatic, row(65, 300), 300, 300, limits) >= SymbolicBin::table);
  // A distance has 21 bits then.
  CHECK(symbolic_bin(automatic, {3, 100, 100, 1 << 16, true}, 100, 100, limits) ==
        SymbolicBin::sorted + 2);
  CHECK(symbolic_bin(automatic, {3, 100, 100, (1 << 16) + 1, true}, 100, 100, limits) >=
        SymbolicBin::table);
  CHECK(symbolic_bin(automatic, {3, 100, 100, (1 << 16) + 1, true}, 100, 100) ==
        SymbolicBin::sorted + 2);
}

TEST_CASE("a narrow row has a word for each block of columns", "[cuda_native]")
{
  constexpr std::int64_t words_per_slot = 1, factor = 4, room = 1 << 20;
  WordTable const narrow = word_table(automatic, 100, 1024, words_per_slot, factor, room);
  CHECK_FALSE(narrow.is_hashed);
  CHECK(narrow.slots == 1024);
  WordTable const wide = word_table(automatic, 100, 1025, words_per_slot, factor, room);
  CHECK(wide.is_hashed);
  CHECK(wide.slots == 256);
  CHECK(wide.bytes(words_per_slot) == 2 * 256 * 4);
  // Not where it takes more room than there is.
  CHECK_FALSE(word_table(automatic, 100, 1024, words_per_slot, factor, 4096).is_hashed);
  CHECK(word_table(automatic, 100, 1024, words_per_slot, factor, 4095).is_hashed);
  CHECK_FALSE(word_table(SpgemmAccumulator::scatter_vector, 100, 1025, words_per_slot, factor, 0)
                  .is_hashed);
  CHECK(
      word_table(SpgemmAccumulator::shared_hash, 100, 100, words_per_slot, factor, room).is_hashed);
}

TEST_CASE("a row has a larger table for the same team where that one is direct", "[cuda_native]")
{
  auto const spanning = [](std::int64_t span) {
    return RowOfProducts{100, 9000, 9000, span, true};
  };
  // A hash table of 256 slots takes 2 KiB, a direct one 4 bytes for each block of columns.
  constexpr int table = SymbolicBin::table;
  CHECK(symbolic_bin(automatic, spanning(512), 170, 9000) == table);
  CHECK(symbolic_bin(automatic, spanning(513), 170, 9000) == table + 1);
  CHECK(symbolic_bin(automatic, spanning(1024), 170, 9000) == table + 1);
  CHECK(symbolic_bin(automatic, spanning(2048), 170, 9000) == table + 2);
  CHECK(symbolic_bin(automatic, spanning(2049), 170, 9000) == table); // 8 times the slots
  // A warp has 8 KiB at most.
  CHECK(symbolic_bin(automatic, spanning(2048), 400, 9000) == table + 2);
  CHECK(symbolic_bin(automatic, spanning(2049), 400, 9000) == table + 2);
  CHECK_FALSE(symbolic_table(automatic, 400, 2048, 8 << 10).is_hashed);
  CHECK(symbolic_table(automatic, 400, 2049, 8 << 10).is_hashed);
  // Numeric: sums, a word for each of them and 2 bytes for each block.
  auto const numeric = [&](std::int64_t span) {
    return numeric_bin(automatic, spanning(span), 40, 100, 8);
  };
  constexpr std::int64_t of_entries = 101 * 8 + 100 * 4;
  CHECK(numeric((2048 - of_entries) / 2) == NumericBin::table);
  CHECK(numeric((2048 - of_entries) / 2 + 1) == NumericBin::table + 1);
  CHECK(numeric((8192 - of_entries) / 2) == NumericBin::table + 2);
  CHECK(numeric((8192 - of_entries) / 2 + 1) == NumericBin::table); // hashed
  CHECK(numeric_bin(SpgemmAccumulator::shared_hash, spanning(100), 40, 100, 8) ==
        NumericBin::table);
  auto const layout = [](SpgemmAccumulator wanted, std::int64_t span) {
    return numeric_table(wanted, 40, span, 120, 8, 4096).layout;
  };
  CHECK(layout(SpgemmAccumulator::shared_hash, 100) == NumericLayout::hashed);
  CHECK(layout(SpgemmAccumulator::scatter_vector, 100000) == NumericLayout::map);
  CHECK(layout(automatic, 80) == NumericLayout::direct); // 8 bytes for each block
  CHECK(layout(automatic, 81) == NumericLayout::map);
}

TEST_CASE("a table of a row whose sums are in C has as many blocks as fit", "[cuda_native]")
{
  WordTable const all = in_place_table(automatic, 1000, 2000, 16384);
  CHECK_FALSE(all.is_hashed);
  CHECK(all.slots == 2000);
  CHECK(in_place_table(automatic, 100, 100000, 16384).is_hashed);
  WordTable const window = in_place_table(SpgemmAccumulator::column_windows, 1000, 100000, 16384);
  CHECK_FALSE(window.is_hashed);
  CHECK(window.slots == 2048);
}

TEST_CASE("sums and table of a row fit its bin, or sums go to C", "[cuda_native]")
{
  CHECK(numeric_bin(automatic, scattered(3, 64), 40, 0, 8) == NumericBin::empty);
  CHECK(numeric_bin(automatic, scattered(9, 64), 40, 40, 8) == NumericBin::searched);
  CHECK(numeric_bin(automatic, scattered(3, 256), 40, 40, 8) == NumericBin::searched + 2);
  CHECK(numeric_bin(automatic, scattered(3, 257), 40, 40, 8) == NumericBin::table);
  CHECK(numeric_bin(automatic, scattered(100, 10000), 40, 3000, 8) == NumericBin::table + 4);
  // The same with values of 16 bytes.
  CHECK(numeric_bin(automatic, scattered(100, 10000), 40, 3000, 16) == NumericBin::table + 5);
  CHECK(numeric_bin(automatic, scattered(100, 100000), 1000, 30000, 8) == NumericBin::in_place);
  for (std::int64_t count = 1; count < 40000; count = count * 3 / 2 + 1)
  {
    std::int64_t const blocks = count / 7 + 1;
    int const c = numeric_bin(automatic, scattered(100, 2 * count + 300), blocks, count, 8);
    auto const bytes_in = [&](int table) {
      return numeric_table(automatic, blocks, 1000000, count, 8,
                           SpgemmPolicyFor::table_bytes(table))
          .all_bytes;
    };
    INFO(count << " entries, class " << c);
    REQUIRE(c >= NumericBin::table);
    if (c < NumericBin::in_place)
      CHECK(bytes_in(c - NumericBin::table) <= SpgemmPolicyFor::table_bytes(c - NumericBin::table));
    else
      CHECK(bytes_in(SpgemmPolicyFor::value.table_bins - 1) >
            SpgemmPolicyFor::table_bytes(SpgemmPolicyFor::value.table_bins - 1));
  }
}

TEST_CASE("short rows with few entries are merged", "[cuda_native]")
{
  // Three words for four products, or fewer.
  CHECK(symbolic_bin(automatic, {8, 64, 48, 100, true}, 48, 48) == SymbolicBin::merged);
  CHECK(symbolic_bin(automatic, {8, 64, 49, 1000, true}, 49, 49) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, {8, 64, 48, 1000, false}, 48, 48) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, {9, 64, 48, 1000, true}, 48, 48) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, {8, 65, 48, 1000, true}, 48, 48) == SymbolicBin::sorted + 2);
  CHECK(numeric_bin(automatic, scattered(8, 64), 20, 32, 8) == NumericBin::merged);
  CHECK(numeric_bin(automatic, scattered(8, 64), 20, 33, 8) == NumericBin::searched);
  CHECK(numeric_bin(automatic, scattered(9, 64), 20, 32, 8) == NumericBin::searched);
  CHECK(numeric_bin(automatic, {8, 64, 64, 100, false}, 20, 32, 8) == NumericBin::searched);
  CHECK(numeric_bin(SpgemmAccumulator::esc, scattered(8, 64), 20, 32, 8) == NumericBin::searched);
}

TEST_CASE("columns of narrow rows are noted in bitmaps", "[cuda_native]")
{
  constexpr int narrow = SymbolicBin::bitmap, wide = SymbolicBin::bitmap + 1;
  CHECK(symbolic_bin(automatic, {9, 33, 33, 128, true}, 33, 33) == narrow);
  CHECK(symbolic_bin(automatic, {9, 32, 32, 128, true}, 32, 32) == SymbolicBin::sorted);
  CHECK(symbolic_bin(automatic, {9, 256, 256, 128, true}, 128, 256) == narrow);
  CHECK(symbolic_bin(automatic, {9, 257, 257, 128, true}, 128, 257) == SymbolicBin::table);
  CHECK(symbolic_bin(automatic, {200, 200, 200, 128, true}, 128, 200) == narrow);
  CHECK(symbolic_bin(automatic, {9, 100, 100, 128, false}, 100, 100) == narrow);
  // More blocks where there are three words for four products at most.
  CHECK(symbolic_bin(automatic, {9, 100, 75, 129, true}, 75, 75) == wide);
  CHECK(symbolic_bin(automatic, {9, 100, 76, 129, true}, 76, 76) == SymbolicBin::sorted + 2);
  CHECK(symbolic_bin(automatic, {9, 65, 20, 512, true}, 20, 20) == wide);
  CHECK(symbolic_bin(automatic, {9, 64, 20, 512, true}, 20, 20) == SymbolicBin::sorted + 1);
  CHECK(symbolic_bin(automatic, {9, 100, 20, 513, true}, 20, 20) == SymbolicBin::sorted + 2);
  // Merged rows and those with sums at once are not, nor what an accumulator is asked for.
  CHECK(symbolic_bin(automatic, {8, 64, 48, 100, true}, 48, 48) == SymbolicBin::merged);
  CHECK(symbolic_bin(automatic, {9, 100, 50, 100, true}, 50, 50,
                     {true, SpgemmPolicyFor::value.most_of_warp}) == SymbolicBin::sorted + 2);
  CHECK(symbolic_bin(SpgemmAccumulator::esc, {9, 100, 50, 100, true}, 50, 50) ==
        SymbolicBin::sorted + 2);
  CHECK(symbolic_bin(SpgemmAccumulator::shared_hash, {9, 100, 50, 100, true}, 50, 50) ==
        SymbolicBin::table);
}

TEST_CASE("an accumulator asked for takes the rows that it can", "[cuda_native]")
{
  using enum SpgemmAccumulator;
  CHECK(symbolic_bin(column_windows, scattered(3, 5), 5, 5) == SymbolicBin::windows);
  CHECK(numeric_bin(column_windows, scattered(3, 5), 5, 5, 8) == NumericBin::in_place);
  CHECK(symbolic_bin(register_merge, scattered(8, 5000), 5000, 5000) == SymbolicBin::merged);
  CHECK(symbolic_bin(register_merge, scattered(9, 5000), 5000, 5000) == SymbolicBin::merged + 1);
  CHECK(symbolic_bin(register_merge, scattered(17, 5000), 5000, 5000) == SymbolicBin::merged + 2);
  CHECK(symbolic_bin(register_merge, scattered(33, 5000), 5000, 5000) == SymbolicBin::merged + 3);
  CHECK(numeric_bin(register_merge, scattered(64, 5000), 900, 900, 8) == NumericBin::merged + 3);
  CHECK(numeric_bin(register_merge, scattered(128, 5000), 900, 900, 8) == NumericBin::merged + 4);
  // A row of B for each lane.
  CHECK(symbolic_bin(register_merge_one_to_one, scattered(4, 50), 50, 50) == SymbolicBin::merged);
  CHECK(symbolic_bin(register_merge_one_to_one, scattered(5, 50), 50, 50) ==
        SymbolicBin::merged + 1);
  CHECK(numeric_bin(register_merge_one_to_one, scattered(16, 900), 900, 900, 8) ==
        NumericBin::merged + 2);
  CHECK(numeric_bin(register_merge_one_to_one, scattered(32, 900), 900, 900, 8) ==
        NumericBin::merged + 3);
  CHECK(symbolic_bin(register_merge_one_to_one, scattered(33, 900), 900, 900) >=
        SymbolicBin::table);
  // Warps that meet in shared memory.
  CHECK(symbolic_bin(shared_merge, scattered(128, 5000), 5000, 5000) == SymbolicBin::merged + 4);
  CHECK(symbolic_bin(shared_merge, scattered(129, 5000), 5000, 5000) == SymbolicBin::shared_merged);
  CHECK(symbolic_bin(shared_merge, scattered(257, 5000), 5000, 5000) ==
        SymbolicBin::shared_merged + 1);
  CHECK(numeric_bin(shared_merge, scattered(512, 5000), 900, 900, 8) ==
        NumericBin::shared_merged + 1);
  CHECK(numeric_bin(shared_merge, scattered(1024, 5000), 900, 900, 8) ==
        NumericBin::shared_merged + 2);
  CHECK(symbolic_bin(shared_merge, scattered(1025, 5000), 5000, 5000) >= SymbolicBin::table);
  // Too many rows of B for registers, or columns out of order.
  CHECK(symbolic_bin(register_merge, scattered(129, 5000), 100, 5000) == SymbolicBin::table);
  CHECK(symbolic_bin(register_merge, {8, 20, 20, 100, false}, 20, 20) == SymbolicBin::sorted);
  CHECK(symbolic_bin(shared_hash, scattered(3, 5), 5, 5) == SymbolicBin::table);
  CHECK(symbolic_bin(scatter_vector, {3, 5, 5, 2000, true}, 5, 5) == SymbolicBin::table + 2);
  CHECK(symbolic_bin(esc, scattered(3, 5), 5, 5) == SymbolicBin::sorted);
}

TEST_CASE("tables fit into the shared memory of every architecture", "[cuda_native]")
{
  constexpr int bins = SpgemmPolicyFor::value.table_bins;
  CHECK(SpgemmPolicyFor::table_bytes(bins - 2, 90) == 110 << 10); // as tuned
  CHECK(SpgemmPolicyFor::table_bytes(bins - 1, 90) == 208 << 10);
  for (int const architecture : {75, 80, 86, 87, 89, 90, 100, 120})
  {
    INFO(architecture);
    for (int c = 1; c < bins; ++c)
      CHECK(SpgemmPolicyFor::table_bytes(c, architecture) >
            SpgemmPolicyFor::table_bytes(c - 1, architecture));
    // Beside what kernels have in static arrays.
    CHECK(SpgemmPolicyFor::table_bytes(bins - 1, architecture) <=
          (architecture_shape(architecture).shared_kib_of_block - 4) << 10);
  }
}

TEST_CASE("what a multiply keeps of tables and short rows has one limit", "[cuda_native]")
{
  constexpr std::size_t most = SpgemmPolicyFor::value.most_kept_bytes;
  constexpr std::size_t much = std::size_t(1) << 40;
  auto const bytes = [](KeptRoom const& kept) {
    return 4 * kept.of_tables + (4 + 8) * kept.of_short;
  };

  KeptRoom const few = kept_room<std::int32_t, double>(5000, 2000, much);
  CHECK(few.of_tables == 3000);
  CHECK(few.of_short == 2000);

  KeptRoom const tables = kept_room<std::int32_t, double>(most, 0, much);
  CHECK(bytes(tables) == most);

  KeptRoom const both = kept_room<std::int32_t, double>(most, most / 20, much);
  CHECK(both.of_short == most / 20);
  CHECK(bytes(both) <= most);
  CHECK(bytes(both) > most - 8);

  KeptRoom const many_short = kept_room<std::int32_t, double>(most, most / 11, much);
  CHECK(many_short.of_short == 0);
  CHECK(bytes(many_short) == most);

  KeptRoom const little_memory = kept_room<std::int32_t, double>(5000, 2000, 8000);
  CHECK(little_memory.of_short == 0);
  CHECK(little_memory.of_tables == 1000);
}
