// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <random/generator.hpp>

namespace heddle::test::random
{

Dice::Dice(std::uint64_t seed, std::uint64_t number)
    : m_random(Random(Random(seed).next() ^ number).next())
{}

char const* to_string(Structures kind)
{
  constexpr char const* names[] = {
      "nothing", "no_rows",    "no_columns",   "no_entries",     "one_row",  "one_column",
      "hollow",  "dense_row",  "dense_column", "full",           "diagonal", "uniform",
      "banded",  "heavy_tail", "blocks",       "shared_columns", "long_rows"};
  return names[static_cast<int>(kind)];
}

Wide draw_value(Dice& dice, ValueRange const& range)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Powers of two and 64ths are the same in every type.
  auto const part = [&](double scale) {
    return static_cast<double>(dice.between(-1000, 1000)) / 64.0 * scale;
  };
  std::int64_t const kind = dice.between(0, 19);
  double const real = part(1), imaginary = part(1);
  Wide value(real, range.is_complex ? imaginary : 0.0);
  if (kind == 0)
    value = 0.0;
  else if (kind == 1)
    value = -0.0;
  else if (kind == 2 && range.has_extremes)
    value *= 0x1p90;
  else if (kind == 3 && range.has_extremes)
    value *= 0x1p-90;
  else if (kind == 4 && range.has_specials && !range.is_complex)
    value = real > 5 ? infinity : real < -5 ? -infinity : std::nan("");
  return value;
}

namespace
{

class Pattern
{
public:
  Pattern(Dice& dice, std::int64_t rows, std::int64_t cols)
      : m_dice(dice)
      , m_rows(static_cast<std::size_t>(rows))
      , m_cols(cols)
  {}
  std::int64_t rows() const { return static_cast<std::int64_t>(m_rows.size()); }
  std::int64_t cols() const { return m_cols; }
  bool is_empty() const { return rows() == 0 || m_cols == 0; }
  auto& row(std::int64_t i) { return m_rows[static_cast<std::size_t>(i)]; }

  void fill_row(std::int64_t i)
  {
    row(i).clear();
    for (std::int64_t j = 0; j < m_cols; ++j)
      row(i).push_back(j);
  }
  // So many different columns of first .. last, if there are as many.
  void draw_row(std::int64_t i, std::int64_t count, std::int64_t first, std::int64_t last)
  {
    count = std::min(count, last - first + 1);
    std::unordered_set<std::int64_t> drawn;
    for (std::int64_t j = last - first + 1 - count; j < last - first + 1; ++j)
    { // Floyd's sample without repetition
      std::int64_t const candidate = m_dice.between(0, j);
      std::int64_t const column = drawn.count(candidate) == 0 ? candidate : j;
      drawn.insert(column);
      row(i).push_back(first + column);
    }
    std::sort(row(i).begin(), row(i).end());
  }
  void draw_row(std::int64_t i, std::int64_t count) { draw_row(i, count, 0, m_cols - 1); }
  // One of all rows.
  std::int64_t some_row() { return m_dice.between(0, rows() - 1); }
  Dice& dice() { return m_dice; }

private:
  Dice& m_dice;
  std::vector<std::vector<std::int64_t>> m_rows;
  std::int64_t m_cols;
};

void draw_short_rows(Pattern& a, std::int64_t most)
{
  for (std::int64_t i = 0; i < a.rows(); ++i)
    a.draw_row(i, a.dice().between(0, most));
}

void draw_dense_column(Pattern& a)
{
  std::int64_t const column = a.dice().between(0, a.cols() - 1);
  for (std::int64_t i = 0; i < a.rows(); ++i)
  {
    auto& row = a.row(i);
    auto const place = std::lower_bound(row.begin(), row.end(), column);
    if (place == row.end() || *place != column)
      row.insert(place, column);
  }
}

void draw_band(Pattern& a, std::int64_t reach)
{
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int64_t j = std::max<std::int64_t>(0, i - reach);
         j <= std::min(a.cols() - 1, i + reach); ++j)
      a.row(i).push_back(j);
}

// Row lengths of about most / (1 + n) for n drawn from 0 to rows: a few are long.
void draw_heavy_tail(Pattern& a, std::int64_t most)
{
  for (std::int64_t i = 0; i < a.rows(); ++i)
  {
    std::int64_t const length = most / (1 + a.dice().between(0, a.rows()));
    a.draw_row(i, length + a.dice().between(0, 1));
  }
}

void draw_groups(Pattern& a, std::int64_t longest, std::int64_t most)
{
  for (std::int64_t i = 0; i < a.rows();)
  {
    std::int64_t const first = i;
    a.draw_row(i++, a.dice().between(1, most));
    for (std::int64_t n = a.dice().between(0, longest - 1); n > 0 && i < a.rows(); --n, ++i)
      a.row(i) = a.row(first);
  }
}

void draw_blocks(Pattern& a, std::int64_t most)
{
  std::int64_t const height = a.dice().between(1, 9), width = a.dice().between(1, 9);
  std::int64_t const block_cols = std::max<std::int64_t>(1, a.cols() / width);
  for (std::int64_t i = 0; i < a.rows(); i += height)
    for (std::int64_t n = a.dice().between(0, most), next = 0; n > 0 && next < block_cols; --n)
    {
      std::int64_t const block = a.dice().between(next, block_cols - 1);
      next = block + 1;
      for (std::int64_t row = i; row < std::min(i + height, a.rows()); ++row)
        for (std::int64_t j = block * width; j < std::min((block + 1) * width, a.cols()); ++j)
          a.row(row).push_back(j);
    }
}

