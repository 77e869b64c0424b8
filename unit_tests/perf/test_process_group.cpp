// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/process_group.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace heddle::perf;

namespace
{

struct Number
{
  int value = 7;
};
using Group = ProcessGroup<Number>;

} // namespace

TEST_CASE("processes meet and see each other's numbers", "[process_group]")
{
  constexpr int count = 3, rounds = 200;
  CHECK(in_processes<Number>(count, [](Group const& group) {
          if (group.size() != count || group.own().value != 7)
            return 1;
          for (int round = 0; round < rounds; ++round)
          {
            group.meet();
            group.own().value = 100 * round + group.rank();
            group.meet();
            for (int r = 0; r < count; ++r)
              if (group.slot(r).value != 100 * round + r)
                return 2;
          }
          return 0;
        }) == 0);
}

TEST_CASE("who fails ends the group, whatever others wait for", "[process_group]")
{
  auto const fails = [](int failing, int code) {
    return in_processes<Number>(3, [=](Group const& group) {
      if (group.rank() == failing)
        return code;
      group.meet(); // never all
      return 0;
    });
  };
  CHECK(fails(0, 3) == 3);
  CHECK(fails(2, 5) == 5);
  CHECK(in_processes<Number>(2, [](Group const& group) {
          if (group.rank() == 1)
            std::raise(SIGKILL);
          group.meet();
          return 0;
        }) == 128 + SIGKILL);
}

TEST_CASE("a group of one meets itself", "[process_group]")
{
  CHECK(in_processes<Number>(1, [](Group const& group) {
          group.meet();
          group.meet();
          return group.rank();
        }) == 0);
}
