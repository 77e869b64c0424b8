// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_exact_math.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

// Linear programs, netlists, row lengths, rows that share columns, and layers, against their
// definitions.

namespace heddle::test
{

namespace
{

std::vector<std::int64_t> lengths_of(GalleryMatrix const& a)
{
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    lengths.push_back(row_length(a, i));
  return lengths;
}

std::int64_t count_if(std::vector<std::int64_t> const& numbers,
                      std::function<bool(std::int64_t)> const& holds)
{
  return std::count_if(numbers.begin(), numbers.end(), holds);
}

double variance_over_mean(std::vector<std::int64_t> const& numbers)
{
  double sum = 0, squares = 0;
  for (std::int64_t const x : numbers)
  {
    sum += static_cast<double>(x);
    squares += static_cast<double>(x * x);
  }
  auto const n = static_cast<double>(numbers.size());
  return (squares / n - sum / n * (sum / n)) / (sum / n);
}

// In the window of width columns around the diagonal.
bool is_in_window(GalleryMatrix const& a, std::int64_t width)
{
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
  {
    std::int64_t const first = std::clamp<std::int64_t>(i - width / 2, 0, a.num_cols() - width);
    for (std::int64_t const j : row_of(a, i))
      if (j < first || j >= first + width)
        return false;
  }
  return true;
}

} // namespace

TEST_CASE("powers and logarithms of two are right and go back and forth", "[gallery]")
{
  using impl::exact_exp2;
  using impl::exact_log2;
  using impl::exponent_unit;
  for (int const whole : {-40, -1, 0, 1, 30})
    CHECK(exact_exp2(whole * exponent_unit) == std::ldexp(1.0, whole));
  CHECK(exact_exp2(exponent_unit / 2) == std::sqrt(2.0));
  for (std::int64_t const exponent : {-7777777777L, -5L, 12345678L, 4294967295L, 98765432109L})
    CHECK(exact_exp2(exponent) ==
          Catch::Approx(std::exp2(static_cast<double>(exponent) * 0x1p-32)).epsilon(2e-6));
  for (std::uint64_t const value : {1UL, 2UL, 3UL, 10UL, 1000UL, 123456789UL, 1UL << 53U, ~0UL})
  {
    CHECK(static_cast<double>(exact_log2(value)) * 0x1p-32 ==
          Catch::Approx(std::log2(static_cast<double>(value))).epsilon(1e-7).margin(1e-7));
    CHECK(exact_exp2(exact_log2(value)) == Catch::Approx(static_cast<double>(value)).epsilon(2e-6));
  }
}

TEST_CASE("cover has few rows near each other in each column", "[gallery]")
{
  constexpr std::int64_t rows = 30, cols = 2000, per_col = 3, gap = rows / (2 * per_col);
  GalleryMatrix const a = generate::cover(rows, cols, per_col, 1);
  check_rows(a);
  REQUIRE(a.num_rows() == rows);
  REQUIRE(a.num_cols() == cols);
  std::vector<std::int64_t> count(2 * per_col, 0);
  bool is_near = true;
  for (Row const& column : columns_of(a))
  {
    REQUIRE((!column.empty() && column.size() < 2 * per_col));
    ++count[column.size()];
    // All but one of the gaps on the circle of rows are short.
    int long_gaps = 0;
    for (std::size_t k = 0; k < column.size(); ++k)
    {
      std::int64_t const next =
          column[(k + 1) % column.size()] + (k + 1 == column.size() ? rows : 0);
      long_gaps += next - column[k] > gap ? 1 : 0;
    }
    is_near &= long_gaps <= 1;
  }
  CHECK(is_near);
  for (std::size_t length = 1; length < count.size(); ++length)
    CHECK(is_likely(count[length], cols, 1.0 / (2 * per_col - 1)));
  for (std::int64_t i = 0; i < rows; ++i)
    CHECK(row_length(a, i) > cols * per_col / rows / 2);
}

TEST_CASE("fitting has rows of different density and slacks", "[gallery]")
{
  constexpr std::int64_t rows = 20, cols = 5000, percent = 40;
  GalleryMatrix const a = generate::fitting(rows, cols, percent, 1);
  check_rows(a);
  REQUIRE(a.num_rows() == rows);
  REQUIRE(a.num_cols() == cols + rows);
  for (std::int64_t i = 0; i < rows; ++i)
  {
    Row const row = row_of(a, i);
    CHECK(row.back() == cols + i);
    CHECK((row.size() == 1 || row[row.size() - 2] < cols));
    auto const length = static_cast<double>(row.size()) - 1;
    CHECK(length > cols * 0.2 - 4 * 29); // standard deviations of 5000 draws of 0.2
    CHECK(length < cols * 0.6 + 4 * 35);
  }
  CHECK(variance_over_mean(lengths_of(a)) > 20); // of one density it would be below 1
}

TEST_CASE("lp has slacks, linking rows and short columns", "[gallery]")
{
  constexpr std::int64_t rows = 200, cols = 3000, per_col = 4, linking = 4;
  GalleryMatrix const a = generate::lp(rows, cols, per_col, 1);
  check_rows(a);
  REQUIRE(a.num_cols() == cols + rows);
  std::vector<Row> const columns = columns_of(a);
  std::int64_t linked = 0, entries = 0;
  for (std::int64_t j = 0; j < cols; ++j)
  {
    Row const& column = columns[j];
    std::int64_t const links =
        std::count_if(column.begin(), column.end(), [](std::int64_t i) { return i < linking; });
    CHECK(links <= 1);
    linked += links;
    auto const others = static_cast<std::int64_t>(column.size()) - links;
    CHECK((others >= 1 && others <= 2 * per_col - 1));
    entries += others;
  }
  CHECK(is_likely(linked, cols, 0.25));
  CHECK(static_cast<double>(entries) / cols == Catch::Approx(per_col).epsilon(0.05));
  for (std::int64_t i = 0; i < rows; ++i)
    CHECK(columns[cols + i] == Row{i});
}

TEST_CASE("staircase couples periods to the next alone", "[gallery]")
{
  constexpr std::int64_t periods = 5, rows = 30, cols = 400;
  GalleryMatrix const a = generate::staircase(periods, rows, cols, 1);
  check_rows(a);
  REQUIRE(a.num_rows() == 2 + periods * rows);
  REQUIRE(a.num_cols() == periods * cols);
  std::int64_t links = 0, coupled = 0;
  std::vector<Row> const columns = columns_of(a);
  for (std::int64_t j = 0; j < periods * cols; ++j)
  {
    std::int64_t own = 0, next = 0;
    for (std::int64_t const i : columns[j])
    {
      std::int64_t const period = i < 2 ? -1 : (i - 2) / rows;
      links += i < 2 ? 1 : 0;
      own += period == j / cols ? 1 : 0;
      next += period == j / cols + 1 ? 1 : 0;
      CHECK((i < 2 || period == j / cols || period == j / cols + 1));
    }
    CHECK((own >= 2 && own <= 4));
    CHECK(next <= 1);
    coupled += next;
  }
  CHECK(is_likely(links, 2 * periods * cols, 0.125));
  CHECK(is_likely(coupled, (periods - 1) * cols, 0.5));
}

TEST_CASE("nets has short rows but for hubs", "[gallery]")
{
  constexpr std::int64_t rows = 20000, cols = 15000, hubs = 3;
  GalleryMatrix const a = generate::nets(rows, cols, hubs, 1);
  check_rows(a);
  auto const lengths = lengths_of(a);
  CHECK(count_if(lengths, [](std::int64_t n) { return n >= 900; }) == hubs);
  CHECK(count_if(lengths, [](std::int64_t n) { return n < 900 && n > 5 + 1; }) == 0);
  CHECK(count_if(lengths, [](std::int64_t n) { return n < 1; }) == 0);
  std::int64_t hit = 0, near = 0;
  std::vector<Row> const columns = columns_of(a);
  for (std::int64_t j = 0; j < cols; ++j)
  {
    hit += columns[j].size() > 500 ? 1 : 0;
    for (std::int64_t const i : columns[j])
      near += std::abs(i * cols / rows - j) <= 128 ? 1 : 0;
  }
  CHECK(hit == hubs);
  CHECK(static_cast<double>(near) > 0.8 * 3.5 * rows);
}

TEST_CASE("netlist has clocks, a reset and macro cells", "[gallery]")
{
  constexpr std::int64_t cells = 20000, clocks = 4;
  GalleryMatrix const a = generate::netlist(cells, clocks, 1);
  check_rows(a);
  std::int64_t macros = 0;
  std::vector<Row> const columns = columns_of(a);
  for (std::int64_t j = 0; j < cells; ++j)
  {
    CHECK(has_entry(a, j, j));
    auto const pins = static_cast<std::int64_t>(columns[j].size());
    macros += pins >= 800 ? 1 : 0;
    CHECK((pins <= 1 + 6 + 2 || pins >= 800));
  }
  CHECK(macros == clocks);
  for (std::int64_t k = 0; k < clocks; ++k) // a few more by the macro cells and as inputs
    CHECK(row_length(a, k * cells / clocks) == Catch::Approx(0.3 * cells / clocks).epsilon(0.15));
  CHECK(row_length(a, cells - 1) == Catch::Approx(0.1 * cells).epsilon(0.15));
}

TEST_CASE("incidence has two entries in each row", "[gallery]")
{
  for (std::int64_t const nodes : {2, 3, 300})
  {
    GalleryMatrix const a = generate::incidence(1000, nodes, 1);
    check_rows(a);
    CHECK(a.nnz() == 2000);
    CHECK(count_if(lengths_of(a), [](std::int64_t n) { return n != 2; }) == 0);
  }
}

TEST_CASE("chain has links of a chain and some elsewhere", "[gallery]")
{
  constexpr std::int64_t n = 5000, percent = 10;
  GalleryMatrix const a = generate::chain(n, percent, 1);
  check_symmetric(a);
  std::int64_t links = 0, others = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t const j : row_of(a, i))
    {
      CHECK(i != j);
      links += j == i + 1 ? 1 : 0;
      others += j > i + 1 ? 1 : 0;
    }
  CHECK(is_likely(links, n - 1, 0.9));
  CHECK(is_likely(others, n, percent / 100.0));
}

