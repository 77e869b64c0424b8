// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

struct Effort
{
  int runs = 20; // timed, if the budget allows
  double budget_s = 5.0;
  int warm_ups = 3;
  int least_runs = 5; // whatever the budget
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
         (static_cast<int>(times.size()) < effort.least_runs || spent_ms < 1e3 * effort.budget_s))
  {
    times.push_back(measure(exec, call));
    spent_ms += times.back();
  }
  return times;
}

#if defined(KOKKOS_ENABLE_CUDA)
// A pair of events around each of so many calls, all of them in the stream before the first is
// waited for: were the device idle before a call, the time would count what the host takes to
// start it, which programs that call in a loop do not see.
class EventTimes
{
public:
  explicit EventTimes(int calls)
      : m_events(2 * static_cast<std::size_t>(calls))
  {
    for (cudaEvent_t& event : m_events)
      cudaEventCreate(&event);
  }
  ~EventTimes()
  {
    for (cudaEvent_t const event : m_events)
      cudaEventDestroy(event);
  }
  EventTimes(EventTimes const&) = delete;
  EventTimes& operator=(EventTimes const&) = delete;

  // before(): what each call finds done, not timed.
  template <class Call, class Before>
  std::vector<double> measure(Kokkos::Cuda const& exec, Call const& call,
                              Before const& before) const
  {
    for (std::size_t n = 0; n < m_events.size(); n += 2)
    {
      before();
      cudaEventRecord(m_events[n], exec.cuda_stream());
      call();
      cudaEventRecord(m_events[n + 1], exec.cuda_stream());
    }
    exec.fence("heddle::perf::events");
    std::vector<double> times;
    for (std::size_t n = 0; n < m_events.size(); n += 2)
    {
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, m_events[n], m_events[n + 1]);
      times.push_back(static_cast<double>(milliseconds));
    }
    return times;
  }
  template <class Call>
  std::vector<double> measure(Kokkos::Cuda const& exec, Call const& call) const
  {
    return measure(exec, call, [] {});
  }

private:
  std::vector<cudaEvent_t> m_events;
};

// As many calls as effort allows, judged by the first few.
template <class Call>
std::vector<double> event_times(Kokkos::Cuda const& exec, Effort const& effort, Call const& call)
{
  for (int i = 0; i < effort.warm_ups; ++i)
    call();
  auto times = EventTimes(std::min(effort.runs, effort.least_runs)).measure(exec, call);
  double const affordable = 1e3 * effort.budget_s / std::max(median(times), 1e-6);
  int const more = std::min(effort.runs, static_cast<int>(std::min(affordable, 1e9))) -
                   static_cast<int>(times.size());
  if (more > 0)
    for (double const time : EventTimes(more).measure(exec, call))
      times.push_back(time);
  return times;
}
#endif

// Events around each call on CUDA, else the host's clock with fences.
template <class Exec, class Call>
std::vector<double> time_calls(Exec const& exec, Effort const& effort, Call const& call)
{
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    return event_times(exec, effort, call);
  else
#endif
    return time_calls_with(host_milliseconds<Exec, Call>, exec, effort, call);
}

} // namespace heddle::perf
