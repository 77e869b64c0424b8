// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/times.hpp>
#include <harness/waiting.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <filesystem>
#include <sched.h>
#include <thread>
#include <vector>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("times are summed up by their least, quartiles and mean", "[perf]")
{
  Times const five = times_summary({5.0, 1.0, 4.0, 2.0, 8.0});
  CHECK(five.min_ms == 1.0);
  CHECK(five.q1_ms == 2.0);
  CHECK(five.median_ms == 4.0);
  CHECK(five.q3_ms == 5.0);
  CHECK(five.mean_ms == 4.0);
  CHECK(five.runs == 5);
  Times const four = times_summary({4.0, 1.0, 2.0, 3.0}); // quartiles lie between two of them
  CHECK(four.q1_ms == Approx(1.75));
  CHECK(four.median_ms == Approx(2.5));
  CHECK(four.q3_ms == Approx(3.25));
  Times const one = times_summary({7.0});
  CHECK(one.min_ms == 7.0);
  CHECK(one.q1_ms == 7.0);
  CHECK(one.q3_ms == 7.0);
}

TEST_CASE("times are noisy where calls differ, or where threads waited for a core", "[perf]")
{
  CHECK(noise_of(times_summary({1.00, 1.02, 1.05, 1.01, 1.03}), 0.0).empty());
  CHECK(noise_of(times_summary({1.00, 1.02, 9.00, 1.01, 1.03}), 0.0).empty()); // one call of five
  CHECK_THAT(noise_of(times_summary({1.0, 1.0, 2.0, 3.0, 4.0}), 0.0),
             ContainsSubstring("from 1.000 to 3.000 ms"));
  CHECK_THAT(noise_of(times_summary({1.0, 2.0, 2.0, 2.0, 2.0}), 0.0),
             ContainsSubstring("fastest call took 1.000 ms, the median 2.000 ms"));
  // Half a microsecond more or less is what the clock of a device tells.
  CHECK(noise_of(times_summary({0.0010, 0.0015, 0.0020, 0.0010, 0.0020}), 0.0).empty());
  Times const steady = times_summary({1.0, 1.0, 1.0});
  CHECK(noise_of(steady, 0.08).empty());
  CHECK_THAT(noise_of(steady, 0.48), ContainsSubstring("waited 48.00 % of the time for a core"));
  // Half of the time was waited for a core in one call alone, not in the others.
  Times const one_slow = times_summary({1.0, 1.0, 1.0, 1.0, 1.0, 7.0});
  CHECK(noise_of(one_slow, 0.5).empty());
  CHECK_FALSE(noise_of(one_slow, 0.7).empty());
}

TEST_CASE("threads that share a core wait for it", "[perf]")
{
  if (!std::filesystem::exists("/proc/self/schedstat"))
    SKIP("this system does not count how long threads wait");
  auto const spin = [](std::chrono::milliseconds time) {
    auto const end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end)
    {}
  };
  constexpr std::chrono::milliseconds time(300);
  cpu_set_t one_core;
  CPU_ZERO(&one_core);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one_core);
  auto const spin_there = [&] {
    sched_setaffinity(0, sizeof one_core, &one_core); // of the calling thread
    spin(time);
  };
  WaitingForCores const waiting;
  std::thread first(spin_there), second(spin_there);
  // Threads that have ended are not counted any more.
  std::this_thread::sleep_for(time * 2 / 3);
  double const share = waiting.share();
  first.join();
  second.join();
  CHECK(share > 0.5);
  CHECK(share <= 1.0);
}
