// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CSR to row segments: Fig. 5 of paper 000 entry by entry, there and back on every structure, and
// where the line between heavy and light runs.

#include <heddle/convert_row_segmented.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/validate_csr.hpp>
#include <support/conversions.hpp>
#include <support/entries.hpp>
#include <support/format_types.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, int>;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;

// The matrix of Fig. 5 (a): a .. z are 1 .. 26, alpha .. zeta 27 .. 32.
CsrOf<C> figure_5()
{
  Doubles values;
  for (int value = 1; value <= 32; ++value)
    values.push_back(value);
  return CsrOf<C>(8, 8, to_view<int, C::space>({0, 4, 6, 8, 15, 18, 22, 27, 32}),
                  to_view<int, C::space>({0, 1, 3, 7,          // a b c d
                                          2, 5,                // e f
                                          3, 6,                // g h
                                          0, 1, 2, 3, 4, 5, 7, // i j k l m n o
                                          0, 6, 7,             // p q r
                                          1, 2, 3, 4,          // s t u v
                                          1, 2, 3, 4, 5,       // w x y z alpha
                                          2, 3, 4, 5, 6}),     // beta gamma delta epsilon zeta
                  to_view<double, C::space>(values));
}

// Entries of s by (panel, row), where a row is heavy.
std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>
segments_of(Structure const& s, RowSegmentShape const& shape)
{
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      ++counts[{j / shape.panel_width, i}];
  std::erase_if(counts, [&](auto const& count) { return count.second <= shape.threshold; });
  return counts;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("row segments are those of the paper's Fig. 5", "[row_segmented]")
{
  auto const a = heddle::to_row_segmented(Device{}, figure_5(), {4, 2});
  CHECK(a.shape() == heddle::RowSegmentShape{4, 2});
  CHECK(a.num_panels() == 2);
  CHECK(a.num_segments() == 6);
  CHECK(a.heavy_nnz() == 19);
  // (b-3) and (b-4), one after the other: rows 0, 3, 5, 6 of panel 0, rows 3, 7 of panel 1.
  CHECK(to_vector(a.segments().panels) == Ints{0, 4, 6});
  CHECK(to_vector(a.segments().rows) == Ints{0, 3, 5, 6, 3, 7});
  CHECK(to_vector(a.segments().offsets) == Ints{0, 3, 7, 10, 13, 16, 19});
  CHECK(to_vector(a.columns()) == Ints{0, 1, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, // panel 0
                                       0, 1, 3, 0, 1, 2,                      // panel 1
                                       7, 2, 5, 3, 6, 0, 6, 7, 4, 4, 5, 2, 3});
  CHECK(to_vector(a.values()) == Doubles{1,  2,  3,  9,  10, 11, 12, 19, 20, 21, 23, 24, 25, //
                                         13, 14, 15, 30, 31, 32,                             //
                                         4,  5,  6,  7,  8,  16, 17, 18, 22, 26, 27, 28, 29});
  // (c-2).
  auto const light = a.light();
  CHECK(light.num_rows() == 8);
  CHECK(light.num_cols() == 8);
  CHECK(to_vector(light.row_offsets()) == Ints{0, 1, 3, 5, 5, 8, 9, 11, 13});
  CHECK(to_vector(light.columns()) == Ints{7, 2, 5, 3, 6, 0, 6, 7, 4, 4, 5, 2, 3});
  CHECK(to_vector(light.values()) == Doubles{4, 5, 6, 7, 8, 16, 17, 18, 22, 26, 27, 28, 29});
  // Where a, b, c, d, and the last five entries, have gone.
  auto const places = to_vector(a.rows().places);
  CHECK(Ints(places.begin(), places.begin() + 4) == Ints{0, 1, 2, 19});
  CHECK(Ints(places.end() - 5, places.end()) == Ints{30, 31, 16, 17, 18});
}

TEST_CASE("the order of entries in a row does not change row segments", "[row_segmented]")
{
  auto const s = structure("power law");
  heddle::RowSegmentShape const shape{16, 2};
  auto const a = heddle::to_row_segmented(Device{}, make_csr<C>(s), shape);
  auto const b = heddle::to_row_segmented(Device{}, make_csr<C>(shuffled(s, 7)), shape);
  REQUIRE(a.heavy_nnz() > 0);
  REQUIRE(a.heavy_nnz() < a.nnz());
  CHECK(to_vector(a.segments().panels) == to_vector(b.segments().panels));
  CHECK(to_vector(a.segments().rows) == to_vector(b.segments().rows));
  CHECK(to_vector(a.segments().offsets) == to_vector(b.segments().offsets));
  CHECK(to_vector(a.light_row_offsets()) == to_vector(b.light_row_offsets()));
  CHECK(to_vector(a.columns()) == to_vector(b.columns()));
  CHECK(to_vector(a.values()) == to_vector(b.values()));
}

TEST_CASE("a row is heavy where more than threshold entries lie", "[row_segmented]")
{
  for (Structure const& s : small_structures())
    for (std::int64_t const width : {1, 3, 32, 1000})
      for (std::int64_t const threshold : {1, 2, 5})
      {
        INFO(s.name << ", panels of " << width << ", threshold " << threshold);
        auto const a = heddle::to_row_segmented(Device{}, make_csr<C>(s), {width, threshold});
        auto const panels = to_vector(a.segments().panels), rows = to_vector(a.segments().rows),
                   offsets = to_vector(a.segments().offsets);
        auto const expected = segments_of(s, a.shape());
        REQUIRE(rows.size() == expected.size());
        std::size_t at = 0;
        std::int64_t place = 0;
        bool is_same = true;
        for (auto const& [where, count] : expected)
        {
          auto const panel = static_cast<std::size_t>(where.first);
          is_same = is_same && rows[at] == where.second && offsets[at] == place &&
                    static_cast<std::size_t>(panels[panel]) <= at &&
                    at < static_cast<std::size_t>(panels[panel + 1]);
          place += count;
          ++at;
        }
        CHECK(is_same);
        CHECK(a.heavy_nnz() == static_cast<std::size_t>(place));
      }
}

TEST_CASE("panels are as wide as shared memory holds, where nobody says", "[row_segmented]")
{
  // 113 KiB a block, 64 columns of B: the model of paper 000.
  heddle::RowSegmentModel paper;
  paper.f32.vertical = paper.f64.vertical = 2;
  paper.f32.threshold = paper.f64.threshold = heddle::DecisionTree::leaf(8);
  auto const shape_of = [&](auto const& a, heddle::RowSegmentShape const& asked) {
    return heddle::to_row_segmented(Device{}, a, asked, paper).shape();
  };
  CHECK(shape_of(figure_5(), {}) == heddle::RowSegmentShape{226, 8});
  using F = Case<Device, float, int, int>;
  auto const a = make_csr<F>(structure("banded"));
  CHECK(shape_of(a, {0, 3}) == heddle::RowSegmentShape{452, 3});
  CHECK(shape_of(a, {7, 0}) == heddle::RowSegmentShape{7, 8});
  // Without a model the shipped one chooses.
  auto const chosen = heddle::to_row_segmented(Device{}, a).shape();
  CHECK(chosen.panel_width > 0);
  CHECK(chosen.threshold > 0);
}

TEST_CASE("the model chooses what a shape leaves open", "[row_segmented]")
{
  heddle::RowSegmentModel model;
  model.f64.vertical = 1;
  // Neighbours stand together: 3, else 5.
  model.f64.threshold = {{{0, 0.5, 1, 2, 0}, {.label = 5}, {.label = 3}}};
  auto const shape_of = [&](Structure const& s, heddle::RowSegmentShape const& asked) {
    return heddle::to_row_segmented(Device{}, make_csr<C>(s), asked, model).shape();
  };
  Structure const banded = structure("banded"); // gaps of 1
  Structure far{"far", 64, 4096, {}};
  for (std::int64_t i = 0; i < far.rows; ++i)
    far.columns.push_back({i, i + 1000, i + 2000, i + 3000});
  using Shape = heddle::RowSegmentShape;
  CHECK(shape_of(banded, {}) == Shape{452, 3});
  CHECK(shape_of(far, {}) == Shape{452, 5});
  CHECK(shape_of(far, {0, 2}) == Shape{452, 2});
  CHECK(shape_of(far, {30, 0}) == Shape{30, 5});
  CHECK(shape_of(shuffled(banded, 3), {}) == Shape{452, 3});

  // Accumulations count panels: with panels of 4096 each row of far has one for four entries.
  model.f64.threshold = {{{11, 0.25, 1, 2, 0}, {.label = 7}, {.label = 9}}};
  CHECK(shape_of(far, {4096, 0}) == Shape{4096, 7});
  CHECK(shape_of(far, {}) == Shape{452, 9});

  // Where costs are known, panels are those of the coarsening that costs least: with threshold 2
  // banded is heavy, and entries cost least with four slices, additions with one.
  model.f64.heavy = {{{1, 3}, {2, 2}, {3, 1}}};
  model.f64.light = {1, 1};
  CHECK(shape_of(banded, {0, 2}) == Shape{113, 2});
  model.f64.heavy = {{{100, 3}, {200, 2}, {300, 1}}};
  CHECK(shape_of(banded, {0, 2}) == Shape{452, 2});
  model.f64.heavy[0] = {};
  CHECK(shape_of(banded, {0, 2}) == Shape{226, 2});
}

TEST_CASE("to_row_segmented refuses shapes that are none", "[row_segmented]")
{
  auto const refusal = [](heddle::RowSegmentShape const& shape) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::to_row_segmented(Device{}, figure_5(), shape); });
  };
  CHECK(refusal({4, 2}) == "no error");
  CHECK(refusal({-1, 2}) == "heddle::to_row_segmented: panels of -1 columns, threshold 2");
  CHECK(refusal({4, -2}) == "heddle::to_row_segmented: panels of 4 columns, threshold -2");
}

