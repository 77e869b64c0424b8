// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Makes one allocation of the program fail, whoever asks for it: new and delete, on hosts without
// sanitizers malloc and its like too (zlib's, the C library's), on CUDA cudaMalloc and its like.
// Programs that link failing_allocations.cpp have it.
//
// What Kokkos (5.0) asks for beside the memory of a View is left alone, because it cannot do
// without and nobody above it can help: once a View has its memory, that is never freed where what
// follows, such as a copy of the label, finds none; and dropping a View makes strings, in
// destructors, which must not throw. On CUDA a launch of teams takes one of ten scratch areas and
// does not give it back where there is no memory for it: the launch after ten such failures never
// ends.

#include <cstdint>

namespace heddle::test
{

// Counts while it lives or until it is stopped; one at a time.
class FailingAllocations
{
public:
  // Allocation n from now on fails, counting from 0; those before and behind it do not.
  explicit FailingAllocations(std::int64_t n);
  ~FailingAllocations() { stop(); }
  FailingAllocations(FailingAllocations const&) = delete;
  FailingAllocations& operator=(FailingAllocations const&) = delete;

  void stop();
  // Whether there was an allocation n.
  bool has_failed() const;
  // Allocations less those that were freed, until it was stopped.
  std::int64_t kept() const;
};

} // namespace heddle::test
