// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the kernels for CSR want to know of a matrix while a plan for SpMM is made.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/row_overlap.hpp>
#include <heddle/cuda_native/spmm/row_ranges.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <optional>

namespace heddle::cuda_native
{

// Which rows go into bundles, by ranges of rows. Waits for exec.
template <class Exec, class Entries>
RowMix row_mix(Exec const& exec, Entries const& a)
{
  return row_mix(sample_row_ranges(exec, a), SpmmCsrPolicyFor::range_rows(a.rows), a.rows);
}

// Each statistic is taken when it is first asked for, and once: the kernels are asked one after the
// other whether they are best, and the one that is tunes itself by the same statistics. For one
// matrix and the host thread that makes the plan.
class SpmmCsrStatistics : public impl::RowStatistics
{
public:
  SpmmCsrStatistics(impl::RowStatistics const& statistics)
      : impl::RowStatistics(statistics)
  {}

  // What has been found out until now.
  std::optional<RowOverlap> const& known_overlap() const { return m_overlap; }
  // These wait for exec, the first time.
  template <class Exec, class Entries>
  RowOverlap const& overlap(Exec const& exec, Entries const& a) const
  {
    if (!m_overlap)
      m_overlap = row_overlap(exec, a, nonzeros);
    return *m_overlap;
  }
  template <class Exec, class Entries>
  RowMix const& mix(Exec const& exec, Entries const& a) const
  {
    if (!m_mix)
      m_mix = row_mix(exec, a);
    return *m_mix;
  }

private:
  mutable std::optional<RowOverlap> m_overlap = {};
  mutable std::optional<RowMix> m_mix = {};
};

} // namespace heddle::cuda_native
