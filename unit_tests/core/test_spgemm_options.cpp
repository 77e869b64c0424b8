// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/spgemm_options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <string>

TEST_CASE("accumulators of SpGEMM have names of their own", "[options]")
{
  std::set<std::string> names;
  for (auto const accumulator : heddle::spgemm_accumulators)
    names.insert(to_string(accumulator));
  CHECK(names.size() == heddle::spgemm_accumulators.size());
  CHECK(names.contains("automatic"));
  CHECK(names.contains("register_merge"));
  CHECK(std::ranges::count_if(heddle::spgemm_accumulators, heddle::is_portable) == 6);
}
