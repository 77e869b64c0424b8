// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle
{

/// How much larger than its entries a format that pads may become: bytes of columns and values with
/// padding over those without. A conversion that would exceed it throws OutOfMemory, with the
/// numbers, before it allocates.
struct FillLimit
{
  double factor = 4.0;
};

} // namespace heddle
