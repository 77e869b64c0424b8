// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <calibrate/bench.hpp>
#include <calibrate/bench_kernels.hpp>
#include <calibrate/candidate_kernels.hpp>
#include <calibrate/candidates.hpp>

namespace heddle::perf
{

template <>
void measure_features<double>(Measurements& rows, std::string const& name,
                              HostMatrix<double> const& a)
{
  measure_features_of(rows, name, a);
}

template <>
bool measure_grid<double>(CalibrateSettings const& settings, Deadline const& deadline,
                          Measurements& rows, MatrixName const& name, HostMatrix<double> const& a)
{
  return measure_grid_of(settings, deadline, rows, name, a);
}

template <>
bool measure_costs<double>(CalibrateSettings const& settings, Deadline const& deadline,
                           Measurements& rows, int horizontal)
{
  return measure_costs_of<double>(settings, deadline, rows, horizontal);
}

template <>
Candidate row_segmented_spmm<double>(SpmmProblem<double, Kokkos::LayoutRight> const& problem)
{
  return row_segmented_spmm_of(problem);
}

template <>
Candidate row_segmented_both<double>(SpmmProblem<double, Kokkos::LayoutRight> const& transposed,
                                     SpmmProblem<double, Kokkos::LayoutRight> const& plain)
{
  return row_segmented_both_of(transposed, plain);
}

} // namespace heddle::perf
