// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle
{

/// How fast all processors together read one region of memory again and again.
struct CachePoint
{
  std::int64_t bytes = 0;
  double gwords_per_s = 0; ///< words of 4 bytes, in 1e9
  friend bool operator==(CachePoint const&, CachePoint const&) = default;
};

/// What a machine reaches at most: the ceilings of a roofline (Williams, Waterman, Patterson, CACM
/// 2009). heddle-perf machine measures one; another machine's may be filled in by hand.
struct MachineDescription
{
  std::string device;
  double gbytes_per_s = 0; ///< reading memory
  double gflops_f32 = 0;
  double gflops_f64 = 0;
  std::int64_t cache_bytes = 0; ///< what all processors share, nearest to memory
  /// What follows may be missing: 0, or nothing. Reading 4-byte words from the nearest cache and,
  /// on a GPU, from shared memory, all processors together, in 1e9 a second (paper 000, section 7).
  double l1_gwords_per_s = 0, shared_gwords_per_s = 0;
  std::int64_t swept_cache_bytes = 0; ///< up to where the sweep is faster than memory
  std::vector<CachePoint> cache_sweep{};

  /// Of a value type's precision.
  double gflops(bool is_double) const { return is_double ? gflops_f64 : gflops_f32; }
  friend bool operator==(MachineDescription const&, MachineDescription const&) = default;
};

} // namespace heddle
