// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// n / length, rounded up: pieces of a length that hold n. Not (n + length - 1) / length, which
// could overflow.
KOKKOS_INLINE_FUNCTION std::int64_t divided_up(std::int64_t n, std::int64_t length)
{
  return n / length + (n % length != 0 ? 1 : 0);
}

} // namespace heddle::impl