TEST_CASE("lognormal has log-normal lengths in its window", "[gallery]")
{
  constexpr std::int64_t n = 20000, median = 40, window = 4000;
  GalleryMatrix const a = generate::lognormal(n, median, 80, window, 1);
  check_rows(a);
  CHECK(is_in_window(a, window));
  double sum = 0, squares = 0;
  for (std::int64_t const length : lengths_of(a))
  {
    double const x = std::log(std::max<double>(0.5, static_cast<double>(length)));
    sum += x;
    squares += x * x;
  }
  double const mean = sum / n, deviation = std::sqrt(squares / n - mean * mean);
  CHECK(mean == Catch::Approx(std::log(median)).margin(4 * 0.8 / std::sqrt(n) + 0.005));
  CHECK(deviation == Catch::Approx(0.8).epsilon(0.03));
  // A window that cuts lengths off.
  for (std::int64_t const length : lengths_of(generate::lognormal(100, 50, 100, 60, 1)))
    CHECK(length <= 60);
}

TEST_CASE("two_lengths has runs of two lengths in its window", "[gallery]")
{
  constexpr std::int64_t runs = 500;
  GalleryMatrix const a = generate::two_lengths(64 * runs, 3, 50, 20, 200, 1);
  check_rows(a);
  CHECK(is_in_window(a, 200));
  auto const lengths = lengths_of(a);
  std::int64_t longer = 0;
  for (std::size_t i = 0; i < lengths.size(); i += 64)
  {
    CHECK((lengths[i] == 3 || lengths[i] == 50));
    CHECK(std::count(lengths.begin() + i, lengths.begin() + i + 64, lengths[i]) == 64);
    longer += lengths[i] == 50 ? 1 : 0;
  }
  CHECK(is_likely(longer, runs, 0.2));
}

