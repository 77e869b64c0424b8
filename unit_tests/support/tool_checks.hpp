// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Public operations as closures, and what must be true of what Kokkos Tools sees of them.

#include <support/instances.hpp>
#include <support/tool_log.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <any>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace heddle::test
{

// What run returns is dropped when the log has been read: freeing a View makes Kokkos wait for
// every instance.
struct Operation
{
  std::string name;
  std::function<std::any()> run;
  bool is_numeric = false;   // a call of spmv or spmm with a plan: asynchronous
  bool drops_a_plan = false; // which it made for itself, and its Views with it
};
using Operations = std::vector<Operation>;

inline void append(Operations& to, Operations const& from)
{
  to.insert(to.end(), from.begin(), from.end());
}

inline bool is_known(std::string const& label)
{
  return label.rfind("heddle::", 0) == 0 || label.rfind("Kokkos::", 0) == 0;
}

// "" or what is wrong with one of the events of an operation on exec.
template <class Exec>
std::string offence(Exec const& exec, std::vector<ToolEvent> const& events, bool may_free)
{
  std::uint32_t const device = Kokkos::Tools::Experimental::device_id(exec);
  for (ToolEvent const& event : events)
  {
    std::string const label = "'" + event.label + "'";
    if (may_free && event.kind == ToolEvent::fence &&
        (event.label.find("impl_deallocate") != std::string::npos || event.label == "heddle::kept"))
      continue; // before Kokkos frees a View, or a plan on CUDA its memory
    if (event.kind == ToolEvent::deep_copy)
    {
      // Kokkos calls a number "Scalar" and nothing "(none)"; Views of scratch have no label.
      if (!is_known(event.label) && event.label != "Scalar" && event.label != "(none)" &&
          !event.label.empty())
        return "a deep copy of " + label;
    }
    else if (!is_known(event.label))
      return "the label " + label;
    if (event.kind == ToolEvent::kernel && event.device != device)
      return "the kernel " + label + " ran on another instance";
    if (is_global_fence(event))
      return "the fence " + label + " waits for all instances";
    if (event.kind == ToolEvent::fence && event.device != device)
      return "the fence " + label + " waits for another instance";
  }
  return "";
}

// Labels of what is allocated, but for the scratch that Kokkos asks for at every launch of teams on
// CUDA, even of no bytes.
inline std::string allocations(std::vector<ToolEvent> const& events)
{
  std::string labels;
  for (ToolEvent const& event : events)
    if (event.kind == ToolEvent::allocation &&
        event.label.find("TeamScratchMemory") == std::string::npos)
      labels += "'" + event.label + "' ";
  return labels;
}

inline std::int64_t count(std::vector<ToolEvent> const& events, ToolEvent::Kind kind)
{
  return std::count_if(events.begin(), events.end(),
                       [=](ToolEvent const& event) { return event.kind == kind; });
}

// Keeps exec busy until it is dropped, or until whoever waits for exec has waited for half a
// minute.
template <class Exec>
class Blocker
{
public:
  explicit Blocker(Exec const& exec)
      : m_thread([this, exec] { block(exec); })
  {
    while (!m_has_begun)
      std::this_thread::yield();
  }
  ~Blocker() { end(); }
  Blocker(Blocker const&) = delete;
  Blocker& operator=(Blocker const&) = delete;

  // Whether nobody waited for it.
  bool end()
  {
    m_has_ended = true;
    if (m_thread.joinable())
      m_thread.join();
    return !m_was_late;
  }

private:
  void block(Exec const& exec)
  {
    Kokkos::parallel_for(
        "heddle::test::blocker", Kokkos::RangePolicy<Exec>(exec, 0, 1), [this](int) {
          m_has_begun = true;
          auto const late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
          while (!m_has_ended && !m_was_late)
          {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            m_was_late = std::chrono::steady_clock::now() > late;
          }
        });
    exec.fence();
  }

  std::atomic<bool> m_has_begun = false, m_has_ended = false, m_was_late = false;
  std::thread m_thread;
};

// Labels, instances, fences, and regions that close.
template <class Exec>
void check_labels_and_instances(Exec const& exec, Operations const& operations)
{
  for (Operation const& operation : operations)
  {
    INFO(operation.name);
    ToolLog log;
    auto const result = operation.run();
    auto const events = log.take();
    exec.fence();
    CHECK(offence(exec, events, operation.drops_a_plan) == "");
    CHECK(count(events, ToolEvent::push_region) == count(events, ToolEvent::pop_region));
  }
}

// Numeric operations neither wait nor make Views. Debug builds of Kokkos compare the fingerprint at
// every call, which waits.
template <class Exec>
void check_asynchronous_calls(Exec const& exec, Operations const& operations)
{
  for (Operation const& operation : operations)
    if (operation.is_numeric)
    {
      INFO(operation.name);
      operation.run(); // Kokkos makes its own scratch at the first call
      ToolLog log;
      operation.run();
      auto const events = log.take();
      exec.fence();
      CHECK(count(events, ToolEvent::kernel) > 0);
      CHECK(count(events, ToolEvent::push_region) == 1);
      CHECK(allocations(events) == "");
#if !defined(KOKKOS_ENABLE_DEBUG)
      CHECK(count(events, ToolEvent::fence) == 0);
#endif
    }
}

// Kokkos numbers the instances of devices only: on hosts a kernel on the default instance is found
// by its waiting for the one that runs there.
template <class Exec>
void check_no_waiting_for_the_default_instance(Exec const& exec, Operations const& operations)
{
  Blocker<Exec> blocker(Exec{});
  std::vector<std::any> results;
  for (Operation const& operation : operations)
    if (!operation.drops_a_plan)
      results.push_back(operation.run());
  exec.fence();
  CHECK(blocker.end());
}

} // namespace heddle::test
