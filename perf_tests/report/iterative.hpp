// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <report/result.hpp>

namespace heddle::perf
{

// In an iteration C becomes the next B. Where C comes in another layout it has to be transposed
// first (paper 000, section 5.1): each of its values is read once and written once, at the speed of
// the machine's memory.
double transposition_ms(Result const& result); // 0 where the layouts agree

// The result with that time in its own; skipped where the speed of the memory is not known.
Result charged(Result result);

} // namespace heddle::perf
