// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/kept_columns.cuh>
#include <heddle/cuda_native/spgemm/numeric_table.cuh>
#include <heddle/cuda_native/spgemm/symbolic_table.cuh>
#include <support/spgemm_patterns.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace heddle::cuda_native;
using namespace heddle::test;
using heddle::SpgemmAccumulator;

namespace
{

constexpr auto automatic = SpgemmAccumulator::automatic, hashed = SpgemmAccumulator::shared_hash,
               direct = SpgemmAccumulator::scatter_vector,
               windows = SpgemmAccumulator::column_windows;

// A grid of teams of `threads` threads, each with a table of `bytes`.
template <int threads>
Grid grid_of_teams(std::int64_t rows, int bytes)
{
  constexpr int block = SpgemmPolicyFor::block_of(threads), teams = block / threads;
  Grid grid{blocks_for(rows, teams), block};
  grid.shared_bytes = static_cast<std::size_t>(teams * bytes);
  return grid;
}

template <int threads>
void check_find(Pattern const& a, Pattern const& b, SpgemmAccumulator wanted, int bytes,
                bool has_words, std::size_t room, bool may_keep = true)
{
  SymbolicCase const of(a, b);
  of.check(room, may_keep, [&]<class Sink>(Sink const& sink) {
    Kokkos::Cuda const exec;
    auto const with = [&]<class B>(B const& factor) {
      launch(exec, "find", spgemm_find_kernel<threads, PatternOnDevice::View, B, Sink>,
             grid_of_teams<threads>(a.rows(), bytes), of.a.view, factor, of.c_rows.data(),
             of.list.data(), static_cast<std::int64_t>(a.rows()), wanted, bytes, sink);
    };
    if (has_words)
      with(of.bitmasks());
    else
      with(of.b.view);
  });
}

// A row of B that is longer than the others, and one without entries.
Pattern with_long_row(Pattern pattern, int columns, int step)
{
  for (int n = 0; n < columns; ++n)
    pattern.columns.push_back(n * step);
  pattern.offsets.push_back(static_cast<int>(pattern.columns.size()));
  pattern.offsets.push_back(static_cast<int>(pattern.columns.size()));
  return pattern;
}

// Small whole numbers, whose sums are exact in any order.
template <class T>
std::vector<T> drawn_values(std::size_t count, unsigned seed)
{
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return values;
}

template <class T, int threads, bool in_order, bool in_place>
void check_sums(Pattern const& a, Pattern const& b, SpgemmAccumulator wanted, int bytes)
{
  SymbolicCase const of(a, b);
  auto const a_values = drawn_values<T>(a.columns.size(), 7),
             b_values = drawn_values<T>(b.columns.size(), 8);
  std::vector<int> const offsets = of.offsets();
  std::vector<int> columns, blocks;
  std::vector<T> sums(static_cast<std::size_t>(offsets.back()), T(0));
  std::vector<int> listed;
  for (std::size_t i = 0; i < of.expected.size(); ++i)
  {
    std::set<int> blocks_of_row;
    for (int const column : of.expected[i])
    {
      columns.push_back(column);
      blocks_of_row.insert(column / 32);
    }
    blocks.push_back(static_cast<int>(blocks_of_row.size()));
    if (!of.expected[i].empty())
      listed.push_back(static_cast<int>(i));
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    {
      auto const entry = static_cast<std::size_t>(k);
      auto const row = static_cast<std::size_t>(a.columns[entry]);
      for (int n = b.offsets[row]; n < b.offsets[row + 1]; ++n)
      {
        int const column = b.columns[static_cast<std::size_t>(n)];
        auto const before = std::distance(of.expected[i].begin(), of.expected[i].find(column));
        sums[static_cast<std::size_t>(offsets[i] + before)] +=
            a_values[entry] * b_values[static_cast<std::size_t>(n)];
      }
    }
  }
  auto const d_offsets = on_device(offsets), d_columns = on_device(columns),
             d_blocks = on_device(blocks), d_list = on_device(listed);
  auto const d_a = on_device(a_values), d_b = on_device(b_values);
  DeviceView<T> const values("values", sums.size());
  DeviceView<unsigned> const reports("reports", 1);
  Kokkos::deep_copy(values, T(77)); // whatever is there
  using Factor = CsrView<T, int, int>;
  using Target = SpgemmTarget<T, int, int>;
  Factor const left{a.rows(), of.a.offsets.data(), of.a.columns.data(), d_a.data()},
      right{b.rows(), of.b.offsets.data(), of.b.columns.data(), d_b.data()};
  launch(Kokkos::Cuda(), "sum",
         spgemm_sum_kernel<threads, in_order, in_place, false, Factor, Factor, Target>,
         grid_of_teams<threads>(static_cast<std::int64_t>(listed.size()), bytes), left, right,
         Target{d_offsets.data(), d_columns.data(), values.data()}, of.c_rows.data(),
         d_blocks.data(), d_list.data(), static_cast<std::int64_t>(listed.size()), wanted, bytes,
         RowParts{1, 0});
  Kokkos::fence();
  CHECK(on_host(values) == sums);
}

} // namespace

