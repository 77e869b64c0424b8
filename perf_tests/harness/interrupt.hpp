// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::perf
{

// From here on the first SIGINT (Ctrl-C) or SIGTERM is only noted, and said on standard error: the
// case that runs comes to its end, no other begins, and what was measured is printed. The second
// one ends the program at once. A signal that the program was started to ignore stays ignored.
void catch_interrupts();

// The signal that was noted, 0 where none was.
int interrupted_by();

} // namespace heddle::perf