TEMPLATE_LIST_TEST_CASE("row segments give back the CSR they were made of", "[row_segmented]",
                        FormatTypes)
{
  typename TestType::exec const exec{};
  check_round_trips<AsRowSegmented<16, 2>, TestType>(instance_of_five<typename TestType::exec>());
  check_round_trips<AsRowSegmented<1, 1>, TestType>(exec);      // all light
  check_round_trips<AsRowSegmented<100000, 1>, TestType>(exec); // one panel
  check_round_trips<AsRowSegmented<0, 0>, TestType>(exec);
}

TEST_CASE("row segments that nobody has filled are a matrix without rows", "[row_segmented]")
{
  auto const a = heddle::to_csr(
      Device{}, heddle::RowSegmentedMatrix<double, int, std::size_t, Device::memory_space>{});
  CHECK(a.num_rows() == 0);
  CHECK(a.nnz() == 0);
  CHECK(!heddle::validate(Device{}, a));
}

TEST_CASE("coordinates become row segments", "[row_segmented]")
{
  auto const coo = make_coo<C>(in_random_order(entries_of(structure("banded")), 3));
  auto const a = heddle::to_row_segmented(Device{}, coo, {16, 2});
  CHECK(a.heavy_nnz() > 0);
  CHECK(to_host(heddle::to_csr(Device{}, a)) == to_host(heddle::to_csr(Device{}, coo)));
}
