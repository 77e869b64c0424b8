// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How checks call heddle, and what they count.

#include <heddle/error.hpp>
#include <support/failing_allocations.hpp>

#include <cstdint>
#include <exception>
#include <map>
#include <string>

namespace heddle::test::random
{

struct Tally
{
  std::int64_t cases = 0, failures = 0, unsupported = 0, out_of_memory = 0;
  std::int64_t failed_allocations = 0;
  std::map<std::string, std::int64_t> calls; // by operation, format and implementation
};

struct Nothing
{
  void operator()() const {}
};

class Context
{
public:
  explicit Context(Tally& tally, bool fails_allocations = false)
      : m_tally(tally)
      , m_fails_allocations(fails_allocations)
  {}
  Tally& tally() { return m_tally; }
  bool fails_allocations() const { return m_fails_allocations; }
  // The first thing that was wrong when allocations failed, or "".
  std::string const& problem() const { return m_problem; }

  // work(), a call of heddle. Where allocations are to fail, each of its allocations fails first,
  // one at a time: the call must throw OutOfMemory or do without, and keep nothing. prepare() sets
  // what the call writes or changes, and is called before each.
  template <class Work, class Prepare = Nothing>
  auto call(char const* name, Work const& work, Prepare const& prepare = {})
  {
    if (m_fails_allocations)
      fail_each_allocation(
          name, [&] { static_cast<void>(work()); }, prepare);
    prepare();
    return work();
  }

private:
  template <class Work, class Prepare>
  void fail_each_allocation(char const* name, Work const& work, Prepare const& prepare)
  {
    constexpr std::int64_t many = 100000;
    prepare();
    work(); // what is made once, for all calls, is there now
    for (std::int64_t n = 0; n < many && m_problem.empty(); ++n)
    {
      FailedAttempt const attempt = attempt_with_failure(work, prepare, n);
      if (!attempt.has_failed)
        return;
      ++m_tally.failed_allocations;
      bool const keeps = attempt.kept > 0 && attempt_with_failure(work, prepare, n).kept > 0;
      if (!attempt.problem.empty() || keeps)
        m_problem = std::string(name) + ", allocation " + std::to_string(n) + " failed: " +
                    (attempt.problem.empty()
                         ? std::to_string(attempt.kept) + " allocations were never freed"
                         : attempt.problem);
    }
  }
  struct FailedAttempt
  {
    bool has_failed = false; // there was such an allocation
    std::int64_t kept = 0;   // allocations made and not freed
    std::string problem;
  };
  template <class Work, class Prepare>
  static FailedAttempt attempt_with_failure(Work const& work, Prepare const& prepare,
                                            std::int64_t n)
  {
    FailedAttempt attempt;
    prepare();
    FailingAllocations failing(n);
    try
    {
      work();
    }
    catch (OutOfMemory const&)
    {}
    catch (std::exception const& error)
    {
      failing.stop();
      attempt.problem = std::string("an error of another type: ") + error.what();
    }
    failing.stop();
    attempt.has_failed = failing.has_failed();
    attempt.kept = failing.kept();
    return attempt;
  }

  Tally& m_tally;
  bool m_fails_allocations;
  std::string m_problem;
};

} // namespace heddle::test::random
