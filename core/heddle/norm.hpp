// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle
{

/// The norm of a row of a matrix.
enum class Norm
{
  one,     ///< the sum of the absolute values
  two,     ///< the square root of the sum of their squares
  infinity ///< the largest absolute value
};

/// The name that messages use.
constexpr char const* to_string(Norm norm)
{
  switch (norm)
  {
  case Norm::two:
    return "two";
  case Norm::infinity:
    return "infinity";
  default:
    return "one";
  }
}

} // namespace heddle
