// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Figures of patterns and bounds of multiplies, against serial counts and numbers worked out by
// hand. Distances of entries and row segments have tests of their own (test_row_segment_features).

#include <heddle/analysis.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;

RowLengths counted_lengths(Structure const& s)
{
  RowLengths result;
  if (s.rows == 0)
    return result;
  result.shortest = s.cols;
  result.mean = static_cast<double>(s.nnz()) / static_cast<double>(s.rows);
  double squares = 0;
  for (auto const& row : s.columns)
  {
    auto const length = static_cast<std::int64_t>(row.size());
    result.shortest = std::min(result.shortest, length);
    result.longest = std::max(result.longest, length);
    squares += std::pow(static_cast<double>(length) - result.mean, 2);
    std::size_t bin = RowLengths::bins - 1;
    while (length < RowLengths::least(bin))
      --bin;
    ++result.histogram[bin];
  }
  result.deviation = std::sqrt(squares / static_cast<double>(s.rows));
  return result;
}

double counted_overlap(Structure const& s, std::int64_t bundle)
{
  std::set<std::pair<std::int64_t, std::int64_t>> distinct;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      distinct.insert({i / bundle, j});
  return distinct.empty() ? 1 : static_cast<double>(s.nnz()) / static_cast<double>(distinct.size());
}

void check_figures(Structure const& s)
{
  INFO(s.name);
  Device const exec = instance_of_five<Device>();
  auto const a = make_csr<C>(s);
  PatternFigures const seen = pattern_figures(exec, a, {32, 2});
  CHECK(seen.rows == s.rows);
  CHECK(seen.cols == s.cols);
  CHECK(seen.nnz == s.nnz());
  RowLengths const lengths = counted_lengths(s);
  CHECK(seen.lengths.shortest == lengths.shortest);
  CHECK(seen.lengths.longest == lengths.longest);
  CHECK(seen.lengths.mean == Catch::Approx(lengths.mean));
  CHECK(seen.lengths.deviation == Catch::Approx(lengths.deviation).margin(1e-6));
  CHECK(seen.lengths.histogram == lengths.histogram);
  CHECK(seen.lengths.empty() == std::count_if(s.columns.begin(), s.columns.end(),
                                              [](auto const& row) { return row.empty(); }));
  for (std::size_t n = 0; n < PatternFigures::bundles.size(); ++n)
    CHECK(seen.overlap[n] == Catch::Approx(counted_overlap(s, PatternFigures::bundles[n])));
  std::int64_t bandwidth = 0, distances = 0;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
    {
      bandwidth = std::max(bandwidth, std::abs(i - j));
      distances += std::abs(i - j);
    }
  CHECK(seen.bandwidth == bandwidth);
  auto const nnz = static_cast<double>(std::max<std::int64_t>(s.nnz(), 1));
  CHECK(seen.mean_distance == Catch::Approx(static_cast<double>(distances) / nnz));
  auto const segmented = to_row_segmented(exec, a, {32, 2});
  CHECK(seen.segments == static_cast<std::int64_t>(segmented.num_segments()));
  CHECK(seen.heavy_share == Catch::Approx(static_cast<double>(segmented.heavy_nnz()) / nnz));
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::MachineDescription;
using heddle::MultiplyWork;

TEST_CASE("figures of patterns are those of serial counts", "[analysis]")
{
  for (Structure const& s : structures())
    check_figures(s);
  for (Structure const& s : small_structures())
    check_figures(shuffled(s, 21));
}

TEST_CASE("figures of patterns take a default-constructed matrix and refuse shapes", "[analysis]")
{
  CHECK(heddle::pattern_figures(Device{}, CsrOf<C>{}).nnz == 0);
  auto const empty = make_csr<C>({"rows alone", 3, 5, {{}, {}, {}}});
  CHECK(heddle::pattern_figures(Device{}, empty).bandwidth == 0);
  auto const a = make_csr<C>(structure("banded"));
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::pattern_figures(Device{}, a, {0, 8});
        }) == "heddle::pattern_figures: panels of 0 columns with threshold 8");
}

