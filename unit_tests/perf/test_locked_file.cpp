// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/locked_file.hpp>
#include <heddle/error.hpp>
#include <support/messages.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <string>
#include <thread>

using heddle::perf::LockedFile;
using heddle::test::bytes_of;
using heddle::test::TemporaryFolder;

TEST_CASE("a locked file is made, and gone again if nothing is written", "[locked_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.path("a");
  {
    LockedFile const file(path);
    CHECK(file.content().empty());
    CHECK(folder.num_files() == 1);
  }
  CHECK(folder.num_files() == 0);
  LockedFile(path).append("one\n");
  LockedFile(path).append("two\n");
  CHECK(LockedFile(path).content() == "one\ntwo\n");
  LockedFile(path).replace("three\n");
  CHECK(bytes_of(path) == "three\n");
  LockedFile(path).replace("");
  CHECK(LockedFile(path).content().empty());
  CHECK(folder.num_files() == 1); // an empty file of others stays
}

TEST_CASE("what a killed program left of a line is cut off", "[locked_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "one\ntwo is a long li");
  LockedFile(path).append("3\n");
  CHECK(bytes_of(path) == "one\n3\n");
  std::string const other = folder.file("b", "never end");
  LockedFile(other).append("1\n");
  CHECK(bytes_of(other) == "1\n");
}

TEST_CASE("a locked file has one owner at a time", "[locked_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "one\n");
  std::optional<LockedFile> owner(path);
  CHECK(heddle::test::message_of<heddle::FileError>([&] { LockedFile(path, 0.02); }) ==
        "cannot write " + path + ": another program has had it locked for 0.0200 s");
  // Who waits goes on with the file that has come into its place.
  std::thread next([&] { LockedFile(path).append("three\n"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  owner->replace("two\n");
  owner.reset();
  next.join();
  CHECK(bytes_of(path) == "two\nthree\n");
}
