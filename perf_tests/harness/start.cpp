// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/operations.hpp>
#include <harness/start.hpp>
#include <heddle/config.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/spmv_options.hpp>
#include <heddle/topology.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace heddle::perf
{

namespace
{

#if defined(KOKKOS_ENABLE_OPENMP)
constexpr int most_threads = Kokkos::Impl::OpenMPTraits::MAX_THREAD_COUNT;
#else
constexpr int most_threads = std::numeric_limits<int>::max();
#endif

int parse_thread_count(std::string_view name, std::string_view text)
{
  int count = 0;
  char const* const end = text.data() + text.size();
  auto const [last, error] = std::from_chars(text.data(), end, count);
  impl::require(error == std::errc{} && last == end && count >= 1, "perf", name, " is '", text,
                "', expected a whole number from 1 to ", most_threads);
  return count;
}

// What a parallel region gets that does not ask. A number that no int holds comes as another one
// from OpenMP, mostly a negative one.
int openmp_thread_count()
{
#if defined(KOKKOS_ENABLE_OPENMP)
  int const threads = omp_get_max_threads();
  return std::min(threads < 1 ? std::numeric_limits<int>::max() : threads, omp_get_thread_limit());
#else
  return 1;
#endif
}

} // namespace

void open_standard_streams()
{
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
    throw FileError("standard output is closed: send it to /dev/null if nobody is to see it");
  for (int const descriptor : {STDIN_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) != descriptor)
      throw FileError("cannot open /dev/null in the place of a standard stream that is closed");
}

void flush_standard_output()
{
  if (!std::cout.flush())
    throw FileError("cannot write to standard output: not all that was printed is there");
}

void check_environment()
{
  // As every plan would refuse it, when it is too late for an exit code.
  [[maybe_unused]] Backend const backend = impl::resolved("perf", SpmvOptions{}).backend;
#if !defined(HEDDLE_HAVE_CUDA_NATIVE)
  impl::require(backend != Backend::cuda_native, "perf",
                "HEDDLE_BACKEND is 'cuda_native', which this build does not have");
#endif
  static_cast<void>(last_cache_bytes()); // which reads HEDDLE_LAST_CACHE_BYTES
  char const* const profiled = std::getenv("HEDDLE_PERF_PROFILE");
  if (profiled == nullptr)
    return;
  std::string expected;
  for (char const* const operation : operations)
    expected.append(expected.empty() ? "" : ", ").append(operation);
  impl::require(std::ranges::find(operations, std::string_view(profiled)) != operations.end(),
                "perf", "HEDDLE_PERF_PROFILE is '", profiled, "', expected one of ", expected);
}

int thread_count(std::vector<char*> const& kokkos_arguments)
{
  constexpr std::string_view option = "--kokkos-num-threads", variable = "KOKKOS_NUM_THREADS";
  int count = openmp_thread_count();
  if (char const* const text = std::getenv(variable.data()); text != nullptr)
    count = parse_thread_count(variable, text);
  for (std::string_view const argument : kokkos_arguments) // of several the last one counts
    if (argument.starts_with(option))
    {
      std::string_view const rest = argument.substr(option.size());
      count = parse_thread_count(option, rest.starts_with('=') ? rest.substr(1) : "");
    }
  return count;
}

void check_thread_count(int threads)
{
  impl::require(threads <= most_threads, "perf", threads,
                " threads, but Kokkos' OpenMP has room for ", most_threads,
                "; set OMP_NUM_THREADS, or --threads of heddle-perf-parts");
}

} // namespace heddle::perf
