// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the kernels for CSR want to know of a matrix while a plan for SpMM is made.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/row_overlap.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <optional>

namespace heddle::cuda_native
{

// Each is looked for when it is first asked for, and once: the kernels are asked one after the
// other whether they are best, and the one that is tunes itself by what was found. For one matrix
// and the host thread that makes the plan. Converts from statistics, of which all else is made.
class SpmmCsrStatistics : public impl::RowStatistics
{
public:
  SpmmCsrStatistics(impl::RowStatistics const& statistics)
      : impl::RowStatistics(statistics)
  {}

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
