// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/json_lines.hpp>
#include <harness/process_group.hpp>
#include <heddle/error.hpp>
#include <support/file_size_limit.hpp>
#include <support/messages.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <sys/stat.h>

using namespace heddle::perf;
using heddle::test::TemporaryFolder;
using Json = nlohmann::ordered_json;

namespace
{

// A file of its own, which is not there at first.
class File
{
public:
  std::string name() const { return m_folder.path("rows.jsonl"); }
  TemporaryFolder const& folder() const { return m_folder; }
  void append(std::string const& text) const { std::ofstream(name(), std::ios::app) << text; }
  std::vector<Json> rows() const
  {
    std::vector<Json> rows;
    std::ifstream file(name());
    for (std::string line; std::getline(file, line);)
      rows.push_back(Json::parse(line));
    return rows;
  }

private:
  TemporaryFolder m_folder;
};

Json row(std::string const& matrix, double ms, int k = 32)
{
  return {{"operation", "spmm"}, {"matrix", matrix}, {"k", k}, {"median_ms", ms}};
}

} // namespace

TEST_CASE("a case is what a row is about, not what was measured", "[perf]")
{
  CHECK(case_of(row("a", 1.0)) == case_of(row("a", 2.0)));
  CHECK(case_of(row("a", 1.0)) != case_of(row("b", 1.0)));
  CHECK(case_of(row("a", 1.0, 8)) != case_of(row("a", 1.0, 128)));
  // A key that is not there is not the same as the next one's value.
  CHECK(case_of(Json{{"layout", "row"}}) != case_of(Json{{"implementation", "row"}}));
}

TEST_CASE("a file is made anew unless rows are to be kept", "[perf]")
{
  File const file;
  JsonLines(file.name()).write(row("old", 1.0));
  JsonLines(file.name()).write(row("new", 2.0));
  REQUIRE(file.rows().size() == 1);
  CHECK(file.rows()[0]["matrix"] == "new");
}

TEST_CASE("a row of the same case is replaced, the others stay in their order", "[perf]")
{
  File const file;
  {
    JsonLines lines(file.name(), Keep::others);
    lines.write(row("a", 1.0));
    lines.write(row("b", 2.0));
  }
  {
    JsonLines lines(file.name(), Keep::others);
    CHECK_FALSE(lines.is_finished(row("a", 0.0))); // they are run again
    lines.write(row("c", 3.0));
    lines.write(row("a", 4.0));
    CHECK(file.rows().size() == 4); // nothing is taken away before the end
  }
  auto const rows = file.rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["median_ms"] == 4.0);
  CHECK(rows[1]["matrix"] == "b");
  CHECK(rows[2]["matrix"] == "c");
}

TEST_CASE("a resumed run knows the cases of this build and only those", "[perf]")
{
  File const file;
  JsonLines(file.name()).write(row("done", 1.0));
  file.append(R"({"operation":"spmm","matrix":"older","k":32,"commit":"another"})"
              "\n");
  JsonLines const lines(file.name(), Keep::finished);
  CHECK(lines.is_finished(row("done", 0.0)));
  CHECK_FALSE(lines.is_finished(row("older", 0.0)));
  CHECK_FALSE(lines.is_finished(row("unknown", 0.0)));
}

TEST_CASE("what a killed run left of its last line is dropped", "[perf]")
{
  File const file;
  JsonLines(file.name()).write(row("whole", 1.0));
  file.append(R"({"operation":"spmm","matr)");
  {
    JsonLines lines(file.name(), Keep::finished);
    lines.write(row("next", 2.0));
  }
  REQUIRE(file.rows().size() == 2);
  CHECK(file.rows()[1]["matrix"] == "next");
}

TEST_CASE("a file of something else is not overwritten", "[perf]")
{
  File const file;
  file.append("{}\nnot a row\n");
  CHECK_THROWS_MATCHES(JsonLines(file.name(), Keep::others), heddle::ParseError,
                       Catch::Matchers::Message(file.name() + ":2: not a row of results"));
  std::string const picture = file.folder().file("picture", std::string(5000, '\0'));
  CHECK_THROWS_MATCHES(JsonLines(picture, Keep::others), heddle::ParseError,
                       Catch::Matchers::Message(picture + ":1: not a row of results"));
  CHECK(std::filesystem::file_size(picture) == 5000);
  CHECK_THROWS_AS(JsonLines("/nowhere/at/all.jsonl"), heddle::FileError);
}

TEST_CASE("a row of another program need not say of which build it is", "[perf]")
{
  File const file;
  file.append("{\"operation\":\"spmm\",\"commit\":5}\n{\"matrix\":[]}\n");
  JsonLines(file.name(), Keep::finished).write(row("next", 1.0));
  CHECK(file.rows().size() == 3);
}