void draw_long_rows(Pattern& a, std::int64_t usual, std::int64_t longest)
{
  draw_short_rows(a, usual);
  for (std::int64_t n = a.dice().between(1, 3); n > 0; --n)
  {
    std::int64_t const i = a.some_row();
    a.row(i).clear();
    a.draw_row(i, a.dice().between(longest / 4, longest));
  }
}

void fill_pattern(Pattern& a, Wish const& wish)
{
  if (a.is_empty())
    return;
  std::int64_t const most =
      wish.is_large ? 8 : a.dice().between(0, std::min<std::int64_t>(30, a.cols()));
  switch (wish.kind)
  {
  case Structures::hollow:
    for (std::int64_t n = a.dice().between(0, 6); n > 0; --n)
    {
      std::int64_t const i = a.some_row();
      a.row(i).clear();
      a.draw_row(i, 2);
    }
    return;
  case Structures::dense_row:
    draw_short_rows(a, 1);
    return a.fill_row(a.some_row());
  case Structures::dense_column:
    draw_short_rows(a, 1);
    return draw_dense_column(a);
  case Structures::full:
    for (std::int64_t i = 0; i < a.rows(); ++i)
      a.fill_row(i);
    return;
  case Structures::diagonal:
    return draw_band(a, 0);
  case Structures::banded:
    return draw_band(a, a.dice().between(0, 4));
  case Structures::heavy_tail:
    return draw_heavy_tail(a, wish.is_large ? a.cols() / 2 : a.cols());
  case Structures::blocks:
    return draw_blocks(a, 3);
  case Structures::shared_columns:
    return draw_groups(a, 12, std::max<std::int64_t>(1, most));
  case Structures::long_rows:
    return draw_long_rows(a, 4, wish.is_large ? 20000 : a.cols());
  default:
    return draw_short_rows(a, most);
  }
}

// A size near what kernels cut their work by, or any.
std::int64_t draw_size(Dice& dice, bool is_large)
{
  if (is_large)
    return dice.between(10000, 100000);
  std::int64_t const size = dice.between(1, dice.percent(10) ? 400 : 70);
  return dice.percent(20) ? (size / 32 + 1) * 32 - dice.between(0, 1) : size;
}

std::pair<std::int64_t, std::int64_t> draw_sizes(Dice& dice, Wish const& wish)
{
  auto const [rows_wanted, cols_wanted] = std::pair(wish.rows, wish.cols);
  std::int64_t rows = draw_size(dice, wish.is_large), cols = draw_size(dice, wish.is_large);
  if (wish.kind == Structures::hollow)
  {
    rows = dice.between(1, 40000);
    cols = dice.between(1, 40000);
  }
  if (wish.kind == Structures::full)
  {
    rows = dice.between(1, 80);
    cols = dice.between(1, 80);
  }
  if (wish.kind == Structures::nothing || wish.kind == Structures::no_rows)
    rows = 0;
  if (wish.kind == Structures::nothing || wish.kind == Structures::no_columns)
    cols = 0;
  if (wish.kind == Structures::one_row)
    rows = 1;
  if (wish.kind == Structures::one_column)
    cols = 1;
  return {rows_wanted >= 0 ? rows_wanted : rows, cols_wanted >= 0 ? cols_wanted : cols};
}

template <class List>
void shuffle(Dice& dice, List& list)
{
  for (std::size_t n = list.size(); n > 1; --n)
    std::swap(list[n - 1],
              list[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(n) - 1))]);
}

} // namespace

EntryList draw_matrix(Dice& dice, Wish const& wish, ValueRange const& range)
{
  auto const [rows, cols] = draw_sizes(dice, wish);
  Pattern pattern(dice, rows, cols);
  if (wish.kind != Structures::no_entries)
    fill_pattern(pattern, wish);
  bool const is_sorted = dice.percent(50);
  EntryList a{rows, cols};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    auto& columns = pattern.row(i);
    if (!is_sorted)
      shuffle(dice, columns);
    for (std::int64_t const j : columns)
      a.entries.push_back({i, j, draw_value(dice, range)});
  }
  return a;
}

void scatter_entries(Dice& dice, EntryList& a)
{
  if (dice.percent(50))
  {
    std::vector<Entry> repeated;
    for (Entry const& entry : a.entries)
    {
      repeated.push_back(entry);
      while (dice.percent(15))
        repeated.push_back({entry.row, entry.column, draw_value(dice, {})});
    }
    a.entries = std::move(repeated);
  }
  std::int64_t const order = dice.between(0, 3); // 0: as it is, by rows
  if (order == 1)
    std::stable_sort(a.entries.begin(), a.entries.end(), [](Entry const& x, Entry const& y) {
      return std::pair(x.column, x.row) < std::pair(y.column, y.row);
    });
  else if (order > 1)
    shuffle(dice, a.entries);
}

} // namespace heddle::test::random
