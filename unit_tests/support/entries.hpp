// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coordinate matrices for tests: entries in any order, with duplicates, and what they are as CSR.

#include <heddle/accumulator.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

// Entry k is at (i, j) = places[k]; its value is a function of k, so that sums depend on the order.
struct Entries
{
  std::string name;
  std::int64_t rows = 0, cols = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
};

// In the order of the rows of s.
inline Entries entries_of(Structure const& s)
{
  Entries e{s.name, s.rows, s.cols, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      e.places.emplace_back(i, j);
  return e;
}

inline Entries in_random_order(Entries e, std::uint64_t seed)
{
  Random random(seed);
  for (std::size_t n = e.places.size(); n > 1; --n)
    std::swap(e.places[n - 1],
              e.places[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)))]);
  e.name += ", in random order";
  return e;
}

// As Matrix Market files often have them: columns ascend, rows ascend in each.
inline Entries by_column(Entries e)
{
  std::sort(e.places.begin(), e.places.end(), [](auto const& a, auto const& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  e.name += ", by column";
  return e;
}

// Columns ascend, rows are in disorder in each.
inline Entries by_column_only(Entries e)
{
  std::stable_sort(e.places.begin(), e.places.end(),
                   [](auto const& a, auto const& b) { return a.second < b.second; });
  e.name += ", columns in order";
  return e;
}

inline Entries reversed(Entries e)
{
  std::reverse(e.places.begin(), e.places.end());
  e.name += ", backwards";
  return e;
}

// Every entry up to four times, next to each other.
inline Entries repeated(Entries const& e, std::uint64_t seed)
{
  Random random(seed);
  Entries result{e.name + ", repeated", e.rows, e.cols, {}};
  for (auto const& place : e.places)
    result.places.insert(result.places.end(), static_cast<std::size_t>(random.below(4) + 1), place);
  return result;
}

template <class Value>
Value value_of_entry(std::size_t k)
{
  return value_at<Value>(static_cast<std::int64_t>(k), 31);
}

template <class C>
CooOf<C> make_coo(Entries const& e)
{
  std::vector<typename C::ordinal> rows, columns;
  std::vector<typename C::value> values;
  for (std::size_t k = 0; k < e.places.size(); ++k)
  {
    rows.push_back(static_cast<typename C::ordinal>(e.places[k].first));
    columns.push_back(static_cast<typename C::ordinal>(e.places[k].second));
    values.push_back(value_of_entry<typename C::value>(k));
  }
  using Space = typename C::space;
  return CooOf<C>(
      static_cast<typename C::ordinal>(e.rows), static_cast<typename C::ordinal>(e.cols),
      to_view<typename C::ordinal, Space>(rows), to_view<typename C::ordinal, Space>(columns),
      to_view<typename C::value, Space>(values));
}

// Rows and columns ascending, the values of a place added in the order in which they stand.
template <class Value>
HostCsr<Value> reference_csr(Entries const& e)
{
  std::vector<std::size_t> order(e.places.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return e.places[a] < e.places[b]; });
  HostCsr<Value> h{e.rows, e.cols, std::vector<std::int64_t>(e.rows + 1, 0), {}, {}};
  for (std::size_t n = 0; n < order.size(); ++n)
  {
    auto const [i, j] = e.places[order[n]];
    if (n > 0 && e.places[order[n - 1]] == e.places[order[n]])
      h.values.back() += value_of_entry<Value>(order[n]);
    else
    {
      h.columns.push_back(j);
      h.values.push_back(value_of_entry<Value>(order[n]));
      ++h.offsets[i + 1];
    }
  }
  std::partial_sum(h.offsets.begin(), h.offsets.end(), h.offsets.begin());
  return h;
}

} // namespace heddle::test
