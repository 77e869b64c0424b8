// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/topology.hpp>

#if defined(HEDDLE_HAVE_HWLOC)
#include <hwloc.h>

#include <array>
#include <memory>
#endif

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace heddle
{

#if defined(HEDDLE_HAVE_HWLOC)

namespace
{

using Machine =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

int count(hwloc_topology_t machine, hwloc_obj_type_t type)
{
  int const n = hwloc_get_nbobjs_by_type(machine, type);
  return n < 0 ? 0 : n;
}

void look_at_caches(hwloc_topology_t machine, Topology& result)
{
  constexpr std::array types{HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                             HWLOC_OBJ_L4CACHE};
  for (std::size_t i = 0; i < types.size(); ++i)
    if (hwloc_obj const* const cache = hwloc_get_obj_by_type(machine, types[i], 0);
        cache != nullptr)
      result.caches.push_back({static_cast<int>(i) + 1,
                               static_cast<std::size_t>(cache->attr->cache.size),
                               count(machine, types[i])});
}

void look_at_binding(hwloc_topology_t machine, Topology& result)
{
  std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> const bound(hwloc_bitmap_alloc(),
                                                                            &hwloc_bitmap_free);
  if (bound == nullptr || hwloc_get_cpubind(machine, bound.get(), HWLOC_CPUBIND_PROCESS) != 0)
    return;
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, bound.get()) >= 0)
    result.binding = text;
  std::free(text);
  result.bound_threads = hwloc_bitmap_weight(bound.get());
}

} // namespace

Topology host_topology()
try
{
  Topology result;
  result.hardware_threads = static_cast<int>(std::thread::hardware_concurrency());
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    return result;
  Machine const machine(raw, &hwloc_topology_destroy);
  // The whole machine, also what this process may not use: the binding is told apart.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0)
    return result;
  result.has_hwloc = true;
  result.packages = count(raw, HWLOC_OBJ_PACKAGE);
  result.numa_nodes = count(raw, HWLOC_OBJ_NUMANODE);
  result.cores = count(raw, HWLOC_OBJ_CORE);
  result.hardware_threads = count(raw, HWLOC_OBJ_PU);
  result.memory_bytes = static_cast<std::size_t>(hwloc_get_root_obj(raw)->total_memory);
  if (hwloc_obj* const package = hwloc_get_obj_by_type(raw, HWLOC_OBJ_PACKAGE, 0);
      package != nullptr)
    if (char const* const model = hwloc_obj_get_info_by_name(package, "CPUModel"); model != nullptr)
      result.cpu_model = model;
  look_at_caches(raw, result);
  look_at_binding(raw, result);
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("host_topology");
}

#else

Topology host_topology()
try
{
  Topology result;
  result.hardware_threads = static_cast<int>(std::thread::hardware_concurrency());
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("host_topology");
}

#endif

std::size_t last_cache_bytes()
{
  if (char const* const variable = std::getenv("HEDDLE_LAST_CACHE_BYTES"); variable != nullptr)
  {
    std::string_view const text = variable;
    std::size_t bytes = 0;
    auto const [end, error] = std::from_chars(text.begin(), text.end(), bytes);
    if (error != std::errc{} || end != text.end() || bytes == 0)
      impl::throw_error<InvalidArgument>("last_cache_bytes", "HEDDLE_LAST_CACHE_BYTES is '", text,
                                         "', expected a positive integer");
    return bytes;
  }
  static std::size_t const bytes_of_machine = [] {
    auto const caches = host_topology().caches;
    return caches.empty() ? std::size_t(0) : caches.back().bytes;
  }();
  return bytes_of_machine;
}

std::string to_string(Topology const& topology)
try
{
  impl::TextStream text;
  text << (topology.cpu_model.empty() ? "unknown CPU" : topology.cpu_model) << ": ";
  if (!topology.has_hwloc)
  {
    text << topology.hardware_threads
         << " hardware threads (built without hwloc: nothing else is known)\n";
    return text.str();
  }
  text << topology.packages << " packages, " << topology.numa_nodes << " NUMA nodes, "
       << topology.cores << " cores, " << topology.hardware_threads << " hardware threads, "
       << (topology.memory_bytes >> 20) << " MiB of memory\n";
  for (CacheLevel const& cache : topology.caches)
    text << "L" << cache.level << " " << (cache.bytes >> 10) << " KiB x " << cache.count << "\n";
  text << "bound to " << topology.bound_threads << " hardware threads (" << topology.binding
       << ")\n";
  return text.str();
}
catch (...)
{
  impl::rethrow_out_of_memory("to_string");
}

} // namespace heddle
