// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace heddle::perf
{

enum class Scale
{
  linear,
  logarithmic
};

// Numbers along a side of a chart: a range with round ends that holds all values, and where in it a
// value lies. A logarithmic axis leaves out values that are not positive.
class Axis
{
public:
  Axis(std::string label, Scale scale)
      : m_label(std::move(label))
      , m_scale(scale)
  {}

  // Widens the range; fit() after the last.
  void include(double value);
  void fit();

  std::string const& label() const { return m_label; }
  bool shows(double value) const;   // not NaN, not infinite, positive where logarithmic
  double share(double value) const; // 0 at the low end, 1 at the high one
  double low() const { return m_low; }
  double high() const { return m_high; }
  std::vector<double> ticks() const; // round numbers, few enough to be labelled

private:
  std::string m_label;
  Scale m_scale;
  bool m_is_empty = true;
  double m_low = 0, m_high = 0, m_step = 0;
};

} // namespace heddle::perf
