// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/output_file.hpp>
#include <support/file_size_limit.hpp>
#include <support/messages.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <sys/stat.h>

namespace fs = std::filesystem;
using heddle::impl::OutputFile;
using heddle::impl::write_output_file;
using heddle::test::bytes_of;
using heddle::test::TemporaryFolder;

namespace
{

std::string refusal(std::string const& path)
{
  return heddle::test::message_of<heddle::FileError>([&] { write_output_file(path, "new"); });
}

} // namespace

TEST_CASE("an output file is there when it is committed, and not before", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "old");
  {
    OutputFile file(path);
    file.write("new");
    CHECK(bytes_of(path) == "old");
    CHECK(folder.num_files() == 2);
  }
  CHECK(bytes_of(path) == "old");
  CHECK(folder.num_files() == 1);
  write_output_file(path, "new");
  CHECK(bytes_of(path) == "new");
  CHECK(folder.num_files() == 1);
}

TEST_CASE("what an output file cannot finish leaves the old file alone", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "old");
  std::string message;
  {
    heddle::test::FileSizeLimit const limit(2);
    message = refusal(path);
  }
  CHECK(message == "cannot write " + path + ": File too large");
  CHECK(bytes_of(path) == "old");
  CHECK(folder.num_files() == 1);
}

TEST_CASE("an output file whose name is taken when it is committed is not kept", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.path("a");
  CHECK(heddle::test::message_of<heddle::FileError>([&] {
          OutputFile file(path);
          file.write("new");
          fs::create_directory(path);
          file.commit();
        }) == "cannot write " + path + ": Is a directory");
  CHECK(fs::is_directory(path));
  CHECK(folder.num_files() == 1);
}

TEST_CASE("an output file follows links and keeps them", "[output_file]")
{
  TemporaryFolder const folder;
  fs::create_directory(folder.path("b"));
  std::string const path = folder.file("b/file", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("b/file", folder.path("relative"));
  fs::create_symlink(folder.path("relative"), folder.path("absolute"));
  write_output_file(folder.path("absolute"), "new");
  CHECK(bytes_of(path) == "new");
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  // The file need not be there yet.
  fs::remove(path);
  write_output_file(folder.path("relative"), "first");
  CHECK(bytes_of(path) == "first");
  CHECK(fs::is_symlink(folder.path("absolute")));
  CHECK(fs::is_symlink(folder.path("relative")));

  fs::create_symlink("loop", folder.path("loop"));
  CHECK(refusal(folder.path("loop")) ==
        "cannot write " + folder.path("loop") + ": Too many levels of symbolic links");
}

TEST_CASE("an output file is a regular file or none", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.path("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  fs::create_symlink("fifo", folder.path("link"));
  CHECK(refusal(path) == "cannot write " + path + ": it is not a regular file");
  CHECK(refusal(folder.path("link")) ==
        "cannot write " + folder.path("link") + ": it is not a regular file");
  CHECK(refusal(folder.path()) == "cannot write " + folder.path() + ": it is not a regular file");
  CHECK(fs::is_fifo(path));
  CHECK(folder.num_files() == 2);
  CHECK(refusal(folder.path("none/a")) ==
        "cannot write " + folder.path("none/a") + ": No such file or directory");
}

TEST_CASE("an output file does not write through what others have put beside it", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "old");
  std::string const victim = folder.file("victim", "precious");
  // The next few names that it would take, as links to another file.
  std::string next;
  {
    OutputFile const trial(path);
    for (fs::directory_entry const& entry : fs::directory_iterator(folder.path()))
      if (entry.path().string().find("a.part-") != std::string::npos)
        next = entry.path().string();
  }
  auto const dash = next.rfind('-');
  REQUIRE(dash != std::string::npos);
  int const number = std::stoi(next.substr(dash + 1));
  for (int n = 1; n < 10; ++n)
    fs::create_symlink(victim, next.substr(0, dash + 1) + std::to_string(number + n));
  write_output_file(path, "new");
  CHECK(bytes_of(path) == "new");
  CHECK(bytes_of(victim) == "precious");
}

TEST_CASE("an output file has any name that the system takes", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.path(std::string(255, 'x'));
  write_output_file(path, "new");
  CHECK(bytes_of(path) == "new");
  CHECK(folder.num_files() == 1);
}

TEST_CASE("an output file is not where standard output goes", "[output_file]")
{
  TemporaryFolder const folder;
  std::string const path = folder.file("a", "old");
  int const before = dup(STDOUT_FILENO), file = open(path.c_str(), O_WRONLY | O_APPEND);
  REQUIRE(dup2(file, STDOUT_FILENO) == STDOUT_FILENO);
  close(file);
  std::string const message = refusal(path), by_device = refusal("/dev/stdout");
  dup2(before, STDOUT_FILENO);
  close(before);
  CHECK(message == "cannot write " + path + ": standard output goes to this file");
  CHECK(by_device == "cannot write /dev/stdout: standard output goes to this file");
  CHECK(bytes_of(path) == "old");
}
