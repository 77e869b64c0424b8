// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/structures.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace heddle::test
{

std::uint64_t Random::next()
{
  std::uint64_t x = m_state += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

double hashed(std::int64_t i, std::int64_t j)
{
  Random random(static_cast<std::uint64_t>(i) * 1000003 + static_cast<std::uint64_t>(j));
  double const value = random.uniform();
  return value == 0.0 ? 0.5 : value;
}

Structure random_structure(std::string const& name, std::int64_t rows, std::int64_t cols,
                           std::int64_t per_row, std::uint64_t seed)
{
  Random random(seed);
  Structure s{name, rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    std::set<std::int64_t> row;
    for (std::int64_t n = 0; n < per_row; ++n)
      row.insert(random.below(cols));
    s.columns.emplace_back(row.begin(), row.end());
  }
  return s;
}

Structure shuffled(Structure s, std::uint64_t seed)
{
  Random random(seed);
  for (auto& row : s.columns)
    for (std::size_t n = row.size(); n > 1; --n)
      std::swap(row[n - 1],
                row[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)))]);
  return s;
}

std::int64_t number_of_products(Structure const& a, Structure const& b)
{
  std::int64_t products = 0;
  for (auto const& row : a.columns)
    for (std::int64_t const k : row)
      products += static_cast<std::int64_t>(b.columns[k].size());
  return products;
}

Structure transposed(Structure const& s)
{
  Structure t{s.name + " transposed", s.cols, s.rows, {}};
  t.columns.resize(static_cast<std::size_t>(s.cols));
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      t.columns[j].push_back(i);
  return t;
}

namespace
{

Structure empty(std::string const& name, std::int64_t rows, std::int64_t cols)
{
  return {name, rows, cols, std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(rows))};
}

Structure banded(std::string const& name, std::int64_t n, std::int64_t half)
{
  Structure s = empty(name, n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = std::max<std::int64_t>(0, i - half); j <= std::min(n - 1, i + half); ++j)
      s.columns[i].push_back(j);
  return s;
}

Structure blocked(std::string const& name, std::int64_t blocks, std::int64_t size)
{
  Structure s = random_structure(name, blocks, blocks, 3, 11);
  Structure result = empty(name, blocks * size, blocks * size);
  for (std::int64_t i = 0; i < blocks * size; ++i)
    for (std::int64_t const block : s.columns[i / size])
      for (std::int64_t j = 0; j < size; ++j)
        result.columns[i].push_back(block * size + j);
  return result;
}

// Row i has about n / (i + 1) entries.
Structure power_law(std::string const& name, std::int64_t n)
{
  Structure s = empty(name, n, n);
  for (std::int64_t i = 0; i < n; ++i)
    s.columns[i] = random_structure("", 1, n, n / (i + 1), 100 + i).columns[0];
  return s;
}

Structure with_dense_row(Structure s, std::int64_t row)
{
  s.columns[row].clear();
  for (std::int64_t j = 0; j < s.cols; ++j)
    s.columns[row].push_back(j);
  return s;
}

Structure with_dense_column(Structure s, std::int64_t column)
{
  for (auto& row : s.columns)
    if (!std::binary_search(row.begin(), row.end(), column))
      row.insert(std::lower_bound(row.begin(), row.end(), column), column);
  return s;
}

Structure with_empty_rows(Structure s)
{
  for (std::size_t i = 0; i < s.columns.size(); ++i)
    if (i % 3 != 1)
      s.columns[i].clear();
  return s;
}

std::vector<Structure> make_small()
{
  Structure one = empty("1 x 1", 1, 1);
  one.columns[0] = {0};
  return {empty("0 x 0", 0, 0),
          empty("0 x 7", 0, 7),
          empty("7 x 0", 7, 0),
          empty("no entries", 33, 31),
          one,
          banded("banded", 257, 2),
          blocked("blocked", 21, 3),
          with_empty_rows(random_structure("empty rows", 64, 64, 5, 1)),
          with_dense_row(random_structure("dense row", 255, 300, 3, 2), 17),
          with_dense_column(random_structure("dense column", 256, 200, 3, 3), 150),
          power_law("power law", 300),
          random_structure("wide", 31, 700, 40, 4),
          random_structure("tall", 700, 32, 4, 5),
          shuffled(random_structure("unsorted", 100, 90, 9, 6), 7)};
}

std::vector<Structure> make_all()
{
  std::vector<Structure> all = small_structures();
  all.push_back(with_dense_row(random_structure("more than 2^16 rows", 66000, 65000, 2, 8), 65999));
  return all;
}

} // namespace

std::vector<Structure> const& small_structures()
{
  static std::vector<Structure> const all = make_small();
  return all;
}

std::vector<Structure> const& structures()
{
  static std::vector<Structure> const all = make_all();
  return all;
}

Structure const& structure(std::string const& name)
{
  for (Structure const& s : structures())
    if (s.name == name)
      return s;
  throw std::logic_error("no structure named " + name);
}

} // namespace heddle::test
