// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that are nested so deep that code which goes down recursively would not come back.

#include <formats/matrix_market_support.hpp>
#include <harness/json_lines.hpp>
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace heddle::perf;
using heddle::test::message_of;

namespace
{

std::string row_with(std::size_t depth)
{
  return R"({"matrix":"a","parameters":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

} // namespace

TEST_CASE("a line is a row of any depth that rows have", "[perf]")
{
  CHECK(parse_row(row_with(64)).is_object());
  CHECK(parse_row(row_with(65)).is_null());
  CHECK(parse_row(row_with(1000000)).is_null());
  CHECK(parse_row("{").is_discarded());
}

TEST_CASE("files with rows that are nested too deep are refused and stay as they are", "[perf]")
{
  heddle::test::TemporaryFolder const folder;
  std::string const text = "{}\n" + row_with(1000000) + "\n";
  auto const path = folder.file("rows.jsonl", text);
  CHECK(message_of<heddle::ParseError>([&] { JsonLines(path, Keep::others); }) ==
        path + ":2: not a row of results");
  CHECK(heddle::test::bytes_of(path) == text);
  int rows = 0;
  CHECK(message_of<heddle::ParseError>([&] {
          for_each_row(path, [&](nlohmann::json const&, std::int64_t) { ++rows; });
        }) == path + ":2: nested deeper than 64 levels, as no row is");
  CHECK(rows == 1);
}
