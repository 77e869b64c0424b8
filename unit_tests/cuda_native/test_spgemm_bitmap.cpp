// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_bitmap.cuh>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace heddle::cuda_native
{

struct OneBin
{
  __device__ int bin_of(std::int64_t, ProductRow<int> const&) const { return 0; }
  __device__ bool is_short(int) const { return false; }
};

} // namespace heddle::cuda_native

using namespace heddle::cuda_native;

namespace
{

template <class T>
using DeviceView = Kokkos::View<T*, Kokkos::CudaSpace>;

template <class T>
DeviceView<T> on_device(std::vector<T> const& values)
{
  DeviceView<T> const view("values", values.size());
  Kokkos::deep_copy(view, Kokkos::View<T const*, Kokkos::HostSpace>(values.data(), values.size()));
  return view;
}
template <class T>
std::vector<T> on_host(DeviceView<T> const& view)
{
  std::vector<T> values(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace>(values.data(), values.size()), view);
  return values;
}

struct Pattern
{
  std::vector<int> offsets{0}, columns;

  int rows() const { return static_cast<int>(offsets.size()) - 1; }
};
// Up to `most` columns in each row, from `first` on, drawn: out of order, and some twice.
Pattern drawn(int rows, int most, int first, int width, unsigned seed)
{
  std::mt19937 random(seed);
  Pattern pattern;
  for (int i = 0; i < rows; ++i)
  {
    int const count = static_cast<int>(random() % static_cast<unsigned>(most + 1));
    for (int k = 0; k < count; ++k)
      pattern.columns.push_back(first + static_cast<int>(random() % static_cast<unsigned>(width)));
    pattern.offsets.push_back(static_cast<int>(pattern.columns.size()));
  }
  return pattern;
}
Pattern sorted(Pattern pattern)
{
  Pattern result;
  for (int i = 0; i < pattern.rows(); ++i)
  {
    std::set<int> const row(pattern.columns.begin() + pattern.offsets[static_cast<std::size_t>(i)],
                            pattern.columns.begin() +
                                pattern.offsets[static_cast<std::size_t>(i) + 1]);
    result.columns.insert(result.columns.end(), row.begin(), row.end());
    result.offsets.push_back(static_cast<int>(result.columns.size()));
  }
  return result;
}

// The columns of each row of A B, by the definition.
std::vector<std::set<int>> product_of(Pattern const& a, Pattern const& b)
{
  std::vector<std::set<int>> rows(static_cast<std::size_t>(a.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    {
      auto const of_b = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
      for (int n = b.offsets[of_b]; n < b.offsets[of_b + 1]; ++n)
        rows[i].insert(b.columns[static_cast<std::size_t>(n)]);
    }
  return rows;
}

struct PatternOnDevice
{
  using View = CsrView<float, int, int>;
  DeviceView<int> offsets, columns;
  View view;

  explicit PatternOnDevice(Pattern const& pattern)
      : offsets(on_device(pattern.offsets))
      , columns(on_device(pattern.columns))
      , view{pattern.rows(), offsets.data(), columns.data(), nullptr}
  {}
};

// Both passes of the symbolic phase with bitmaps of `words` words: the counting one has room for
// `room` columns, the placing one finds what had none.
void check_bitmaps(Pattern const& a, Pattern const& b, int words, bool has_words, std::size_t room)
{
  Kokkos::Cuda const exec;
  auto const rows = static_cast<std::size_t>(a.rows());
  PatternOnDevice const of_a(a), of_b(b);
  auto const nnz_b = static_cast<std::int64_t>(b.columns.size());
  DeviceView<FactorRow<int>> const b_rows("b_rows", static_cast<std::size_t>(b.rows()));
  DeviceView<ColumnWord<int>> const b_words("b_words", b.columns.size());
  DeviceView<ProductRow<int>> const c_rows("c_rows", rows);
  DeviceView<BoundTotals> const totals("totals", 1);
  DeviceView<RowBinCounts> const bin_counts("bin_counts", 1);
  bound_factor_rows(exec, of_b.view, nnz_b, b_rows.data(), b_words.data(), totals.data());
  bound_product_rows(exec, of_a.view, static_cast<std::int64_t>(a.columns.size()), b_rows.data(),
                     c_rows.data(), totals.data(), OneBin{}, bin_counts.data());

  std::vector<int> listed(rows);
  for (std::size_t i = 0; i < rows; ++i)
    listed[i] = static_cast<int>(rows - 1 - i);
  auto const list = on_device(listed);
  DeviceView<int> const counts("counts", rows), blocks("blocks", rows), kept("kept", room);
  DeviceView<std::int64_t> const kept_at("kept_at", rows);
  DeviceView<unsigned long long> const used("used", 1);
  auto const find = [&](auto const& sink) {
    SideStreams side(exec, 1);
    auto const count = static_cast<std::int64_t>(rows);
    if (has_words)
      find_bitmap(side, of_a.view,
                  FactorBitmasks<int, int>{b_rows.data(), of_b.offsets.data(), b_words.data()},
                  c_rows.data(), list.data(), count, words, sink);
    else
      find_bitmap(side, of_a.view, of_b.view, c_rows.data(), list.data(), count, words, sink);
  };
  find(CountingSink<int>{counts.data(), blocks.data(), kept_at.data(), kept.data(), used.data(),
                         room, false});
  exec.fence();

  auto const expected = product_of(a, b);
  auto const found_counts = on_host(counts), found_blocks = on_host(blocks),
             found_kept = on_host(kept);
  auto const found_at = on_host(kept_at);
  std::vector<int> offsets{0};
  std::size_t rows_kept = 0;
  for (std::size_t i = 0; i < rows; ++i)
  {
    std::vector<int> const row(expected[i].begin(), expected[i].end());
    std::set<int> blocks_of_row;
    for (int const column : row)
      blocks_of_row.insert(column / 32);
    REQUIRE(found_counts[i] == static_cast<int>(row.size()));
    REQUIRE(found_blocks[i] == static_cast<int>(blocks_of_row.size()));
    if (found_at[i] != not_kept)
    {
      ++rows_kept;
      auto const at = static_cast<std::size_t>(found_at[i]);
      REQUIRE(at + row.size() <= room);
      REQUIRE(
          std::equal(row.begin(), row.end(), found_kept.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    offsets.push_back(offsets.back() + static_cast<int>(row.size()));
  }
  auto const all = static_cast<std::size_t>(offsets.back());
  if (room >= all)
    CHECK(rows_kept == rows);
  else
    CHECK(rows_kept < rows);

  auto const c_offsets = on_device(offsets);
  DeviceView<int> const c_columns("c_columns", all);
  Kokkos::deep_copy(c_columns, -1);
  find(PlacingSink<int, int>{kept_at.data(), c_offsets.data(), c_columns.data()});
  exec.fence();
  auto const placed = on_host(c_columns);
  for (std::size_t i = 0; i < rows; ++i)
  {
    std::vector<int> row(expected[i].begin(), expected[i].end());
    if (found_at[i] != not_kept)
      std::fill(row.begin(), row.end(), -1); // left out: they are moved by another kernel
    REQUIRE(std::equal(row.begin(), row.end(), placed.begin() + offsets[i]));
  }
}

} // namespace

TEST_CASE("columns of narrow rows come out of bitmaps in order", "[cuda_native][spgemm]")
{
  constexpr int per_word = 32;
  unsigned seed = 1;
  for (int const words : {4, 128, 512})
    for (int const most : {1, 3, 9, 40})
    {
      // Blocks from the first to the last are as many as there are words, or fewer.
      int const first = 3 * per_word, width = words * per_word;
      Pattern const a = drawn(300, 9, 0, 200, seed++), b = drawn(200, most, first, width, seed++);
      for (bool const has_words : {false, true})
        for (Pattern const& factor : {b, sorted(b)})
        {
          INFO(words << " words, at most " << most
                     << " entries in a row of B, as words: " << has_words);
          check_bitmaps(a, factor, words, has_words, 1 << 20);
          check_bitmaps(a, factor, words, has_words, 500);
        }
    }
}

TEST_CASE("a bitmap begins at the block of the row's first column", "[cuda_native][spgemm]")
{
  // Far from column 0, whole blocks, and a row of C without any.
  Pattern a, b;
  a.offsets = {0, 2, 2, 3, 4};
  a.columns = {0, 1, 2, 1};
  b.offsets = {0, 2, 34, 35};
  b.columns = {1'000'031, 1'000'000};
  for (int n = 0; n < 32; ++n)
    b.columns.push_back(1'000'064 - 1'000'064 % 32 + n);
  b.columns.push_back(0);
  for (bool const has_words : {false, true})
    check_bitmaps(a, b, 4, has_words, 1000);
}
