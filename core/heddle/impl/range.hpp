// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace heddle::impl
{

// 64-bit indices: the default index on Kokkos::Cuda is unsigned int.
template <class Exec>
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

// 0 .. n - 1; empty where n is -1, as for the rows of a default-constructed matrix, which has no
// row offsets.
template <class Exec, std::integral Size>
Range<Exec> range(Exec const& exec, Size n)
{
  return Range<Exec>(exec, 0, std::max<std::int64_t>(static_cast<std::int64_t>(n), 0));
}

} // namespace heddle::impl
