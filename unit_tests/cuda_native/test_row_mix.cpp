// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/rows/length_order.hpp>
#include <heddle/cuda_native/rows/strided_ranges.hpp>
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/row_ranges.hpp>
#include <support/matrices.hpp>
#include <support/mixtures.hpp>
#include <support/pattern.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Which ranges of rows go into bundles, and that each row goes one way.

namespace heddle::test
{

namespace
{

using Tested = Case<Device, double, int, std::size_t>;
using Policy = cuda_native::SpmmCsrPolicyFor;
using cuda_native::BundleShape;
using cuda_native::RowMix;
using cuda_native::RowRangeSample;
using cuda_native::StridedRowRange;

// f(exec, pattern) on the device.
template <class F>
auto on_device(Structure const& s, F const& f)
{
  auto const a = make_csr<Tested>(s);
  return f(Tested::exec{}, PatternOf(a));
}

std::vector<RowRangeSample> samples_of(Structure const& s)
{
  return on_device(
      s, [](auto const& exec, auto const& a) { return cuda_native::sample_row_ranges(exec, a); });
}
RowMix mix_of(Structure const& s)
{
  return on_device(s,
                   [](auto const& exec, auto const& a) { return cuda_native::row_mix(exec, a); });
}

bool has(std::vector<std::int64_t> const& row, std::int64_t column)
{
  return std::find(row.begin(), row.end(), column) != row.end();
}

// How many rows ago one had the column, of `most` rows.
int since(Structure const& s, std::int64_t row, std::int64_t column, int most)
{
  for (int d = 1; d <= most && d <= row; ++d)
    if (has(s.columns[static_cast<std::size_t>(row - d)], column))
      return d;
  return most + 1;
}

// Entries of rows [first, last) whose column no row before has in their bundle.
int firsts_in(Structure const& s, std::int64_t first, std::int64_t last, BundleShape const& shape)
{
  int count = 0;
  for (std::int64_t i = first; i < last; ++i)
  {
    auto const before =
        static_cast<int>((i + shape.rows - shape.phase) % shape.rows); // rows of the bundle
    for (std::int64_t const column : s.columns[static_cast<std::size_t>(i)])
      count += since(s, i, column, before) > before ? 1 : 0;
  }
  return count;
}

std::vector<std::int64_t> all_rows(std::vector<StridedRowRange> const& ranges, int step)
{
  using List = Kokkos::View<int*, Tested::space>;
  auto const list = cuda_native::rows_of<List>(Tested::exec{}, ranges, step);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, list);
  return {host.data(), host.data() + host.extent(0)};
}

// How often each row is in a bundle or among the others.
std::vector<int> uses_of_rows(RowMix const& mix, std::int64_t rows)
{
  std::vector<int> uses(static_cast<std::size_t>(rows), 0);
  for (int const size : {2, 3, 4, 6})
    for (std::int64_t const first : all_rows(mix.bundles_of(size), size))
      for (int r = 0; r < size; ++r)
        ++uses.at(static_cast<std::size_t>(first + r));
  for (std::int64_t const row : all_rows(mix.other_rows(rows), 1))
    ++uses.at(static_cast<std::size_t>(row));
  return uses;
}

} // namespace

TEST_CASE("a range of which all is looked at has what a count of it has", "[cuda_native]")
{
  std::vector<Structure> all = mixtures();
  all.push_back(random_structure("random", 500, 60, 12, 3));
  for (Structure const& s : all)
  {
    INFO(s.name);
    std::int64_t const range_rows = Policy::range_rows(s.rows);
    REQUIRE(range_rows == Policy::probes * Policy::probe_rows);
    auto const samples = samples_of(s);
    REQUIRE(static_cast<std::int64_t>(samples.size()) == (s.rows + range_rows - 1) / range_rows);
    for (std::size_t n = 0; n < samples.size(); ++n)
    {
      RowRangeSample const& range = samples[n];
      std::int64_t const first = static_cast<std::int64_t>(n) * range_rows;
      std::int64_t const last = std::min(first + range_rows, s.rows);
      std::int64_t entries = 0, longest = 0, alone = 0;
      for (std::int64_t i = first; i < last; ++i)
      {
        auto const& row = s.columns[static_cast<std::size_t>(i)];
        entries += static_cast<std::int64_t>(row.size());
        longest = std::max(longest, static_cast<std::int64_t>(row.size()));
        for (std::int64_t const column : row)
          alone += since(s, i, column, 5) > 5 ? 1 : 0;
      }
      CHECK(range.entries == entries);
      CHECK(range.longest == longest);
      if (range.size < entries) // some range has more entries than are taken of it
        continue;
      CHECK(range.size == entries);
      CHECK(range.alone == alone);
      for (int const size : {2, 3, 4, 6})
        for (int phase = 0; phase < size; ++phase)
          CHECK(range.firsts[RowRangeSample::first_shape(size) + phase] ==
                firsts_in(s, first, last, {size, phase}));
    }
  }
}

TEST_CASE("a sample of long rows shows how full bundles are", "[cuda_native]")
{
  for (int const size : {2, 3, 4, 6})
  {
    auto const samples = samples_of(unknowns_of_nodes(size, 240, 60 / size, 6000));
    for (RowRangeSample const& range : samples)
    {
      CHECK(range.size < range.entries);
      CHECK(range.fill({size, 0}) == Catch::Approx(1.0).margin(0.02));
      CHECK(range.fill({size, 1}) > Policy::most_fill(size));
    }
  }
}