TEST_CASE("old results stay until the first row is there", "[perf]")
{
  File const file;
  JsonLines(file.name()).write(row("old", 1.0));
  {
    JsonLines lines(file.name());
    lines.write_with_next(row("about the machine", 0.0));
  }
  REQUIRE(file.rows().size() == 1);
  CHECK(file.rows()[0]["matrix"] == "old");
  {
    JsonLines lines(file.name());
    lines.write_with_next(row("about the machine", 0.0));
    lines.write(row("new", 2.0));
    CHECK(file.rows().size() == 2);
    lines.write(row("newer", 2.0));
  }
  REQUIRE(file.rows().size() == 3);
  CHECK(file.rows()[0]["matrix"] == "about the machine");
  CHECK(file.rows()[2]["matrix"] == "newer");
}

TEST_CASE("a run without a row leaves no file", "[perf]")
{
  File const file;
  for (Keep const keep : {Keep::nothing, Keep::others, Keep::finished})
  {
    JsonLines const lines(file.name(), keep);
    CHECK(file.folder().num_files() == 0);
  }
  CHECK(file.folder().num_files() == 0);
}

TEST_CASE("a disk that is full costs no row that was there", "[perf]")
{
  File const file;
  JsonLines(file.name()).write(row("a", 1.0));
  JsonLines(file.name(), Keep::others).write(row("b", 1.0));
  Json const long_row = row(std::string(4096, 'x'), 2.0);
  for (Keep const keep : {Keep::nothing, Keep::others})
  {
    JsonLines lines(file.name(), keep);
    std::string message;
    {
      heddle::test::FileSizeLimit const limit(2048);
      message = heddle::test::message_of<heddle::FileError>([&] { lines.write(long_row); });
    }
    CHECK(message == "cannot write " + file.name() + ": File too large");
    REQUIRE(file.rows().size() == 2); // and no part of a line
    CHECK(file.rows()[1]["matrix"] == "b");
    CHECK(file.folder().num_files() == 1);
    lines.write(row("c", 3.0));
    CHECK(file.rows().back()["matrix"] == "c");
    CHECK(file.rows().size() == (keep == Keep::nothing ? 1 : 2 + 1));
    JsonLines(file.name()).write(row("a", 1.0));
    JsonLines(file.name(), Keep::others).write(row("b", 1.0));
  }
}

TEST_CASE("results are written through links and into regular files alone", "[perf]")
{
  namespace fs = std::filesystem;
  File const file;
  std::string const link = file.folder().path("link"), fifo = file.folder().path("fifo");
  fs::create_symlink(file.name(), link);
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  for (Keep const keep : {Keep::nothing, Keep::others, Keep::finished})
  {
    JsonLines(link, keep).write(row("a", 1.0));
    CHECK(fs::is_symlink(link));
    CHECK(file.rows().size() == 1);
    CHECK_THROWS_MATCHES(
        JsonLines(fifo, keep), heddle::FileError,
        Catch::Matchers::Message("cannot write " + fifo + ": it is not a regular file"));
    CHECK_THROWS_AS(JsonLines(file.folder().path(), keep), heddle::FileError);
  }
  CHECK(fs::is_fifo(fifo));
}

TEST_CASE("text that is not UTF-8 is no reason to lose a row", "[perf]")
{
  File const file;
  Json const odd = row("a\xff", 1.0);
  JsonLines(file.name()).write(odd);
  JsonLines const lines(file.name(), Keep::finished);
  CHECK(file.rows()[0]["matrix"] == "a\xef\xbf\xbd"); // U+FFFD
  CHECK(lines.is_finished(odd));
}

TEST_CASE("rows of two processes that write into one file all stay", "[perf]")
{
  struct Nothing
  {};
  constexpr int processes = 2, rounds = 20, rows = 3;
  File const file;
  int const code = in_processes<Nothing>(processes, [&](ProcessGroup<Nothing> const& group) {
    try
    {
      for (int round = 0; round < rounds; ++round)
      {
        group.meet();
        JsonLines lines(file.name(), Keep::others);
        for (int n = 0; n < rows; ++n)
          lines.write(row(std::to_string(round) + "_" + std::to_string(n), 1.0, group.rank()));
      }
      return 0;
    }
    catch (std::exception const&)
    {
      return 1;
    }
  });
  CHECK(code == 0);
  std::set<std::string> cases;
  for (Json const& one : file.rows())
    cases.insert(case_of(one));
  CHECK(cases.size() == processes * rounds * rows);
  CHECK(file.rows().size() == cases.size());
  CHECK(file.folder().num_files() == 1);
}

TEST_CASE("a file of rows that are all there at once", "[perf]")
{
  File const file;
  write_json_lines("", {row("a", 1.0)});
  write_json_lines(file.name(), {row("a", 1.0), row("b", 1.0)});
  REQUIRE(file.rows().size() == 2);
  CHECK(file.rows()[1].contains("commit"));
  write_json_lines(file.name(), {});
  CHECK(file.rows().empty());
}
