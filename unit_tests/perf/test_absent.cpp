// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/absent.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <string>
#include <vector>

namespace heddle
{

TEST_CASE("A kernel that does not exist for a value type has a row that says so", "[perf]")
{
  perf::Settings settings;
  settings.implementations = {"auto", "all", "portable::there", "cuda_native::absent",
                              "auto_reuse"};
  std::vector<perf::Candidate> all(2);
  all[0].implementation = "heddle::auto";
  all[1].implementation = "heddle::portable::there";
  perf::add_absent(all, settings, "c32");
  REQUIRE(all.size() == 3);
  CHECK(all[2].implementation == "heddle::cuda_native::absent");
  CHECK_FALSE(all[2].plan);
  CHECK_THROWS_MATCHES(all[2].run(), Unsupported,
                       Catch::Matchers::Message("there is no cuda_native::absent for c32, or not "
                                                "for as many entries"));
}

} // namespace heddle
