// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/verdict.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>

using heddle::impl::only_by_name;
using heddle::impl::Verdict;

TEST_CASE("a verdict is an answer and the fact that decided", "[verdict]")
{
  CHECK(Verdict(true));
  CHECK_FALSE(Verdict(false));
  CHECK_FALSE(Verdict());
  CHECK(Verdict(true).reason().empty());
  CHECK_FALSE(Verdict(false, "rows are not sorted"));
  CHECK(Verdict(false, "rows are not sorted").reason() == "rows are not sorted");
  CHECK(only_by_name(true));
  CHECK_FALSE(only_by_name(false));
}

TEST_CASE("a verdict puts its numbers into its sentence", "[verdict]")
{
  CHECK(Verdict(false, "% of %, % are needed", 1, 2.0, std::int64_t(1) << 40).reason() ==
        "1 of 2, 1099511627776 are needed");
  CHECK(Verdict(true, "% and %", 1.8181818, -0.00123).reason() == "1.82 and -0.00123");
  CHECK(Verdict(true, "% and % and % and %", 0, 7, 8).reason() == "0 and 7 and 8 and %");
}
