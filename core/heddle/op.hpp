// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle
{

/// What a call multiplies with: A, A^T, A^H, or A with the conjugates of its values.
enum class Op
{
  none,
  transpose,
  conjugate_transpose,
  conjugate
};

/// Whether rows and columns of A change places.
constexpr bool is_transposed(Op op) { return op == Op::transpose || op == Op::conjugate_transpose; }
/// Whether the values of A are conjugated, which does nothing to real ones.
constexpr bool is_conjugated(Op op) { return op == Op::conjugate || op == Op::conjugate_transpose; }

/// The name that messages use.
constexpr char const* to_string(Op op)
{
  switch (op)
  {
  case Op::transpose:
    return "transpose";
  case Op::conjugate_transpose:
    return "conjugate_transpose";
  case Op::conjugate:
    return "conjugate";
  default:
    return "none";
  }
}

} // namespace heddle
