// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/start.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <exit_code.hpp>
#include <functional>
#include <stdexcept>

#include <calibrate/wrong_result.hpp>

namespace heddle::perf
{

int fail(int code, char const* message) noexcept
{
  std::fprintf(stderr, "heddle-perf: %s\n", message);
  return code;
}

namespace
{

int run(std::function<int()> const& work)
try
{
  open_standard_streams();
  int const code = work();
  if (code == success)
    flush_standard_output();
  return code;
}
catch (...)
{
  impl::rethrow_out_of_memory("perf"); // what Kokkos and libraries throw, too
}

} // namespace

int exit_code_of(std::function<int()> const& work) noexcept
{
  try
  {
    return run(work);
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
  catch (std::exception const& problem)
  {
    return fail(other_failure, problem.what());
  }
}

} // namespace heddle::perf
