// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

namespace heddle::cuda_native
{

// run(constant) with that of the values which is value at run time, else with the last: the kernels
// that a launch chooses among.
template <int first, int... others, class Run>
void with_one_of(int value, Run const& run)
{
  if constexpr (sizeof...(others) == 0)
    run(std::integral_constant<int, first>{});
  else if (value == first)
    run(std::integral_constant<int, first>{});
  else
    with_one_of<others...>(value, run);
}

} // namespace heddle::cuda_native