TEST_CASE("columns come out of tables in order", "[cuda_native][spgemm]")
{
  unsigned seed = 100;
  // Rows that take few of the blocks between the first and the last, and nearly all of them.
  for (int const width : {40, 3000, 60000})
  {
    Pattern const a = drawn(150, 30, 0, 202, seed++);
    Pattern const b =
        with_long_row(sorted(drawn(200, 25, 320, width, seed++)), 700, width / 700 + 1);
    for (bool const has_words : {false, true})
      for (std::size_t const room : {std::size_t(1) << 20, std::size_t(500)})
        for (auto const wanted : {automatic, hashed, direct, windows})
        {
          INFO(width << " columns, as words: " << has_words << ", room for " << room << ", "
                     << to_string(wanted));
          // Windows have 256 words, of nearly 2000 at most. Else all blocks fit.
          int const bytes = wanted == windows ? 1 << 10 : 32 << 10;
          bool const may_keep = wanted != windows || width <= 256 * 32;
          check_find<32>(a, b, wanted, bytes, has_words, room, may_keep);
          check_find<256>(a, b, wanted, bytes, has_words, room, may_keep);
          check_find<1024>(a, b, wanted, bytes, has_words, room, may_keep);
        }
  }
}

TEST_CASE("words of a table that is not sorted beforehand are counted by shares of warps",
          "[cuda_native][spgemm]")
{
  // One row of 1 to 40 blocks, each with all columns or one.
  for (int blocks = 1; blocks <= 40; ++blocks)
    for (int const per_block : {1, 32})
    {
      Pattern a, b;
      a.columns = {0};
      a.offsets = {0, 1};
      for (int n = 0; n < blocks * 32; n += 32 / per_block)
        b.columns.push_back(96 + n);
      b.offsets = {0, static_cast<int>(b.columns.size())};
      INFO(blocks << " blocks with " << per_block << " columns");
      for (auto const wanted : {hashed, direct})
      {
        check_find<32>(a, b, wanted, 4 << 10, true, 2000);
        check_find<256>(a, b, wanted, 4 << 10, false, 2000);
      }
    }
}

TEMPLATE_TEST_CASE("products find their sums by hash tables, maps and windows",
                   "[cuda_native][spgemm]", float, double)
{
  unsigned seed = 200;
  for (int const width : {40, 3000, 60000})
  {
    // Long rows of A, so that groups of all sizes take rows of B; rows of B out of order.
    for (int const most : {3, 60})
    {
      Pattern const a = drawn(80, most, 0, 202, seed++);
      Pattern const b = with_long_row(drawn(200, 25, 320, width, seed++), 700, width / 700 + 1);
      Pattern const of_sets = sorted(b); // a row has each column once
      for (auto const wanted : {automatic, hashed, direct})
      {
        INFO(width << " columns, " << most << " entries of A, " << to_string(wanted));
        check_sums<TestType, 32, false, false>(a, of_sets, wanted, 48 << 10);
        check_sums<TestType, 256, false, false>(a, of_sets, wanted, 64 << 10);
        check_sums<TestType, 1024, false, false>(a, of_sets, wanted, 64 << 10);
        check_sums<TestType, 32, true, false>(a, of_sets, wanted, 48 << 10);
        check_sums<TestType, 256, true, false>(a, of_sets, wanted, 64 << 10);
        check_sums<TestType, 1024, false, true>(a, of_sets, wanted, 64 << 10);
      }
      check_sums<TestType, 1024, false, true>(a, of_sets, windows, 1 << 10);
      check_sums<TestType, 1024, true, true>(a, of_sets, windows, 1 << 10);
    }
  }
}

