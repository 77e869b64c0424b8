// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Makes a problem that fails small: whatever still fails without something else is simpler.
// Entries, rows and columns go in halves, then in smaller runs (after Zeller and Hildebrandt's
// delta debugging, IEEE Transactions on Software Engineering 28, 2002), options go one by one.

#include <functional>
#include <string>

#include <random/problem.hpp>

namespace heddle::test::random
{

struct Shrunk
{
  Problem problem;
  std::string failure; // what is wrong with it
  int attempts = 0;
};

// find_failure says what is wrong with a problem, "" if nothing. It is called
// most_attempts times at most.
Shrunk shrink(Problem const& problem,
              std::function<std::string(Problem const&)> const& find_failure,
              int most_attempts = 3000);

} // namespace heddle::test::random
