// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::impl
{

// Whether an implementation of SpMV or SpMM takes operands of some types: all of them, those that
// its takes_operands(op, x, y) agrees to, none.
enum class Takes
{
  none,
  some,
  all
};

} // namespace heddle::impl
