// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Two ways to do the same, timed when a plan is made.

#include <heddle/impl/text_stream.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <string>

namespace heddle::impl
{

// Both take turns, a few calls at a time that are queued without waiting, as a solver's are. Of two
// that are as fast as each other chance lets the second in 32 cases win all of five rounds once.
inline constexpr int trial_rounds = 5, trial_calls = 3;

// "12.3 us", with three digits.
inline std::string readable_time(double seconds)
{
  TextStream text;
  text << std::setprecision(3);
  if (seconds < 1e-3)
    text << seconds * 1e6 << " us";
  else if (seconds < 1)
    text << seconds * 1e3 << " ms";
  else
    text << seconds << " s";
  return text.str();
}

// Calls after which a gain of so many seconds a call has made up for what was spent; none where
// there is no gain.
inline std::optional<std::int64_t> calls_to_gain(double spent, double gain)
{
  double const calls = std::ceil(spent / gain);
  if (!(gain > 0) || !(calls < 1e18))
    return {};
  return static_cast<std::int64_t>(calls);
}

// Seconds that work takes on exec, for which it waits.
template <class Exec, class Work>
double seconds_on(Exec const& exec, Work const& work)
{
  using Clock = std::chrono::steady_clock;
  exec.fence("heddle::trial");
  auto const start = Clock::now();
  work();
  exec.fence("heddle::trial");
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds.
struct TurnTimes
{
  double first = 0, second = 0; // a call in the fastest round
  double all = 0;               // of the calls of both
  int rounds_won = 0;           // by the second
};

// Waits for exec.
template <class Exec, class First, class Second>
TurnTimes time_in_turns(Exec const& exec, First const& first, Second const& second)
{
  auto const seconds_a_call = [&exec](auto const& call) {
    return seconds_on(exec,
                      [&call] {
                        for (int i = 0; i < trial_calls; ++i)
                          call();
                      }) /
           trial_calls;
  };
  TurnTimes times;
  times.all = seconds_on(exec, [&] {
    first();
    second();
    for (int round = 0; round < trial_rounds; ++round)
    {
      double const of_first = seconds_a_call(first), of_second = seconds_a_call(second);
      times.first = round == 0 ? of_first : std::min(times.first, of_first);
      times.second = round == 0 ? of_second : std::min(times.second, of_second);
      times.rounds_won += of_second < of_first ? 1 : 0;
    }
  });
  return times;
}

} // namespace heddle::impl
