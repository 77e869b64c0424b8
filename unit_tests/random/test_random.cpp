// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The random cases themselves. docs/testing.md says how to run others than the thousand of each
// build, and how to see one again.

#include <catch2/catch_test_macros.hpp>

#include <iostream>
#include <string>

#include <random/campaign.hpp>
#include <random/subjects.hpp>

using namespace heddle::test::random;

TEST_CASE("random cases agree with the oracle", "[random]")
{
  Campaign const& campaign = campaign_of_program();
  Outcome const outcome =
      run(campaign, [](Problem const& p, Context& context) { return check(p, context); });
  std::cout << summary(campaign, outcome);
  for (Found const& found : outcome.found)
  {
    INFO(report(campaign.seed, found));
    CHECK(found.failure == "");
  }
  CHECK(outcome.tally.failures == 0);
  CHECK(growth(outcome.memory) == "");
}
