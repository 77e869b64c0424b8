// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::perf
{

// Takes operands out of the caches, by writing as much memory as they hold several times.
class ColdCache
{
public:
  // Of caches that hold so many bytes.
  explicit ColdCache(std::int64_t cache_bytes);
  // Asynchronous with respect to the host, in the stream of Exec's default instance.
  void write_over() const;

private:
  Kokkos::View<std::uint64_t*, Space> m_words;
};

} // namespace heddle::perf
