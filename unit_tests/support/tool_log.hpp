// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

// What Kokkos tells its tools.
struct ToolEvent
{
  enum Kind
  {
    kernel,
    fence,
    push_region,
    pop_region,
    allocation,
    deep_copy
  };
  Kind kind;
  std::string label;
  std::uint32_t device = 0; // of kernels and fences, as Kokkos numbers instances
};

// Listens while it lives; one at a time.
class ToolLog
{
public:
  ToolLog()
      : m_before(Kokkos::Tools::Experimental::get_callbacks())
  {
    namespace Tools = Kokkos::Tools::Experimental;
    events().clear();
    Tools::set_begin_parallel_for_callback(begin<ToolEvent::kernel>);
    Tools::set_begin_parallel_reduce_callback(begin<ToolEvent::kernel>);
    Tools::set_begin_parallel_scan_callback(begin<ToolEvent::kernel>);
    Tools::set_begin_fence_callback(begin<ToolEvent::fence>);
    Tools::set_push_region_callback([](char const* label) {
      add({ToolEvent::push_region, label});
    });
    Tools::set_pop_region_callback([] { add({ToolEvent::pop_region, "heddle::"}); });
    Tools::set_allocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const* label, void const*, std::uint64_t) {
          add({ToolEvent::allocation, label});
        });
    Tools::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, char const* to, void const*,
                                           Kokkos::Tools::SpaceHandle, char const* from,
                                           void const*, std::uint64_t) {
      add({ToolEvent::deep_copy, to});
      add({ToolEvent::deep_copy, from});
    });
  }
  ~ToolLog() { Kokkos::Tools::Experimental::set_callbacks(m_before); }
  ToolLog(ToolLog const&) = delete;
  ToolLog& operator=(ToolLog const&) = delete;

  // Since the last time.
  std::vector<ToolEvent> take()
  {
    std::lock_guard const lock(mutex());
    return std::exchange(events(), {});
  }

private:
  template <ToolEvent::Kind kind>
  static void begin(char const* label, std::uint32_t device, std::uint64_t* id)
  {
    *id = 0;
    if (std::string(label).rfind("Kokkos::Tools::", 0) != 0) // the fences that listening costs
      add({kind, label, device});
  }
  static void add(ToolEvent const& event)
  {
    std::lock_guard const lock(mutex());
    events().push_back(event);
  }
  static std::mutex& mutex()
  {
    static std::mutex m;
    return m;
  }
  static std::vector<ToolEvent>& events()
  {
    static std::vector<ToolEvent> all;
    return all;
  }

  Kokkos::Tools::Experimental::EventSet m_before;
};

inline std::int64_t kernels_named(std::vector<ToolEvent> const& events, char const* label)
{
  return std::count_if(events.begin(), events.end(), [&](ToolEvent const& event) {
    return event.kind == ToolEvent::kernel && event.label == label;
  });
}

// A fence of all instances of a space, or of all spaces.
inline bool is_global_fence(ToolEvent const& event)
{
  return event.kind == ToolEvent::fence &&
         Kokkos::Tools::Experimental::identifier_from_devid(event.device).instance_id == 0;
}

} // namespace heddle::test
