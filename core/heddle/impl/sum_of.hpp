// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What sum_of does with one number: a functor, see scan.hpp.
template <class Counts>
struct AddCount
{
  Counts counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const
  {
    sum += static_cast<std::int64_t>(counts(i));
  }
};

// counts(0) + ... + counts(n - 1). Waits for exec.
template <class Exec, class Size, class Counts>
std::int64_t sum_of(Exec const& exec, char const* label, Size n, Counts const& counts)
{
  std::int64_t total = 0;
  Kokkos::parallel_reduce(label, range(exec, n), AddCount<Counts>{counts}, total);
  return total;
}

} // namespace heddle::impl
