// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace heddle
{

/// What a machine reaches at most: the ceilings of a roofline (Williams, Waterman, Patterson, CACM
/// 2009). heddle-perf machine measures one; another machine's may be filled in by hand.
struct MachineDescription
{
  std::string device;
  double gbytes_per_s = 0; ///< reading memory
  double gflops_f32 = 0;
  double gflops_f64 = 0;
  std::int64_t cache_bytes = 0; ///< what all processors share, nearest to memory

  /// Of a value type's precision.
  double gflops(bool is_double) const { return is_double ? gflops_f64 : gflops_f32; }
  friend bool operator==(MachineDescription const&, MachineDescription const&) = default;
};

} // namespace heddle
