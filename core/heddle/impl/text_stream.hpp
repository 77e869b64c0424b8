// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ios>
#include <sstream>

namespace heddle::impl
{

// An std::ostringstream that throws std::bad_alloc where there is no memory.
// Those of the standard library drop what finds no memory, and everything that
// follows, and tell nobody who does not ask.
class TextStream : public std::ostringstream
{
public:
  TextStream() { exceptions(std::ios::badbit); }
};

} // namespace heddle::impl
