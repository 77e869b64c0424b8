// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>

namespace heddle::test
{

// What the error says that call throws; "no error" if none. Any other type of error than Error is
// named as such.
template <class Error, class Call>
std::string message_of(Call const& call)
{
  try
  {
    call();
  }
  catch (Error const& error)
  {
    return error.what();
  }
  catch (std::exception const& error)
  {
    return std::string("an error of another type: ") + error.what();
  }
  return "no error";
}

} // namespace heddle::test