TEMPLATE_TEST_CASE("kept columns and sums are moved to their rows", "[cuda_native][spgemm]", float,
                   double)
{
  std::mt19937 random(5);
  for (int const shape : {0, 1, 2, 3, 4})
  {
    // Rows of a few entries, many of them empty; one row; a long row among short ones; two rows far
    // apart; few rows of one entry, so that the entries of each block are far apart.
    std::vector<int> counts;
    int const rows = shape == 1 ? 1 : shape == 3 ? 70000 : shape == 4 ? 300000 : 5000;
    for (int i = 0; i < rows; ++i)
      counts.push_back(shape == 0   ? static_cast<int>(random() % 9)
                       : shape == 1 ? 4097
                       : shape == 2 ? (i == 1234 ? 30000 : i % 3)
                       : shape == 3 ? (i == 69999 || i == 17 ? 5 : 0)
                                    : (i % 97 == 5 ? 1 : 0));
    std::vector<int> offsets{0};
    for (int const count : counts)
      offsets.push_back(offsets.back() + count);
    int const all = offsets.back();
    // Rows in another order, first those without sums; some are not kept.
    std::vector<std::int64_t> kept_at(counts.size(), not_kept);
    std::vector<int> kept, expected(static_cast<std::size_t>(all), -1);
    std::vector<TestType> sums, expected_sums(static_cast<std::size_t>(all), TestType(-1));
    std::int64_t first_of_sums = 0;
    for (bool const has_sums : {false, true})
    {
      first_of_sums = has_sums ? static_cast<std::int64_t>(kept.size()) : first_of_sums;
      for (int i = rows - 1; i >= 0; --i)
      {
        auto const row = static_cast<std::size_t>(i);
        if (i % 7 == 3 || (i % 2 == 0) != has_sums)
          continue;
        kept_at[row] = static_cast<std::int64_t>(kept.size());
        for (int k = 0; k < counts[row]; ++k)
        {
          auto const to = static_cast<std::size_t>(offsets[row] + k);
          kept.push_back(static_cast<int>(random() % 100000));
          expected[to] = kept.back();
          if (!has_sums)
            continue;
          sums.push_back(static_cast<TestType>(kept.back() % 1000));
          expected_sums[to] = sums.back();
        }
      }
    }
    sums.resize(sums.size() + 1);
    kept.resize(kept.size() + 1);
    auto const d_offsets = on_device(offsets), d_kept = on_device(kept);
    auto const d_kept_at = on_device(kept_at);
    auto const d_sums = on_device(sums);
    DeviceView<int> const columns("columns", expected.size());
    DeviceView<TestType> const values("values", expected.size());
    Kokkos::deep_copy(columns, -1);
    Kokkos::deep_copy(values, TestType(-1));
    using Sink = PlacingSumsSink<int, int, TestType>;
    Sink sink;
    sink.kept_at = d_kept_at.data();
    sink.offsets = d_offsets.data();
    sink.columns = columns.data();
    sink.values = values.data();
    place_kept(Kokkos::Cuda(), sink, d_kept.data(), first_of_sums, d_sums.data(),
               static_cast<std::int64_t>(rows), static_cast<std::int64_t>(all));
    Kokkos::fence();
    INFO("shape " << shape);
    CHECK(on_host(columns) == expected);
    CHECK(on_host(values) == expected_sums);
    // Columns alone.
    Kokkos::deep_copy(columns, -1);
    sink.values = nullptr;
    place_kept(Kokkos::Cuda(), sink, d_kept.data(), first_of_sums, d_sums.data(),
               static_cast<std::int64_t>(rows), static_cast<std::int64_t>(all));
    Kokkos::fence();
    CHECK(on_host(columns) == expected);
    CHECK(on_host(values) == expected_sums);
  }
}
