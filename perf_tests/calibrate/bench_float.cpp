// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <calibrate/bench.hpp>
#include <calibrate/bench_kernels.hpp>
#include <calibrate/candidate_kernels.hpp>
#include <calibrate/candidates.hpp>

namespace heddle::perf
{

template <>
void measure_features<float>(Measurements& rows, std::string const& name,
                             HostMatrix<float> const& a)
{
  measure_features_of(rows, name, a);
}

template <>
bool measure_grid<float>(CalibrateSettings const& settings, Deadline const& deadline,
                         Measurements& rows, MatrixName const& name, HostMatrix<float> const& a)
{
  return measure_grid_of(settings, deadline, rows, name, a);
}

template <>
bool measure_costs<float>(CalibrateSettings const& settings, Deadline const& deadline,
                          Measurements& rows, int horizontal)
{
  return measure_costs_of<float>(settings, deadline, rows, horizontal);
}

template <>
Candidate row_segmented_spmm<float>(SpmmProblem<float, Kokkos::LayoutRight> const& problem)
{
  return row_segmented_spmm_of(problem);
}

template <>
Candidate row_segmented_both<float>(SpmmProblem<float, Kokkos::LayoutRight> const& transposed,
                                    SpmmProblem<float, Kokkos::LayoutRight> const& plain)
{
  return row_segmented_both_of(transposed, plain);
}

} // namespace heddle::perf
