// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What offsets_from_counts does for one of its entries. A functor and not a lambda: nvcc (13.0)
// copies a host-device lambda by a pointer that each translation unit has for itself, and where the
// linker takes the function from one unit and the copy from another the pointer is null.
template <class Counts, class Offsets>
struct SumOfCounts
{
  Counts counts;
  Offsets offsets;
  std::int64_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool is_final) const
  {
    std::int64_t const count = i < n ? static_cast<std::int64_t>(counts(i)) : 0;
    if (is_final)
      offsets(i) = static_cast<typename Offsets::non_const_value_type>(sum);
    sum += count;
  }
};

// offsets(i) = counts(0) + ... + counts(i - 1) for i = 0 .. n, where counts has n entries and
// offsets n + 1; they may be the same memory. Returns the sum in 64 bits: where it does not fit the
// type of offsets, their content is of no use. Waits for exec.
template <class Exec, class Counts, class Offsets>
std::int64_t offsets_from_counts(Exec const& exec, std::int64_t n, Counts const& counts,
                                 Offsets const& offsets)
{
  std::int64_t total = 0;
  Kokkos::parallel_scan("heddle::offsets_from_counts", range(exec, n + 1),
                        SumOfCounts<Counts, Offsets>{counts, offsets, n}, total);
  return total;
}

} // namespace heddle::impl
