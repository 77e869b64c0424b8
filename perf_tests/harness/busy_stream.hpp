// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace heddle::perf
{

#if defined(KOKKOS_ENABLE_CUDA)
// Occupies exec's stream for so long, with one thread: what is submitted meanwhile follows without
// a gap, however long the host takes to submit it. Asynchronous.
void keep_busy(Kokkos::Cuda const& exec, double milliseconds);
#endif

} // namespace heddle::perf
