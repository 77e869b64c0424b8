// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace heddle::perf
{

// While it lives, device memory that anyone in this program frees is kept and given to the next who
// asks for as much: cudaMalloc and cudaFree wait for the device and take longer than many a
// multiply, and programs that multiply often have such a pool (DESIGN.md section 4). At its end all
// that is kept is freed. It does not wait when memory is freed, as cudaFree does: right for work on
// one stream, where the next owner's kernels come after those of the last. On hosts it does
// nothing: malloc keeps what was freed.
class PooledMemory
{
public:
  PooledMemory();
  ~PooledMemory(); // NOLINT(performance-trivially-destructible): on hosts alone
  PooledMemory(PooledMemory const&) = delete;
  PooledMemory& operator=(PooledMemory const&) = delete;

  // The most bytes of the pool in use at once since the last reset_peak; 0 on hosts.
  static std::size_t peak();
  static void reset_peak();
};

} // namespace heddle::perf
