// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace heddle::perf
{

// What this machine reaches, measured at start: the ceilings of the roofline.
struct Machine
{
  std::string device;           // name of the processor and how many threads of it
  double gbytes_per_s = 0;      // reading memory, arrays far larger than the caches
  double copy_gbytes_per_s = 0; // bytes read and written
  double gflops_f32 = 0; // multiply and add in registers, as this build's compiler flags allow
  double gflops_f64 = 0;
  double shared_gbytes_per_s = 0; // of shared memory, by clock and width; 0: unknown, or a host
  std::string warning; // why times taken now may mislead: the device is busy or slowed down

  // Milliseconds that a call takes at least.
  double bound_ms(double bytes, double flops, bool is_double) const;
};

// The name of the processor; of a host also how many threads of it are used.
std::string device_name();

// About a second.
Machine measure_machine();

} // namespace heddle::perf
