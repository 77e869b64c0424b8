// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace heddle::perf
{

struct Effort
{
  int runs = 20; // timed, if the budget allows
  double budget_s = 5.0;
  int warm_ups = 3;
  static constexpr int least_runs = 5;
};

inline double median(std::vector<double> times)
{
  auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  if (times.size() % 2 == 1)
    return *middle;
  return 0.5 * (*middle + *std::max_element(times.begin(), middle));
}

// Milliseconds on the host's clock, from an idle exec to an idle exec.
template <class Exec, class Call>
double host_milliseconds(Exec const& exec, Call const& call)
{
  using Clock = std::chrono::steady_clock;
  exec.fence("heddle::perf::before");
  auto const start = Clock::now();
  call();
  exec.fence("heddle::perf::after");
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Milliseconds of one call: events around it on CUDA, else the host's clock with fences.
template <class Exec, class Call>
double device_milliseconds(Exec const& exec, Call const& call)
{
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
  {
    cudaEvent_t start{}, stop{};
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, exec.cuda_stream());
    call();
    cudaEventRecord(stop, exec.cuda_stream());
    cudaEventSynchronize(stop);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return static_cast<double>(milliseconds);
  }
#endif
  return host_milliseconds(exec, call);
}

// Times of several calls, back to back, so that caches are as a solver's iterations find them.
template <class Measure, class Exec, class Call>
std::vector<double> time_calls_with(Measure const& measure, Exec const& exec, Effort const& effort,
                                    Call const& call)
{
  for (int i = 0; i < effort.warm_ups; ++i)
    call();
  std::vector<double> times;
  double spent_ms = 0.0;
  while (static_cast<int>(times.size()) < effort.runs &&
         (static_cast<int>(times.size()) < Effort::least_runs || spent_ms < 1e3 * effort.budget_s))
  {
    times.push_back(measure(exec, call));
    spent_ms += times.back();
  }
  return times;
}

template <class Exec, class Call>
std::vector<double> time_calls(Exec const& exec, Effort const& effort, Call const& call)
{
  return time_calls_with(device_milliseconds<Exec, Call>, exec, effort, call);
}

} // namespace heddle::perf