TEST_CASE("pareto has lengths of the power law asked for", "[gallery]")
{
  constexpr std::int64_t n = 100000;
  for (std::int64_t const percent : {150, 250})
  {
    GalleryMatrix const a = generate::pareto(n, 10, percent, 1);
    check_rows(a);
    double const exponent = static_cast<double>(percent) / 100,
                 least = 10 * (exponent - 1) / exponent;
    CHECK(static_cast<double>(a.nnz()) / n == Catch::Approx(10).epsilon(0.1));
    auto const lengths = lengths_of(a);
    for (double const d : {12.0, 40.0, 100.0})
    {
      auto const longer = static_cast<double>(
          count_if(lengths, [d](std::int64_t x) { return static_cast<double>(x) > d; }));
      double const low = std::pow(least / (d + 1), exponent) * n,
                   high = std::pow(least / d, exponent) * n;
      CHECK(longer > low - 4 * std::sqrt(low));
      CHECK(longer < high + 4 * std::sqrt(high));
    }
  }
}

TEST_CASE("scale_free has power laws both ways", "[gallery]")
{
  constexpr std::int64_t n = 50000, mean = 10;
  GalleryMatrix const a = generate::scale_free(n, mean, 180, 1);
  check_rows(a);
  CHECK(static_cast<double>(a.nnz()) / n == Catch::Approx(mean).epsilon(0.1));
  auto const of_columns = columns_of(a);
  auto const of_rows = lengths_of(a);
  double const least = mean * 0.8 / 1.8;
  for (double const d : {20.0, 100.0})
  {
    double const expected = n * std::pow(least / d, 1.8);
    auto const is_longer = [d](std::int64_t x) { return static_cast<double>(x) > d; };
    auto const columns = static_cast<double>(
        std::count_if(of_columns.begin(), of_columns.end(), [&](Row const& column) {
          return is_longer(static_cast<std::int64_t>(column.size()));
        }));
    CHECK(static_cast<double>(count_if(of_rows, is_longer)) ==
          Catch::Approx(expected).epsilon(0.2));
    CHECK(columns == Catch::Approx(expected).epsilon(0.3));
  }
}

