// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/row_random.hpp>
#include <heddle/impl/gallery_exact_math.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::impl
{

// Draws numbers low .. high, each with a probability in proportion to 1 / number, nearly.
class LogUniform
{
public:
  LogUniform(std::int64_t low, std::int64_t high)
      : m_low(low)
      , m_high(std::max(low, high))
      , m_low_exponent(exact_log2(static_cast<std::uint64_t>(low)))
      , m_range(exact_log2(static_cast<std::uint64_t>(m_high) + 1) - m_low_exponent)
  {}

  std::int64_t operator()(RowRandom& random) const { return at(random.below(m_range)); }

  // The number at a share of the way from low to high, 2^32 being all of it.
  std::int64_t at_share(std::uint32_t share) const
  {
    auto const product = static_cast<unsigned __int128>(m_range) * share;
    return at(static_cast<std::int64_t>(product >> 32U));
  }

private:
  std::int64_t at(std::int64_t above_low) const
  {
    auto const number = static_cast<std::int64_t>(exact_exp2(m_low_exponent + above_low));
    return std::clamp(number, m_low, m_high);
  }

  std::int64_t m_low, m_high, m_low_exponent, m_range;
};

// log2 of a uniform number in (0, 1], in exponent units: 0 or negative.
inline std::int64_t log2_of_uniform(RowRandom& random)
{
  return exact_log2((random.next() >> 11U) + 1) - 53 * exponent_unit;
}

// Pareto's distribution: P(number > x) = (scale / x)^(percent / 100).
inline double pareto(RowRandom& random, double scale, std::int64_t percent)
{
  return scale / exact_exp2(std::max(log2_of_uniform(random) * 100 / percent, -60 * exponent_unit));
}

// median e^(z percent / 100), where z is nearly normal: the sum of twelve uniform numbers less 6.
inline double log_normal(RowRandom& random, std::int64_t median, std::int64_t percent)
{
  std::int64_t z = -6 * exponent_unit;
  for (int i = 0; i < 12; ++i)
    z += static_cast<std::int64_t>(random.next() >> 32U);
  constexpr std::int64_t log2_e = 14427; // in 1 / 10^4
  return static_cast<double>(median) / exact_exp2(-(z / 1000 * percent * log2_e / 1000));
}

// x rounded up or down at random, so that the mean is x.
inline std::int64_t round_at_random(RowRandom& random, double x)
{
  auto const whole = static_cast<std::int64_t>(x);
  return whole + (random.unit() < x - static_cast<double>(whole) ? 1 : 0);
}

} // namespace heddle::impl
