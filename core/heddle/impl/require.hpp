// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/error.hpp>
#include <heddle/impl/text_stream.hpp>

namespace heddle::impl
{

// Throws with "heddle::function: " and the parts, which may be anything that can be streamed.
template <class Error, class... Parts>
[[noreturn]] void throw_error(char const* function, Parts const&... parts)
{
  TextStream message;
  message << "heddle::" << function << ": ";
  (message << ... << parts);
  throw Error(message.str());
}

template <class Error = InvalidArgument, class... Parts>
void require(bool ok, char const* function, Parts const&... parts)
{
  if (!ok) [[unlikely]]
    throw_error<Error>(function, parts...);
}

} // namespace heddle::impl