TEST_CASE("terms follow Zipf's law", "[gallery]")
{
  constexpr std::int64_t documents = 4000, terms = 8000, median = 12;
  GalleryMatrix const a = generate::terms(documents, terms, median, 1);
  check_rows(a);
  REQUIRE(a.num_cols() == terms);
  std::vector<std::int64_t> counts;
  for (Row const& column : columns_of(a))
    counts.push_back(static_cast<std::int64_t>(column.size()));
  std::sort(counts.rbegin(), counts.rend());
  // Rank r is drawn with a probability of log((r + 1) / r) / log(terms + 1); of the first ranks
  // some draws are repeats.
  for (std::int64_t const r : {50, 200, 1000})
  {
    auto const ranks = static_cast<double>(
        std::accumulate(counts.begin() + r, counts.begin() + 2 * r, std::int64_t(0)));
    CHECK(ranks / static_cast<double>(a.nnz()) ==
          Catch::Approx(std::log(2.0) / std::log(terms + 1.0)).epsilon(0.25));
  }
}

TEST_CASE("web pages have the links of pages before them", "[gallery]")
{
  GalleryMatrix const copied = generate::web(5000, 20, 80, 1),
                      drawn = generate::web(5000, 20, 0, 1);
  auto const share = [](GalleryMatrix const& a) {
    std::int64_t common = 0;
    for (std::int64_t i = 7; i < a.num_rows(); ++i)
    {
      Row const row = row_of(a, i);
      std::size_t most = 0;
      for (std::int64_t d = 1; d <= 7; ++d)
      {
        Row both;
        Row const before = row_of(a, i - d);
        std::set_intersection(row.begin(), row.end(), before.begin(), before.end(),
                              std::back_inserter(both));
        most = std::max(most, both.size());
      }
      common += static_cast<std::int64_t>(most);
    }
    return static_cast<double>(common) / static_cast<double>(a.nnz());
  };
  for (GalleryMatrix const& a : {copied, drawn})
  {
    check_rows(a);
    CHECK(static_cast<double>(a.nnz()) / 5000 == Catch::Approx(20).epsilon(0.05));
    CHECK(count_if(lengths_of(a), [](std::int64_t n) { return n < 1 || n > 39; }) == 0);
  }
  CHECK(share(copied) > 0.45);
  CHECK(share(drawn) < 0.3);
}

