// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/busy_stream.hpp>

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
// start it, which programs that call in a loop do not see. Calls that are shorter than that would
// overtake the host, so the stream is kept busy while it submits them, 64 at a time: an event, a
// call and an event take it `submit_ms`. 0: nothing is known, the stream is not kept busy.
class EventTimes
{
public:
  explicit EventTimes(int calls, double submit_ms = 0)
      : m_events(2 * static_cast<std::size_t>(calls))
      , m_submit_ms(submit_ms)
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
    constexpr std::size_t calls_at_once = 64;
    for (std::size_t n = 0; n < m_events.size(); n += 2)
    {
      if (m_submit_ms > 0 && n % (2 * calls_at_once) == 0)
        keep_busy(exec, busy_ms(std::min(calls_at_once, (m_events.size() - n) / 2)));
      before();
      submit(exec, n, call);
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
  // A call between the events n and n + 1.
  template <class Call>
  void submit(Kokkos::Cuda const& exec, std::size_t n, Call const& call) const
  {
    cudaEventRecord(m_events[n], exec.cuda_stream());
    call();
    cudaEventRecord(m_events[n + 1], exec.cuda_stream());
  }
  template <class Call>
  std::vector<double> measure(Kokkos::Cuda const& exec, Call const& call) const
  {
    return measure(exec, call, [] {});
  }

private:
  // Half as long again as it takes; calls that wait for the device are not to be waited for.
  double busy_ms(std::size_t calls) const
  {
    constexpr double most_ms = 4.0;
    return std::min(1.5 * static_cast<double>(calls) * m_submit_ms, most_ms);
  }

  std::vector<cudaEvent_t> m_events;
  double m_submit_ms;
};

// What the host takes to submit a call between two events, the fastest of `calls`.
template <class Call>
double submit_milliseconds(Kokkos::Cuda const& exec, int calls, Call const& call)
{
  using Clock = std::chrono::steady_clock;
  EventTimes const one(1);
  double least = 0;
  for (int n = 0; n < calls; ++n)
  {
    auto const start = Clock::now();
    one.submit(exec, 0, call);
    std::chrono::duration<double, std::milli> const taken = Clock::now() - start;
    least = n == 0 ? taken.count() : std::min(least, taken.count());
  }
  return least;
}

// As many calls as effort allows, judged by the first few.
template <class Call>
std::vector<double> event_times(Kokkos::Cuda const& exec, Effort const& effort, Call const& call)
{
  double const submit_ms = submit_milliseconds(exec, effort.warm_ups, call);
  auto times = EventTimes(std::min(effort.runs, effort.least_runs), submit_ms).measure(exec, call);
  double const affordable = 1e3 * effort.budget_s / std::max(median(times), 1e-6);
  int const more = std::min(effort.runs, static_cast<int>(std::min(affordable, 1e9))) -
                   static_cast<int>(times.size());
  if (more > 0)
    for (double const time : EventTimes(more, submit_ms).measure(exec, call))
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
