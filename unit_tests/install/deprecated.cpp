// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled with HEDDLE_DISABLE_DEPRECATION_WARNINGS, and without, where it must not compile.

#include <heddle/version.hpp>

HEDDLE_DEPRECATED("call the_new_one")
int the_old_one() { return 0; }

int main() { return the_old_one(); }
