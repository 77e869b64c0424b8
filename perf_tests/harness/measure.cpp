// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/cold_cache.hpp>
#include <harness/measure.hpp>
#include <harness/times.hpp>
#include <harness/waiting.hpp>
#include <harness/watchdog.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_profiler_api.h>
#endif

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

// Once to warm up (libraries load code and memory pools fill at the first call), then the median of
// a few.
double plan_milliseconds(Candidate const& candidate, Settings const& settings)
{
  if (!candidate.plan)
    return 0.0;
  double const first = host_milliseconds(Exec{}, candidate.plan);
  constexpr double long_ms = 500.0;
  bool const is_once = settings.is_brief && !candidate.implementation.starts_with("heddle::auto");
  if (is_once || first > long_ms)
    return first;
  return median(time_calls_with(host_milliseconds<Exec, std::function<void()>>, Exec{}, {3, 1.0, 0},
                                candidate.plan));
}

// One more call, for a profiler: where HEDDLE_PERF_PROFILE names the operation, ncu
// --profile-from-start off counts this call of heddle's alone. Elsewhere nothing happens.
void run_for_profiler(Record const& record, Candidate const& candidate)
{
#if defined(KOKKOS_ENABLE_CUDA)
  char const* const operation = std::getenv("HEDDLE_PERF_PROFILE");
  if (operation == nullptr || record.operation != operation ||
      !record.implementation.starts_with("heddle::"))
    return;
  Exec{}.fence("heddle::perf::profile");
  cudaProfilerStart();
  candidate.run();
  Exec{}.fence("heddle::perf::profile");
  cudaProfilerStop();
#else
  static_cast<void>(record);
  static_cast<void>(candidate);
#endif
}

// Milliseconds of so many calls.
std::vector<double> times_of(Clock clock, Effort const& effort, std::function<void()> const& call)
{
  using Call = std::function<void()>;
  return clock == Clock::host ? time_calls_with(host_milliseconds<Exec, Call>, Exec{}, effort, call)
                              : time_calls(Exec{}, effort, call);
}

// The same where nothing of the operands is in the caches.
double cold_milliseconds(ColdCache const& cache, Clock clock, Effort const& effort,
                         std::function<void()> const& call)
{
  auto const empty = [&cache] { cache.write_over(); };
#if defined(KOKKOS_ENABLE_CUDA)
  if (clock == Clock::device)
    return median(EventTimes(effort.runs).measure(Exec{}, call, empty));
#else
  static_cast<void>(clock);
#endif
  std::vector<double> times;
  for (int n = 0; n < effort.runs; ++n)
  {
    empty();
    times.push_back(host_milliseconds(Exec{}, call));
  }
  return median(times);
}

// Waiting for a core changes what a GPU does only where it waits for the host.
double waiting_share(WaitingForCores const& waiting, Clock clock)
{
  return impl::is_host_v<Exec> || clock == Clock::host ? waiting.share() : 0.0;
}

// What takes longer than the budget is timed once more, without warming up.
Effort effort_of(Settings const& settings, double first_ms)
{
  double const slow_ms = settings.is_brief ? 100 : 1e3;
  if (first_ms > 1e3 * settings.budget_s && first_ms > slow_ms)
    return {1, settings.budget_s, 0};
  if (settings.is_brief)
    return {settings.runs, settings.budget_s, 1, 3};
  return {settings.runs, settings.budget_s, 2};
}

// Whether a first call says all that matters of a case among many: it is very slow, or far slower
// than another implementation and too slow for that to come from what a library does only once.
bool is_one_enough(Report const& report, double first_ms)
{
  constexpr double very_slow_ms = 1e3, not_once_ms = 50, far_slower = 4;
  return first_ms > very_slow_ms ||
         (first_ms > not_once_ms && first_ms > far_slower * report.fastest_ms());
}

void time_calls_of(Record& record, Report& report, Settings const& settings,
                   Candidate const& candidate, Clock clock)
{
  Effort const effort = effort_of(settings, record.first_ms);
  WaitingForCores const waiting;
  record.times = times_summary(settings.is_brief && is_one_enough(report, record.first_ms)
                                   ? std::vector{record.first_ms}
                                   : times_of(clock, effort, candidate.run));
  record.noise = noise_of(record.times, waiting_share(waiting, clock));
  if (settings.is_cold)
    record.cold_ms = cold_milliseconds(report.cold_cache(), clock,
                                       {record.times.runs, settings.budget_s, 0}, candidate.run);
}

void run_and_time(Record& record, Report& report, Settings const& settings,
                  Candidate const& candidate, Clock clock, std::function<Verdict()> const& check,
                  std::function<void(Record&)> const& complete)
try
{
  Exec const exec{};
  record.plan_ms = plan_milliseconds(candidate, settings);
  record.first_ms = host_milliseconds(exec, candidate.run);
  if (candidate.finish)
    candidate.finish();
  Verdict const verdict = check();
  record.skipped = verdict.wrong;
  record.residual = verdict.residual;
  if (!record.skipped.empty())
    return;
  time_calls_of(record, report, settings, candidate, clock);
  run_for_profiler(record, candidate);
  if (candidate.chosen)
    record.chosen = candidate.chosen();
  if (candidate.heavy_share)
    record.heavy_share = candidate.heavy_share();
  if (complete)
    complete(record);
}
catch (...)
{
  impl::rethrow_out_of_memory("perf"); // what Kokkos and libraries throw, too
}

// A kernel that reads where it may not takes the CUDA context with it: no case after it can run.
// Throws std::runtime_error if that has happened.
void require_device()
{
#if defined(KOKKOS_ENABLE_CUDA)
  cudaGetLastError(); // an error that is over, such as no memory, would be reported by the next
                      // call
  cudaError_t const fault = cudaDeviceSynchronize();
  if (fault != cudaSuccess)
    throw std::runtime_error(std::string("the device cannot go on: ") + cudaGetErrorString(fault));
#endif
}

} // namespace

void measure(Report& report, Settings const& settings, Record const& base,
             Candidate const& candidate, Clock clock, std::function<Verdict()> const& check,
             std::function<void(Record&)> const& complete)
{
  Record record = base;
  record.implementation = candidate.implementation;
  record.index_types = candidate.index_types;
  record.layout_c = candidate.layout_c;
  if (!report.begin(record))
    return;
  Report::progress(base.matrix + " " + base.operation + " " + candidate.implementation);
  try
  {
    Watchdog const watchdog(settings.case_limit_s, base.matrix + " " + candidate.implementation);
    run_and_time(record, report, settings, candidate, clock, check, complete);
  }
  catch (std::exception const& problem)
  {
    record.skipped = problem.what();
  }
  report.add(record);
  if (!record.skipped.empty())
    require_device();
}

std::size_t offset_bytes(Candidate const& candidate)
{
  return candidate.index_types.ends_with("size_t") ? sizeof(std::size_t) : sizeof(int);
}

} // namespace heddle::perf
