// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Patterns of A and B for tests of the SpGEMM kernels on CUDA, and what the symbolic phase knows of
// the rows of A B before it begins.

#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace heddle::test
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
inline Pattern drawn(int rows, int most, int first, int width, unsigned seed)
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
inline Pattern sorted(Pattern pattern)
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
inline std::vector<std::set<int>> product_of(Pattern const& a, Pattern const& b)
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
  using View = cuda_native::CsrView<float, int, int>;
  DeviceView<int> offsets, columns;
  View view;

  explicit PatternOnDevice(Pattern const& pattern)
      : offsets(on_device(pattern.offsets))
      , columns(on_device(pattern.columns))
      , view{pattern.rows(), offsets.data(), columns.data(), nullptr}
  {}
};

// A B for the symbolic kernels: the bounds of the rows of B, as words too, and of A B, and a list
// of all rows, the last one first.
struct SymbolicCase
{
  struct OneBin
  {
    __device__ int bin_of(std::int64_t, cuda_native::ProductRow<int> const&) const { return 0; }
    __device__ bool is_short(int) const { return false; }
  };
  PatternOnDevice a, b;
  DeviceView<cuda_native::FactorRow<int>> b_rows;
  DeviceView<cuda_native::ColumnWord<int>> b_words;
  DeviceView<cuda_native::ProductRow<int>> c_rows;
  DeviceView<int> list;
  std::vector<std::set<int>> expected;

  SymbolicCase(Pattern const& left, Pattern const& right)
      : a(left)
      , b(right)
      , b_rows("b_rows", static_cast<std::size_t>(right.rows()))
      , b_words("b_words", right.columns.size())
      , c_rows("c_rows", static_cast<std::size_t>(left.rows()))
      , expected(product_of(left, right))
  {
    Kokkos::Cuda const exec;
    DeviceView<cuda_native::BoundTotals> const totals("totals", 1);
    DeviceView<cuda_native::RowBinCounts> const bin_counts("bin_counts", 1);
    cuda_native::bound_factor_rows(exec, b.view, static_cast<std::int64_t>(right.columns.size()),
                                   b_rows.data(), b_words.data(), totals.data());
    cuda_native::bound_product_rows(exec, a.view, static_cast<std::int64_t>(left.columns.size()),
                                    b_rows.data(), c_rows.data(), totals.data(), OneBin{},
                                    bin_counts.data());
    exec.fence();
    std::vector<int> listed(expected.size());
    for (std::size_t i = 0; i < listed.size(); ++i)
      listed[i] = static_cast<int>(listed.size() - 1 - i);
    list = on_device(listed);
  }
  cuda_native::FactorBitmasks<int, int> bitmasks() const
  {
    return {b_rows.data(), b.offsets.data(), b_words.data()};
  }
  // The row offsets of A B.
  std::vector<int> offsets() const
  {
    std::vector<int> result{0};
    for (std::set<int> const& row : expected)
      result.push_back(result.back() + static_cast<int>(row.size()));
    return result;
  }

  // Both passes of find(sink), which launches a symbolic kernel for the list: the counting one has
  // room for `room` columns, unless no row is kept at all; the placing one finds what had none.
  template <class Find>
  void check(std::size_t room, bool may_keep, Find const& find) const
  {
    std::size_t const rows = expected.size();
    DeviceView<int> const counts("counts", rows), blocks("blocks", rows), kept("kept", room);
    DeviceView<std::int64_t> const kept_at("kept_at", rows);
    DeviceView<unsigned long long> const used("used", 1);
    find(cuda_native::CountingSink<int>{counts.data(), blocks.data(), kept_at.data(), kept.data(),
                                        used.data(), room, false});
    Kokkos::fence();
    auto const found_counts = on_host(counts), found_blocks = on_host(blocks),
               found_kept = on_host(kept);
    auto const found_at = on_host(kept_at);
    std::size_t rows_kept = 0;
    for (std::size_t i = 0; i < rows; ++i)
    {
      std::vector<int> const row(expected[i].begin(), expected[i].end());
      std::set<int> blocks_of_row;
      for (int const column : row)
        blocks_of_row.insert(column / 32);
      REQUIRE(found_counts[i] == static_cast<int>(row.size()));
      REQUIRE(found_blocks[i] == static_cast<int>(blocks_of_row.size()));
      if (found_at[i] != cuda_native::not_kept)
      {
        ++rows_kept;
        auto const at = static_cast<std::size_t>(found_at[i]);
        REQUIRE(at + row.size() <= room);
        REQUIRE(std::equal(row.begin(), row.end(),
                           found_kept.begin() + static_cast<std::ptrdiff_t>(at)));
      }
    }
    std::vector<int> const row_offsets = offsets();
    auto const all = static_cast<std::size_t>(row_offsets.back());
    if (may_keep && room >= all)
      CHECK(rows_kept == rows);
    else
      CHECK(rows_kept < rows);

    auto const c_offsets = on_device(row_offsets);
    DeviceView<int> const c_columns("c_columns", all);
    Kokkos::deep_copy(c_columns, -1);
    find(cuda_native::PlacingSink<int, int>{kept_at.data(), c_offsets.data(), c_columns.data()});
    Kokkos::fence();
    auto const placed = on_host(c_columns);
    for (std::size_t i = 0; i < rows; ++i)
    {
      std::vector<int> row(expected[i].begin(), expected[i].end());
      if (found_at[i] != cuda_native::not_kept)
        std::fill(row.begin(), row.end(), -1); // left out: they are moved by another kernel
      REQUIRE(std::equal(row.begin(), row.end(), placed.begin() + row_offsets[i]));
    }
  }
};

} // namespace heddle::test
