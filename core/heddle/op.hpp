// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle
{

/// What a call multiplies with: A, its transpose, or its conjugate transpose.
enum class Op
{
  none,
  transpose,
  conjugate_transpose
};

constexpr char const* to_string(Op op)
{
  switch (op)
  {
  case Op::transpose:
    return "transpose";
  case Op::conjugate_transpose:
    return "conjugate_transpose";
  default:
    return "none";
  }
}

} // namespace heddle
