// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/balanced_rows.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_sell.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Numbers = std::vector<std::int64_t>;
using C = Case<Device, double, int, std::size_t>;

// A matrix by the lengths of its rows.
Structure of_lengths(Numbers const& lengths)
{
  Structure s{"by lengths", static_cast<std::int64_t>(lengths.size()), 1, {}};
  for (std::int64_t const length : lengths)
  {
    s.cols = std::max(s.cols, length);
    Numbers& columns = s.columns.emplace_back();
    for (std::int64_t j = 0; j < length; ++j)
      columns.push_back(j);
  }
  return s;
}

Numbers lengths_of(Structure const& s)
{
  Numbers lengths;
  for (auto const& row : s.columns)
    lengths.push_back(static_cast<std::int64_t>(row.size()));
  return lengths;
}

// Weights of rows begin .. end - 1.
std::int64_t weight_of(Numbers const& weights, std::int64_t begin, std::int64_t end)
{
  std::int64_t sum = 0;
  for (std::int64_t i = begin; i < end; ++i)
    sum += weights[i];
  return sum;
}

// The lightest that the heaviest part can be, by trying every cut: least[i] is that of the first i
// rows in so many parts.
std::int64_t lightest(Numbers const& weights, std::int64_t parts, std::int64_t together)
{
  auto const rows = static_cast<std::int64_t>(weights.size());
  Numbers least(weights.size() + 1, std::numeric_limits<std::int64_t>::max());
  least[0] = 0;
  for (std::int64_t p = 0; p < parts; ++p)
  {
    Numbers const before = least;
    for (std::int64_t end = 0; end <= rows; ++end)
    {
      std::int64_t weight = 0;
      for (std::int64_t begin = end - 1; begin >= 0; --begin)
      {
        weight += weights[begin];
        if (begin % together == 0)
          least[end] = std::min(least[end], std::max(before[begin], weight));
      }
    }
  }
  return least[rows];
}

// "" or what is wrong with the parts: they must cover the rows in order, be cut where rows may be,
// and the heaviest must be the lightest there is.
std::string defect_of(Numbers const& first, std::int64_t parts, Numbers const& weights,
                      std::int64_t together = 1)
{
  auto const rows = static_cast<std::int64_t>(weights.size());
  if (static_cast<std::int64_t>(first.size()) != parts + 1 || first.front() != 0 ||
      first.back() != rows)
    return "the parts do not cover the rows";
  std::int64_t heaviest = 0;
  for (std::int64_t p = 0; p < parts; ++p)
  {
    if (first[p] > first[p + 1])
      return "part " + std::to_string(p) + " ends before it begins";
    if (first[p] % together != 0 && first[p] != rows)
      return "part " + std::to_string(p) + " begins within what belongs together";
    heaviest = std::max(heaviest, weight_of(weights, first[p], first[p + 1]));
  }
  std::int64_t const expected = lightest(weights, parts, together);
  return heaviest == expected ? ""
                              : "the heaviest part has " + std::to_string(heaviest) +
                                    ", expected " + std::to_string(expected);
}

std::string defect_of_csr(Structure const& s, std::int64_t parts)
{
  return defect_of(balanced_rows(Device{}, make_csr<C>(s), parts), parts, lengths_of(s));
}

