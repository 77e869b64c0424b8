// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::cuda_native
{

// What a plan tells the kernel for CSR that it took about each call.
struct CsrCall
{
  int tile_bytes = 0;    // of a row of B in a tile, at most
  bool is_named = false; // by the caller, who gets that kernel also where another is better
};

} // namespace heddle::cuda_native
