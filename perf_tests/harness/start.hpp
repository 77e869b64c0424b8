// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What both programs look at before Kokkos starts and before any file is opened, and what they look
// at when they end.

#include <vector>

namespace heddle::perf
{

// Throws FileError where standard output is closed. Where standard input or standard error is
// closed it becomes /dev/null: else the next file that is opened, such as that of the results,
// would get its number, and with it what is printed there.
void open_standard_streams();

// Throws FileError where something that was printed has not reached standard output.
void flush_standard_output();

// Throws InvalidArgument where an environment variable that heddle reads has a value that it does
// not know, or names a backend that is not in this build.
void check_environment();

// How many threads Kokkos would start: as its arguments say, else KOKKOS_NUM_THREADS, else OpenMP.
// Throws InvalidArgument where one of them is no number, for which Kokkos would abort.
int thread_count(std::vector<char*> const& kokkos_arguments);

// Throws InvalidArgument where Kokkos' OpenMP would write behind its array of threads.
void check_thread_count(int threads);

} // namespace heddle::perf
