// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <vector>

#include <report/axis.hpp>

namespace heddle::perf
{

namespace
{

// 1, 2 or 5 times a power of ten: the largest that is not above value, by more than rounding.
double round_below(double value)
{
  double const power = std::pow(10.0, std::floor(std::log10(value)));
  for (double const factor : {10.0, 5.0, 2.0})
    if (factor * power <= value * (1 + 1e-9))
      return factor * power;
  return power;
}

double round_above(double value)
{
  double const power = std::pow(10.0, std::floor(std::log10(value)));
  for (double const factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

} // namespace

bool Axis::shows(double value) const
{
  return std::isfinite(value) && (m_scale == Scale::linear || value > 0);
}

void Axis::include(double value)
{
  if (!shows(value))
    return;
  m_low = m_is_empty ? value : std::min(m_low, value);
  m_high = m_is_empty ? value : std::max(m_high, value);
  m_is_empty = false;
}

void Axis::fit()
{
  if (m_is_empty)
    m_low = m_high = 1;
  if (m_scale == Scale::logarithmic)
  {
    m_low = round_below(m_low);
    m_high = round_above(m_high);
    if (m_high <= m_low)
      m_high = 10 * m_low;
    return;
  }
  if (m_high <= m_low)
    m_high = m_low + 1;
  constexpr double most_ticks = 6;
  double const rough = (m_high - m_low) / most_ticks;
  double const power = std::pow(10.0, std::floor(std::log10(rough)));
  m_step = 10 * power;
  for (double const factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough)
      m_step = factor * power;
  m_low = m_step * std::floor(m_low / m_step);
  m_high = m_step * std::ceil(m_high / m_step);
}

double Axis::share(double value) const
{
  if (m_scale == Scale::logarithmic)
    return std::log10(value / m_low) / std::log10(m_high / m_low);
  return (value - m_low) / (m_high - m_low);
}

std::vector<double> Axis::ticks() const
{
  std::vector<double> all;
  if (m_scale == Scale::linear)
  {
    auto const count = std::lround((m_high - m_low) / m_step);
    for (long n = 0; n <= count; ++n)
      all.push_back(m_low + static_cast<double>(n) * m_step);
    return all;
  }
  constexpr double most_decades = 2.5, most_labels = 8; // of more the labels would touch
  double const decades = std::log10(m_high / m_low);
  auto const step = 1 + static_cast<int>(decades / most_labels);
  auto const first = static_cast<int>(std::floor(std::log10(m_low)));
  for (int n = first; std::pow(10.0, n) <= m_high * (1 + 1e-9);
       n += decades > most_decades ? step : 1)
    for (double const factor : {1.0, 2.0, 5.0})
    {
      double const tick = factor * std::pow(10.0, n);
      bool const is_inside = tick >= m_low * (1 - 1e-9) && tick <= m_high * (1 + 1e-9);
      if (is_inside && (factor == 1.0 || decades <= most_decades))
        all.push_back(tick);
    }
  return all;
}

} // namespace heddle::perf
