// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_session.hpp>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <random/campaign.hpp>

namespace
{

using Catch::Clara::Opt;
using Catch::Clara::ParserResult;

// An option whose word is the name of one of a list.
template <class List, class Value>
Opt name_option(List const& list, std::optional<Value>& target)
{
  return Opt(
      [&](std::string const& word) {
        for (Value const value : list)
          if (word == heddle::test::random::to_string(value))
          {
            target = value;
            return ParserResult::ok(Catch::Clara::ParseResultType::Matched);
          }
        return ParserResult::runtimeError("there is no " + word);
      },
      "name");
}

} // namespace

int main(int argc, char** argv)
{
  using namespace heddle::test::random;
  Kokkos::ScopeGuard const guard; // before the session: tests make Views
  Campaign& campaign = campaign_of_program();
  std::int64_t only = -1;
  Catch::Session session;
  session.cli(
      session.cli() | Opt(campaign.seed, "number")["--seed"]("seed of the random cases; 1") |
      Opt(campaign.cases, "number")["--cases"]("how many; 1000") |
      Opt(campaign.seconds, "number")["--seconds"]("no case begins after this many") |
      Opt(only, "number")["--only"]("the case of this number alone") |
      name_option(operations, campaign.focus.operation)["--operation"]("of this alone: spmv, ...") |
      name_option(formats, campaign.focus.format)["--format"]("of this alone: csr, ...") |
      name_option(types, campaign.focus.type)["--type"]("of this alone: f64, ...") |
      Opt(campaign.traces)["--trace"]("each case is printed before it runs") |
      Opt(campaign.watches_memory)["--watch-memory"](
          "fails where memory between cases grows in the second half of them") |
      Opt(campaign.fails_allocations)["--fail-allocations"](
          "in each call of heddle, each allocation fails once"));
  int const status = session.applyCommandLine(argc, argv);
  if (status != 0)
    return status;
  if (only >= 0)
    campaign.only = only;
  return session.run();
}
