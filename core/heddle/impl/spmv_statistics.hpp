// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/row_statistics.hpp>

#include <any>
#include <optional>

namespace heddle::impl
{

// What implementations of SpMV want to know of a matrix while a plan is made. One that must build a
// structure of the pattern to say what it brings leaves it here, and takes it from here where it is
// chosen. For one matrix and the host thread that makes the plan.
class SpmvStatistics : public RowStatistics
{
public:
  SpmvStatistics(RowStatistics const& statistics)
      : RowStatistics(statistics)
  {}

  // The structure of this type, which build() makes unless it is what was built last.
  template <class Structure, class Build>
  Structure const& built(Build const& build) const
  {
    if (auto const* const found = std::any_cast<Structure>(&m_built))
      return *found;
    m_built.reset(); // its memory is of use to the next
    return m_built.emplace<Structure>(build());
  }

  // What measure() finds, which looks at all rows, asked once.
  template <class Measure>
  double measured_once(Measure const& measure) const
  {
    if (!m_measured)
      m_measured = measure();
    return *m_measured;
  }

private:
  mutable std::any m_built = {};
  mutable std::optional<double> m_measured = {};
};

} // namespace heddle::impl
