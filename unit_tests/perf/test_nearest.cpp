// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/nearest.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

TEST_CASE("the edit distance counts letters inserted, deleted, replaced and exchanged")
{
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "spmv") == 4);
  CHECK(edit_distance("spmv", "") == 4);
  CHECK(edit_distance("spmv", "spmv") == 0);
  CHECK(edit_distance("spmv", "spmm") == 1);
  CHECK(edit_distance("smpv", "spmv") == 1);
  CHECK(edit_distance("spmmv", "spmv") == 1);
  CHECK(edit_distance("pmv", "spmv") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3); // 2 if what was exchanged could be edited again
}

TEST_CASE("the nearest name is suggested where it is near")
{
  std::vector<std::string> const names{"spmv", "spmm", "spgemm", "formats", "auto", "auto_convert"};
  CHECK(nearest("smpv", names) == "spmv");
  CHECK(nearest("format", names) == "formats");
  CHECK(nearest("spgem", names) == "spgemm");
  CHECK(nearest("auto_covnert", names) == "auto_convert");
  CHECK(nearest("auto-convrt", names) == "auto_convert");
  CHECK(nearest("spmx", names) == "spmv"); // as near as spmm, which comes later
  CHECK(nearest("xyz", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("ab", {"cd"}).empty());
  CHECK(did_you_mean("atuo", names) == "; did you mean 'auto'?");
  CHECK(did_you_mean("frobnicate", names).empty());
}

TEST_CASE("a name that is not known is said with those that there are")
{
  using Catch::Matchers::Message;
  std::vector<std::string> const names{"kk", "eigen"};
  CHECK_NOTHROW(require_known("baseline", {"eigen", "kk"}, names));
  CHECK_NOTHROW(require_known("baseline", {}, names));
  CHECK_THROWS_MATCHES(
      require_known("baseline", {"kk", "eigne"}, names), InvalidArgument,
      Message("unknown baseline 'eigne'; did you mean 'eigen'? There are: kk, eigen"));
  CHECK_THROWS_MATCHES(require_known("baseline", {"mkl"}, names), InvalidArgument,
                       Message("unknown baseline 'mkl'; there are: kk, eigen"));
}

} // namespace heddle::perf
