// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the model of row segments sees of a matrix, against serial counts on every structure.

#include <heddle/convert_row_segmented.hpp>
#include <heddle/impl/convert/row_segment_features.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, int>;

RowSegmentFeatures features(CsrOf<C> const& a, std::int64_t panel_width)
{
  return impl::with_ordered_entries(Device{}, a, [&](auto const& entries) {
    return impl::features_of(Device{}, entries.in_shape(panel_width, 0));
  });
}

// The upper ends of the bins, as the paper lists them (section 4.2, without its overlap).
constexpr std::int64_t last_gaps[] = {1, 3, 15, 63, 255, 1023, 4095, 16383, 65535, 262143};

RowSegmentFeatures counted(Structure const& s, std::int64_t panel_width)
{
  RowSegmentFeatures result;
  std::set<std::pair<std::int64_t, std::int64_t>> panels;
  double gaps = 0;
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    auto row = s.columns[i];
    std::sort(row.begin(), row.end());
    for (std::size_t n = 0; n < row.size(); ++n)
    {
      panels.insert({i, row[n] / panel_width});
      if (n == 0)
        continue;
      std::size_t bin = 0;
      while (bin < std::size(last_gaps) && row[n] - row[n - 1] > last_gaps[bin])
        ++bin;
      ++result.gaps[bin];
      ++gaps;
    }
  }
  for (double& share : result.gaps)
    share = gaps > 0 ? share / gaps : 0;
  if (s.nnz() > 0)
    result.accumulations = static_cast<double>(panels.size()) / static_cast<double>(s.nnz());
  return result;
}

void check_same(RowSegmentFeatures const& seen, RowSegmentFeatures const& expected)
{
  for (std::size_t n = 0; n < RowSegmentFeatures::count; ++n)
  {
    INFO(RowSegmentFeatures::name(n));
    CHECK(seen[n] == Catch::Approx(expected[n]).epsilon(1e-14).margin(0));
  }
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("features of row segments are those of a serial count", "[row_segmented]")
{
  for (Structure const& s : small_structures())
    for (std::int64_t const width : {1, 3, 32, 1000})
    {
      INFO(s.name << ", panels of " << width);
      check_same(features(make_csr<C>(s), width), counted(s, width));
      check_same(features(make_csr<C>(shuffled(s, 5)), width), counted(s, width));
    }
}

TEST_CASE("every bin of gaps has its own ends", "[row_segmented]")
{
  // A row for each gap at an end of a bin, and beyond the last.
  Structure s{"gaps", 0, 2000000, {}};
  for (std::int64_t const last : last_gaps)
    for (std::int64_t const gap : {last, last + 1})
      s.columns.push_back({5, 5 + gap});
  s.columns.push_back({0, 1999999});
  s.rows = static_cast<std::int64_t>(s.columns.size());
  auto const seen = features(make_csr<C>(s), 226);
  check_same(seen, counted(s, 226));
  CHECK(seen.gaps[0] == Catch::Approx(1.0 / 21));
  for (std::size_t bin = 1; bin < 10; ++bin)
    CHECK(seen.gaps[bin] == Catch::Approx(2.0 / 21));
  CHECK(seen.gaps[10] == Catch::Approx(2.0 / 21));
}

TEST_CASE("features of row segments have names", "[row_segmented]")
{
  using heddle::RowSegmentFeatures;
  CHECK(RowSegmentFeatures::name(0) == "gaps_1");
  CHECK(RowSegmentFeatures::name(1) == "gaps_2");
  CHECK(RowSegmentFeatures::name(2) == "gaps_4");
  CHECK(RowSegmentFeatures::name(10) == "gaps_262144");
  CHECK(RowSegmentFeatures::name(11) == "accumulations");
}

TEST_CASE("segments are counted as a conversion makes them", "[row_segmented]")
{
  for (Structure const& s : small_structures())
    for (std::int64_t const width : {1, 3, 32})
      for (std::int64_t const threshold : {1, 2, 5})
      {
        INFO(s.name << ", panels of " << width << ", threshold " << threshold);
        auto const a = make_csr<C>(s);
        auto const made = heddle::to_row_segmented(Device{}, a, {width, threshold});
        auto const counts =
            heddle::impl::with_ordered_entries(Device{}, a, [&](auto const& entries) {
              return heddle::impl::count_segments(Device{}, entries.in_shape(width, threshold));
            });
        CHECK(counts.segments == static_cast<std::int64_t>(made.num_segments()));
        CHECK(counts.heavy_nnz == static_cast<std::int64_t>(made.heavy_nnz()));
      }
}
