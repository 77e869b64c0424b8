// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

struct Cache
{
  std::string name;       // "L2"
  std::int64_t bytes = 0; // of all that the device has of this level
};

// What this machine reaches, measured at start: the ceilings of the roofline.
struct Machine
{
  std::string device;           // name of the processor and how many threads of it
  double gbytes_per_s = 0;      // reading memory, arrays far larger than the caches
  double copy_gbytes_per_s = 0; // bytes read and written
  double gflops_f32 = 0; // multiply and add in registers, as this build's compiler flags allow
  double gflops_f64 = 0;
  double shared_gbytes_per_s = 0; // of shared memory, by clock and width; 0: unknown, or a host
  std::vector<Cache> caches{};    // smallest first; none where the system does not say
  std::string warning; // why times taken now may mislead: the device is busy or slowed down

  // Milliseconds that a call takes at least.
  double bound_ms(double bytes, double flops, bool is_double) const;
  // The smallest cache that explains a call which reads bytes in a part of the time that memory
  // takes, times_as_fast >= 1: one that can hold what cannot have come from memory. NULL: none.
  Cache const* cache_behind(double bytes, double times_as_fast) const;
};

// The name of the processor; of a host also how many threads of it are used.
std::string device_name();

// One second or two: each rate is that of the fastest of many short runs.
Machine measure_machine();

} // namespace heddle::perf
