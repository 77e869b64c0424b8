// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace heddle::perf
{

// Bytes of memory that a call took.
struct MemoryTaken
{
  std::size_t peak = 0; // the most at once, above what was there before
  std::size_t kept = 0; // when it returned
};

// Runs the call and measures it. On hosts the resident memory of the process, whoever asked for it
// (/proc/self of Linux; what malloc keeps goes back first). On CUDA, while there is PooledMemory,
// the most bytes of cudaMalloc and of heddle's scratch pool, each by itself, so that the sum may be
// more than was in use at once; what is kept is not known there and 0. Nothing where neither can be
// measured.
std::optional<MemoryTaken> memory_taken(std::function<void()> const& call);

// The number of a line such as "VmHWM:	   1234 kB" of /proc/self/status, in bytes.
std::optional<std::size_t> bytes_in_status(std::string const& status, std::string const& name);

} // namespace heddle::perf
