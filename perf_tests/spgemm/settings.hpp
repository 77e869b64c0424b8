// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/entry_range.hpp>
#include <harness/settings.hpp>

namespace heddle::perf
{

// What the command line of spgemm asks for.
struct SpgemmSettings
{
  Settings common;        // its widths and ops are not used
  bool has_pairs = false; // A B of every two matrices, in both orders, instead of A A
  int top_left = 0;       // only rows and columns below this; 0: all
  bool is_square_only = false;
  EntryRange entries;
};

} // namespace heddle::perf
