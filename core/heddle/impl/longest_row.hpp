// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Offsets>
struct LengthOfRow
{
  Offsets offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& most) const
  {
    most = Kokkos::max(most, static_cast<std::int64_t>(offsets(i + 1) - offsets(i)));
  }
};

// The most entries of a row; 0 where there is none. Waits for exec.
template <class Exec, class Offsets>
std::int64_t longest_row(Exec const& exec, char const* label, std::int64_t rows,
                         Offsets const& offsets)
{
  std::int64_t most = 0;
  if (rows > 0)
    Kokkos::parallel_reduce(label, range(exec, rows), LengthOfRow<Offsets>{offsets},
                            Kokkos::Max<std::int64_t>(most));
  return most;
}

} // namespace heddle::impl