// Places of a slice, as its first row's weight: cuts are at first rows only.
Numbers slice_weights(std::int64_t rows, std::int64_t height,
                      std::vector<std::size_t> const& offsets)
{
  Numbers weights(static_cast<std::size_t>(rows), 0);
  for (std::size_t slice = 0; slice + 1 < offsets.size(); ++slice)
    weights[slice * height] = static_cast<std::int64_t>(offsets[slice + 1] - offsets[slice]);
  return weights;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("balanced_rows of CSR: the heaviest part is as light as it can be", "[balanced_rows]")
{
  for (Structure const& s : small_structures())
    for (std::int64_t const parts : {1, 2, 3, 7, 16})
    {
      INFO(s.name << " in " << parts);
      CHECK(defect_of_csr(s, parts) == "");
    }
  Random random(11);
  for (int n = 0; n < 50; ++n)
  {
    Numbers lengths(static_cast<std::size_t>(random.below(30)));
    for (std::int64_t& length : lengths)
      length = random.below(3) == 0 ? 0 : random.below(20);
    INFO("random lengths, seed 11, number " << n);
    CHECK(defect_of_csr(of_lengths(lengths), 1 + random.below(9)) == "");
  }
}

TEST_CASE("balanced_rows: what can be worked out by hand", "[balanced_rows]")
{
  auto const parts_of = [](Numbers const& lengths, std::int64_t parts) {
    return heddle::balanced_rows(Device{}, make_csr<C>(of_lengths(lengths)), parts);
  };
  CHECK(parts_of(Numbers(12, 3), 4) == Numbers{0, 3, 6, 9, 12});
  // As even as can be, not as few parts as would do.
  CHECK(parts_of(Numbers(12, 3), 5) == Numbers{0, 2, 4, 7, 9, 12});
  CHECK(parts_of(Numbers(12, 0), 3) == Numbers{0, 4, 8, 12});
  // A dense row stands alone; the others share what is left.
  Numbers dense(100, 1);
  dense[50] = 1000;
  CHECK(parts_of(dense, 4) == Numbers{0, 50, 51, 75, 100});
  CHECK(parts_of({4, 4, 4, 4, 8}, 3) == Numbers{0, 2, 4, 5});
  CHECK(parts_of({5}, 3).back() == 1);
  CHECK(parts_of({}, 3) == Numbers{0, 0, 0, 0});
  CHECK(heddle::balanced_rows(Device{}, CsrOf<C>(), 2) == Numbers{0, 0, 0});
}

TEST_CASE("balanced_rows of SELL cuts slices and windows of sorted rows apart", "[balanced_rows]")
{
  for (char const* const name : {"banded", "power law", "empty rows", "dense row", "0 x 7"})
    for (heddle::SellShape const& shape :
         {heddle::SellShape{8, 1, 1}, heddle::SellShape{4, 2, 1}, heddle::SellShape{8, 1, 12},
          heddle::SellShape{16, 1, 1 << 20}, heddle::SellShape{512, 1, 1}})
    {
      Structure const& s = structure(name);
      auto const a = heddle::to_sell(Device{}, make_csr<C>(s), shape, heddle::FillLimit{1e9});
      auto const weights = slice_weights(s.rows, shape.height, to_vector(a.slice_offsets()));
      std::int64_t const together =
          shape.sigma == 12 ? 24 : std::max<std::int64_t>(shape.height, shape.sigma);
      for (std::int64_t const parts : {1, 2, 5})
      {
        INFO(name << ", height " << shape.height << ", sigma " << shape.sigma << ", " << parts);
        CHECK(defect_of(heddle::balanced_rows(Device{}, a, parts), parts, weights, together) == "");
      }
    }
}

TEST_CASE("balanced_rows of ELL counts rows", "[balanced_rows]")
{
  Structure const& s = structure("banded");
  auto const a = heddle::to_ell(Device{}, make_csr<C>(s), heddle::FillLimit{1e9});
  for (std::int64_t const parts : {1, 2, 3, 7, 1000})
    CHECK(defect_of(heddle::balanced_rows(Device{}, a, parts), parts,
                    Numbers(static_cast<std::size_t>(s.rows), 1)) == "");
}

TEST_CASE("balanced_rows refuses what is no number of parts", "[balanced_rows]")
{
  auto const a = make_csr<C>(structure("1 x 1"));
  for (std::int64_t const parts : {0, -2})
    CHECK(message_of<heddle::InvalidArgument>([&] { heddle::balanced_rows(Device{}, a, parts); }) ==
          "heddle::balanced_rows: " + std::to_string(parts) + " parts, expected at least 1");
}
