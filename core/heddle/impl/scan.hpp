// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// offsets(i) = counts(0) + ... + counts(i - 1) for i = 0 .. n, where counts has n entries and
// offsets n + 1; they may be the same memory. Returns the sum in 64 bits: where it does not fit the
// type of offsets, their content is of no use. Waits for exec.
template <class Exec, class Counts, class Offsets>
std::int64_t offsets_from_counts(Exec const& exec, std::int64_t n, Counts const& counts,
                                 Offsets const& offsets)
{
  using Offset = typename Offsets::non_const_value_type;
  std::int64_t total = 0;
  Kokkos::parallel_scan(
      "heddle::offsets_from_counts", range(exec, n + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool is_final) {
        std::int64_t const count = i < n ? static_cast<std::int64_t>(counts(i)) : 0;
        if (is_final)
          offsets(i) = static_cast<Offset>(sum);
        sum += count;
      },
      total);
  return total;
}

} // namespace heddle::impl