TEST_CASE("clones keep a share of what their group has in common", "[gallery]")
{
  constexpr std::int64_t n = 1000, group = 10, per_row = 30;
  GalleryMatrix const a = generate::clones(n, group, per_row, 80, 1);
  check_rows(a);
  CHECK(is_likely(static_cast<std::int64_t>(a.nnz()), n * per_row, 0.8));
  std::set<std::int64_t> all;
  for (std::int64_t g = 0; g < n; g += group)
  {
    std::set<std::int64_t> shared;
    for (std::int64_t i = g; i < g + group; ++i)
      for (std::int64_t const j : row_of(a, i))
        shared.insert(j);
    CHECK(shared.size() <= per_row);
    all.insert(shared.begin(), shared.end());
  }
  CHECK(all.size() > 900); // groups draw their own
  CHECK(generate::clones(20, 7, 5, 100, 1).nnz() == 100);
}

TEST_CASE("channels keeps more in some rows and columns", "[gallery]")
{
  constexpr std::int64_t rows = 300, cols = 400;
  GalleryMatrix const a = generate::channels(rows, cols, 20, 1);
  check_rows(a);
  CHECK(static_cast<double>(a.nnz()) / (rows * cols) == Catch::Approx(0.2).epsilon(0.1));
  std::vector<std::int64_t> of_columns;
  for (Row const& column : columns_of(a))
    of_columns.push_back(static_cast<std::int64_t>(column.size()));
  CHECK(variance_over_mean(lengths_of(a)) > 5); // 0.8 without factors
  CHECK(variance_over_mean(of_columns) > 5);
}

TEST_CASE("radix and simplices are what their definitions say", "[gallery]")
{
  GalleryMatrix const a = generate::radix(12, 3, 4);
  CHECK(row_of(a, 0) == Row{0, 4, 8});
  CHECK(row_of(a, 5) == Row{1, 5, 9});
  CHECK(row_of(generate::radix(8, 4, 2), 7) == Row{1, 3, 5, 7});
  CHECK(row_of(generate::radix(8, 4, 1), 6) == Row{0, 1, 6, 7});
  for (std::int64_t const k : {2, 3, 4, 5})
  {
    // Subsets of 0 .. 5 as bits, which are in colexicographic order when they ascend.
    std::vector<unsigned> simplices, faces;
    for (unsigned set = 0; set < 64; ++set)
    {
      if (__builtin_popcount(set) == k)
        simplices.push_back(set);
      if (__builtin_popcount(set) == k - 1)
        faces.push_back(set);
    }
    GalleryMatrix const b = generate::simplices(6, k);
    check_rows(b);
    REQUIRE(b.num_rows() == static_cast<std::int64_t>(simplices.size()));
    REQUIRE(b.num_cols() == static_cast<std::int64_t>(faces.size()));
    for (std::size_t i = 0; i < simplices.size(); ++i)
      for (std::size_t j = 0; j < faces.size(); ++j)
        CHECK(has_entry(b, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) ==
              ((simplices[i] & faces[j]) == faces[j]));
  }
}

} // namespace heddle::test
