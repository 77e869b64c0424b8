// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>

namespace heddle::perf
{

// A product that the reference contradicts: nothing may be learned from its time.
class WrongResult : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

} // namespace heddle::perf
