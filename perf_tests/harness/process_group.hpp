// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A few processes of one machine that measure together, such as one for each GPU: forked from one
// that does nothing else, they meet and see each other's numbers in memory that they share. MPI
// would do as well, but programs for GPU machines are to need nothing there.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>

namespace heddle::perf
{

// Where processes meet, in shared memory: atomics without locks work there.
struct Meeting
{
  std::atomic<int> arrived = 0, rounds = 0;
  static_assert(std::atomic<int>::is_always_lock_free);
};

void meet(Meeting& meeting, int size);

// Of a process: which it is, and what all share.
template <class Slot>
class ProcessGroup
{
  static_assert(std::is_trivially_copyable_v<Slot>, "pointers mean nothing to other processes");

public:
  ProcessGroup(int rank, int size, Meeting& meeting, Slot* slots)
      : m_rank(rank)
      , m_size(size)
      , m_meeting(&meeting)
      , m_slots(slots)
  {}

  int rank() const { return m_rank; }
  int size() const { return m_size; }
  // What process r has to tell. Written by r alone, read by others between two meetings.
  Slot& slot(int r) const { return m_slots[r]; }
  Slot& own() const { return slot(m_rank); }
  // Returns when all have come here.
  void meet() const { heddle::perf::meet(*m_meeting, m_size); }

private:
  int m_rank, m_size;
  Meeting* m_meeting;
  Slot* m_slots;
};

namespace detail
{
// Zeroed memory for this process and those forked from it. Throws std::bad_alloc.
void* new_shared_memory(std::size_t bytes);
void delete_shared_memory(void* memory, std::size_t bytes);
int run_forked(int count, std::function<int(int rank)> const& body);
} // namespace detail

// Runs body(group) in so many new processes, whose exit codes are what it returns. When one ends
// with another code than 0 the others are killed, and this code is returned (128 and the signal, if
// a signal ended it); else 0. Processes of the group end with this one.
//
// To be called before threads, Kokkos or CUDA begin: forked processes do not have them. body must
// not throw.
template <class Slot, class Body>
int in_processes(int count, Body const& body)
{
  std::size_t const bytes = sizeof(Slot) * static_cast<std::size_t>(count);
  auto* const meeting = new (detail::new_shared_memory(sizeof(Meeting))) Meeting{};
  auto* const slots = static_cast<Slot*>(detail::new_shared_memory(bytes));
  std::uninitialized_value_construct_n(slots, count);
  int const code = detail::run_forked(
      count, [&](int rank) { return body(ProcessGroup<Slot>(rank, count, *meeting, slots)); });
  detail::delete_shared_memory(slots, bytes);
  detail::delete_shared_memory(meeting, sizeof(Meeting));
  return code;
}

} // namespace heddle::perf
