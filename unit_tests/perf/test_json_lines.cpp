// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/json_lines.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

#include <perf/temporary_folder.hpp>

using namespace heddle::perf;
using Json = nlohmann::ordered_json;

namespace
{

// A file of its own, which is not there at first.
class File
{
public:
  std::string name() const { return m_folder.path() + "/rows.jsonl"; }
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
  TemporaryFolder m_folder{"json_lines"};
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
  CHECK_THROWS_AS(JsonLines("/nowhere/at/all.jsonl"), heddle::FileError);
}
