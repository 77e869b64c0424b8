// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Contiguous parts of which the heaviest is as light as it can be (chains on chains). The smallest
// weight that suffices is found by bisection, each try walking once from part to part with binary
// searches in the prefix sums (Pinar and Aykanat, J. Parallel Distrib. Comput. 64, 2004: PROBE).
// Within it, cuts stand as near as they may to equal shares of what is left. On the host:
// O(parts log(units) log(weight)).

#include <heddle/impl/search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::impl
{

// Weights of units by prefix sums: before(i) is the weight of all units before i, which does not
// fall; before(0) = 0.
template <class Before>
class BalancedCuts
{
public:
  BalancedCuts(std::int64_t units, std::int64_t parts, Before const& before)
      : m_units(units)
      , m_parts(parts)
      , m_before(before)
  {}

  // parts + 1 units, the first 0 and the last units.
  std::vector<std::int64_t> cuts() const
  {
    std::int64_t const limit = smallest_limit();
    std::vector<std::int64_t> const least = least_cuts(limit);
    std::vector<std::int64_t> first(static_cast<std::size_t>(m_parts) + 1, 0);
    first.back() = m_units;
    for (std::int64_t c = 1; c < m_parts; ++c)
    {
      std::int64_t const begin = first[c - 1];
      first[c] = std::clamp(share_from(begin, m_parts - c + 1), std::max(begin, least[c]),
                            furthest(begin, limit));
    }
    return first;
  }

private:
  // The first unit from low on that has not less than the target before it, else m_units.
  std::int64_t first_not_below(std::int64_t low, std::int64_t target) const
  {
    return lower_bound(m_before, low, m_units, target);
  }

  // The last end of a part from begin that weighs limit at most.
  std::int64_t furthest(std::int64_t begin, std::int64_t limit) const
  {
    std::int64_t const above = first_not_below(begin, m_before(begin) + limit + 1);
    return m_before(above) - m_before(begin) > limit ? above - 1 : above;
  }

  bool suffices(std::int64_t limit) const
  {
    std::int64_t begin = 0;
    for (std::int64_t c = 0; c < m_parts && begin < m_units; ++c)
    {
      std::int64_t const end = furthest(begin, limit);
      if (end == begin)
        return false; // a unit that is heavier
      begin = end;
    }
    return begin == m_units;
  }

  std::int64_t smallest_limit() const
  {
    std::int64_t const total = m_before(m_units);
    return partition_point(total / m_parts, total,
                           [this](std::int64_t limit) { return !suffices(limit); });
  }

  // Where each part must begin at least for the parts behind it to keep the limit.
  std::vector<std::int64_t> least_cuts(std::int64_t limit) const
  {
    std::vector<std::int64_t> least(static_cast<std::size_t>(m_parts) + 1, m_units);
    for (std::int64_t c = m_parts - 1; c >= 0; --c)
      least[c] = first_not_below(0, m_before(least[c + 1]) - limit);
    return least;
  }

  // The cut nearest to an equal share of what lies behind begin, not at begin itself unless nothing
  // lies behind it; of units that weigh nothing a share by their number.
  std::int64_t share_from(std::int64_t begin, std::int64_t parts) const
  {
    std::int64_t const weight = m_before(m_units) - m_before(begin);
    if (weight == 0)
      return begin + (m_units - begin) / parts;
    std::int64_t const target = m_before(begin) + weight / parts;
    std::int64_t const above = first_not_below(begin, target);
    bool const is_nearer_below =
        above - 1 > begin && target - m_before(above - 1) < m_before(above) - target;
    return is_nearer_below ? above - 1 : above;
  }

  std::int64_t m_units, m_parts;
  Before m_before;
};

} // namespace heddle::impl
