// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle
{

/// One level of data or unified cache, as the cores of this machine see it.
struct CacheLevel
{
  int level = 0;         ///< 1 is nearest to the core
  std::size_t bytes = 0; ///< of one cache
  int count = 0;         ///< caches of this level in the machine
};

/// What hwloc tells of the host; 0 or empty where heddle was built without it or the system does
/// not say.
struct Topology
{
  std::string cpu_model;
  int packages = 0;
  int numa_nodes = 0;
  int cores = 0;
  int hardware_threads = 0;
  std::size_t memory_bytes = 0;
  std::vector<CacheLevel> caches; ///< ascending levels
  /// Hardware threads this process may run on, as a list such as "0-3,8"; fewer than
  /// hardware_threads where a batch system, a container or taskset bound the process.
  std::string binding;
  int bound_threads = 0;
  bool has_hwloc = false;
};

/// Looks at the machine each time (a few milliseconds). Library heddle::topology.
Topology host_topology();

/// Bytes of the last cache that a core has, such as the L3 that some cores share; 0 where hwloc is
/// not there or names none. Kernels for hosts take from it what stays in the caches. The
/// environment variable HEDDLE_LAST_CACHE_BYTES says another number, as where a virtual machine
/// shows the cache of the whole processor; InvalidArgument where it is not a positive integer.
/// Library heddle::topology, which looks at the machine at the first call.
std::size_t last_cache_bytes();

/// A few lines for people: cores, caches, NUMA nodes, binding.
std::string to_string(Topology const& topology);

} // namespace heddle