TEST_CASE("a band's rows share all columns but one", "[analysis]")
{
  // Rows of 5 entries, half-band 2: of two rows 6 distinct columns, of four 8, of eight 12.
  auto const seen = heddle::pattern_figures(Device{}, make_csr<C>(structure("banded")));
  CHECK(seen.overlap[0] == Catch::Approx(10.0 / 6).epsilon(0.01));
  CHECK(seen.overlap[1] == Catch::Approx(20.0 / 8).epsilon(0.01));
  CHECK(seen.overlap[2] == Catch::Approx(40.0 / 12).epsilon(0.01));
  CHECK(seen.bandwidth == 2);
}

TEST_CASE("work of SpMV and SpMM, worked out by hand", "[analysis]")
{
  // 2 x 4, 3 entries, double, int, size_t.
  auto const a = make_csr<C>({"", 2, 4, {{0, 2}, {3}}});
  MultiplyWork const spmv = heddle::spmv_work(a);
  CHECK(spmv.products == 3);
  CHECK(spmv.flops == 6);
  CHECK(spmv.bytes == 3 * 12 + 3 * 8 + 6 * 8);
  CHECK(spmv.words == 2 * 3 + 2 + 4);
  CHECK(spmv.flops_per_byte() == 6.0 / 108);
  MultiplyWork const spmm = heddle::spmm_work(a, 10);
  CHECK(spmm.products == 30);
  CHECK(spmm.flops == 60);
  CHECK(spmm.bytes == 3 * 12 + 3 * 8 + 60 * 8);
  CHECK(spmm.words == 2 * 3 + 60);
  using Complex = Case<Device, Complex64, int, int>;
  MultiplyWork const complex = heddle::spmv_work(make_csr<Complex>({"", 2, 4, {{0, 2}, {3}}}));
  CHECK(complex.flops == 24);
  CHECK(complex.bytes == 3 * 12 + 3 * 4 + 6 * 8);
}

TEST_CASE("work of SpGEMM is that of the products of paper 003's Fig. 4", "[analysis]")
{
  // S_A = {(1,1), (1,2), (2,3)}, S_B = {(1,1), (1,4), (2,1), (2,2), (3,1), (3,3)}: six products,
  // C has (1,1), (1,2), (1,4), (2,1), (2,3). The lower bound is 28 words.
  auto const a = make_csr<C>({"", 2, 3, {{0, 1}, {2}}});
  auto const b = make_csr<C>({"", 3, 4, {{0, 3}, {0, 1}, {0, 2}}});
  MultiplyWork const work = heddle::spgemm_work(Device{}, a, b);
  CHECK(work.products == 6);
  CHECK(work.flops == 12);
  CHECK(work.words == 28);
  CHECK(work.bytes == (3 + 6 + 5) * 12 + (3 + 4 + 3) * 8);
  CHECK(work.flops_per_word() == 12.0 / 28);
  CHECK(work.dense_bound_words(32) == Catch::Approx(1.72 * 6 / 2)); // four words of cache
}

TEST_CASE("work of SpGEMM is that of serial loops", "[analysis]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    Structure const t = transposed(s);
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    double products = 0;
    for (std::int64_t i = 0; i < s.rows; ++i)
      for (std::int64_t const k : s.columns[i])
        for (std::int64_t const j : t.columns[k])
        {
          places.insert({i, j});
          ++products;
        }
    MultiplyWork const work = heddle::spgemm_work(Device{}, make_csr<C>(s), make_csr<C>(t));
    CHECK(work.products == products);
    CHECK(work.words ==
          4.0 * static_cast<double>(s.nnz()) + 2.0 * static_cast<double>(places.size()));
  }
}

TEST_CASE("a roofline's lower side bounds the time", "[analysis]")
{
  MachineDescription const machine{"", 100, 400, 200, 1 << 20};
  MultiplyWork const by_memory{.products = 5, .flops = 10, .bytes = 1000, .value_bytes = 8};
  CHECK(by_memory.seconds(machine, true) == Catch::Approx(10e-9));
  CHECK(by_memory.is_memory_bound(machine, true));
  MultiplyWork const by_arithmetic{
      .products = 5000, .flops = 10000, .bytes = 1000, .value_bytes = 8};
  CHECK(by_arithmetic.seconds(machine, true) == Catch::Approx(50e-9));
  CHECK(by_arithmetic.seconds(machine, false) == Catch::Approx(25e-9));
  CHECK_FALSE(by_arithmetic.is_memory_bound(machine, true));
  CHECK(MultiplyWork{}.flops_per_byte() == 0);
  CHECK(MultiplyWork{}.flops_per_word() == 0);
}
