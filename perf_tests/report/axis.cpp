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

// What round numbers start with; of short axes more numbers are round.
std::vector<double> round_starts(double decades)
{
  constexpr double most = 3.2, few = 0.8; // more labels would touch
  if (decades > most)
    return {1};
  return decades > few ? std::vector<double>{1, 2, 5}
                       : std::vector<double>{1, 1.2, 1.5, 2, 3, 4, 5, 7};
}

// A start times a power of ten: the largest that is not above value, by more than rounding.
double round_below(double value, std::vector<double> const& starts)
{
  double const power = std::pow(10.0, std::floor(std::log10(value)));
  double best = starts.back() * power / 10;
  for (double const start : starts)
    if (start * power <= value * (1 + 1e-9))
      best = start * power;
  return best;
}

double round_above(double value, std::vector<double> const& starts)
{
  double const power = std::pow(10.0, std::floor(std::log10(value)));
  for (double const start : starts)
    if (start * power >= value * (1 - 1e-9))
      return start * power;
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
    constexpr double wide = 2; // ends of wide axes need not be powers of ten
    auto const starts = round_starts(std::min(wide, std::log10(m_high / m_low)));
    m_low = round_below(m_low, starts);
    m_high = round_above(m_high, starts);
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
  constexpr double most_labels = 8;
  double const decades = std::log10(m_high / m_low);
  auto const starts = round_starts(decades);
  auto const step = 1 + static_cast<int>(decades / most_labels);
  auto const first = static_cast<int>(std::floor(std::log10(m_low) + 1e-9));
  for (int n = first; std::pow(10.0, n) <= m_high * (1 + 1e-9); n += step)
    for (double const start : starts)
    {
      double const tick = start * std::pow(10.0, n);
      if (tick >= m_low * (1 - 1e-9) && tick <= m_high * (1 + 1e-9))
        all.push_back(tick);
    }
  return all;
}

} // namespace heddle::perf
