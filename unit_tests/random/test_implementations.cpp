// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every implementation that a plan can be asked for by name, of every type and format of the build:
// random cases reach it, and it is right.

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>

#include <random/generator.hpp>
#include <random/subjects.hpp>

using namespace heddle::test::random;

namespace
{

// How many problems with this implementation, out of many, were not refused. Stops at a few.
int calls_of(Type type, Operation operation, Format format, std::string const& name)
{
  constexpr int few = 3;
  int calls = 0;
  for (std::uint64_t n = 0; n < 60 && calls < few; ++n)
  {
    Problem p = draw_problem(21, n, {type, operation, format});
    p.implementation = name;
    p.backend = heddle::Backend::automatic;
    p.accumulator = heddle::SpgemmAccumulator::automatic;
    p.virtual_warps = 0;
    Tally tally;
    Context context(tally);
    INFO(to_code(p));
    CHECK(check(p, context) == "");
    for (auto const& [call, times] : tally.calls)
      calls += call.find(name) != std::string::npos ? 1 : 0;
  }
  return calls;
}

} // namespace

TEST_CASE("random cases reach every implementation", "[random]")
{
  for (Type const type : types)
    for (Operation const operation : {Operation::spmv, Operation::spmm, Operation::spgemm})
      for (Format const format : formats)
      {
        Subject const* const subject = find_subject(type, operation, format);
        if (subject == nullptr || (!has_format(operation) && format != Format::csr))
          continue;
        for (std::string const& name : subject->names(operation))
        {
          INFO(to_string(type) << " " << to_string(operation) << " " << to_string(format) << " "
                               << name);
          CHECK(calls_of(type, operation, format, name) > 0);
        }
      }
}
