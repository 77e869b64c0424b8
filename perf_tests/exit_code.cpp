// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/start.hpp>
#include <heddle/error.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <exit_code.hpp>
#include <functional>
#include <new>
#include <stdexcept>

#include <calibrate/wrong_result.hpp>

namespace heddle::perf
{

int fail(int code, char const* message) noexcept
{
  std::fprintf(stderr, "heddle-perf: %s\n", message);
  return code;
}

int exit_code_of(std::function<int()> const& work) noexcept
{
  try
  {
    open_standard_streams();
    int const code = work();
    if (code == success)
      flush_standard_output();
    return code;
  }
  catch (CLI::ParseError const& problem)
  {
    return fail(wrong_usage, problem.what());
  }
  catch (std::invalid_argument const& problem)
  {
    return fail(wrong_usage, problem.what());
  }
  catch (WrongResult const& problem)
  {
    return fail(wrong_result, problem.what());
  }
  catch (ParseError const& problem)
  {
    return fail(unreadable_file, problem.what());
  }
  catch (FileError const& problem)
  {
    return fail(unreadable_file, problem.what());
  }
  catch (OutOfMemory const& problem)
  {
    return fail(no_memory, problem.what());
  }
  catch (std::bad_alloc const&)
  {
    return fail(no_memory, "no memory");
  }
  catch (std::exception const& problem)
  {
    // Kokkos tells of missing memory in words only.
    bool const is_memory = std::strstr(problem.what(), "failed to allocate") != nullptr;
    return fail(is_memory ? no_memory : other_failure, problem.what());
  }
}

} // namespace heddle::perf
