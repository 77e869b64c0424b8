// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <calibrate/bench.hpp>
#include <calibrate/bench_kernels.hpp>

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

} // namespace heddle::perf