TEST_CASE("neighbouring ranges that are alike make one run of bundles", "[cuda_native]")
{
  // 7 short rows, nodes of three unknowns, rows at random, nodes of six: bundles begin where nodes
  // do, in ranges that hardly have anything else.
  Structure const s = one_after_the_other(
      {random_structure("", 7, 900, 2, 1), unknowns_of_nodes(3, 200, 10, 900),
       random_structure("", 130, 900, 30, 2), unknowns_of_nodes(6, 80, 10, 900)});
  RowMix const mix = mix_of(s);
  REQUIRE(mix.runs.size() == 2);
  CHECK(mix.runs[0].rows == 3);
  CHECK(mix.runs[0].bundles.first == 1);
  CHECK(mix.runs[0].end() == 574); // of the range that ends at row 576
  CHECK(mix.runs[1].rows == 6);
  CHECK(mix.runs[1].bundles == StridedRowRange{773, 74});
  CHECK(mix.runs[1].end() == s.rows);
  CHECK(mix.others.alone > 0.5);
  CHECK(mix.other_rows(s.rows) == std::vector<StridedRowRange>{{0, 1}, {574, 199}});
}

TEST_CASE("each row is in one bundle or among the others", "[cuda_native]")
{
  std::vector<Structure> all = mixtures();
  for (Structure const& s : structures())
    all.push_back(s);
  for (Structure const& s : all)
  {
    INFO(s.name);
    RowMix const mix = mix_of(s);
    auto const uses = uses_of_rows(mix, s.rows);
    CHECK(std::count(uses.begin(), uses.end(), 1) == s.rows);
  }
}

TEST_CASE("lists of some rows have the longest first", "[cuda_native]")
{
  using List = Kokkos::View<int*, Tested::space>;
  for (Structure const& s : mixtures())
  {
    INFO(s.name);
    std::int64_t const first = s.rows / 3; // rows that are no positions in the list
    auto const list = on_device(s, [&](auto const& exec, auto const& a) {
      auto const rows =
          cuda_native::rows_of<List>(exec, {StridedRowRange{first, (s.rows - first + 1) / 2}}, 2);
      cuda_native::sort_by_length(exec, a, rows);
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows);
    });
    std::vector<int> const rows(list.data(), list.data() + list.extent(0));
    std::vector<int> expected;
    for (std::int64_t row = first; row < s.rows; row += 2)
      expected.push_back(static_cast<int>(row));
    std::stable_sort(expected.begin(), expected.end(), [&](int i, int j) {
      auto const class_of = [&](int row) {
        return cuda_native::length_class(
            static_cast<std::int64_t>(s.columns[static_cast<std::size_t>(row)].size()));
      };
      return class_of(i) > class_of(j);
    });
    CHECK(rows == expected);
  }
}

TEST_CASE("mixtures have bundles and other rows", "[cuda_native]")
{
  for (Structure const& s : mixtures())
  {
    INFO(s.name);
    RowMix const mix = mix_of(s);
    CHECK_FALSE(mix.bundles_of(3).empty());
    CHECK_FALSE(mix.other_rows(s.rows).empty());
  }
}

TEST_CASE("rows without columns in common have no bundles", "[cuda_native]")
{
  CHECK(mix_of(random_structure("", 500, 5000, 40, 5)).runs.empty());
  CHECK(mix_of(random_structure("", 500, 10, 3, 5)).runs.empty()); // and short ones neither
  CHECK(mix_of(Structure{"", 0, 5, {}}).runs.empty());
}

TEST_CASE("ranges hold whole bundles and are not too many", "[cuda_native]")
{
  for (std::int64_t const rows : {0, 1, 47, 48, 49, 5000, 98304, 98305, 1000000, 100000000})
  {
    std::int64_t const each = Policy::range_rows(rows);
    CHECK(each % 12 == 0);
    CHECK(each % Policy::probes == 0);
    CHECK(each / Policy::probes >= Policy::probe_rows);
    CHECK(rows <= 2048 * each);
  }
  CHECK(Policy::range_rows(98304) == 48);
  CHECK(Policy::range_rows(98305) == 96);
}

TEST_CASE("rows of bundles are not long beside the others or beside all work", "[cuda_native]")
{
  auto const suits = [](std::int64_t mean, std::int64_t longest, std::int64_t nonzeros) {
    return Policy::suits_bundles({.rows = 48, .nonzeros = 48 * mean, .longest = longest}, nonzeros);
  };
  CHECK(suits(80, 500, 80000000)); // elements of second order, csr_rows would cut rows of 2048
  CHECK_FALSE(suits(80, 600, 80000000));
  CHECK(suits(80, 200, 1000000));
  CHECK_FALSE(suits(80, 500, 1000000));
  CHECK_FALSE(suits(11, 11, 80000000));
}

TEST_CASE("a mixture pays where bundles have a share that is worth it", "[cuda_native]")
{
  std::int64_t const least = Policy::least_bundled;
  CHECK(Policy::mixture_pays(least, least, false));
  CHECK(Policy::mixture_pays(least, 4 * least, false));
  CHECK_FALSE(Policy::mixture_pays(least, 4 * least + 1, false));
  CHECK_FALSE(Policy::mixture_pays(least - 1, least, false));
  CHECK(Policy::mixture_pays(least, 2 * least, true));
  CHECK_FALSE(Policy::mixture_pays(least, 2 * least + 1, true));
}

} // namespace heddle::test
