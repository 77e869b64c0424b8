// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bytes as a file of results that heddle-perf --merge --resume adds to: it is refused and stays
// as it was, or it is left with the last row of each case, where the case stood first, and without
// what a killed run left of a line. What other commands read of a file is the same rows.

#include <harness/json_lines.hpp>
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fuzz/support.hpp>

namespace heddle::fuzz
{

namespace
{

using Json = nlohmann::ordered_json;

// A file of results as its description says it: lines, and rows by case.
struct Expected
{
  std::vector<std::string> lines;
  std::vector<Json> rows;
  std::map<std::string, std::size_t> cases;

  explicit Expected(std::string_view text)
  {
    while (!text.empty())
    {
      std::size_t const length = std::min(text.find('\n'), text.size());
      bool const is_whole = length < text.size();
      std::string const line(text.substr(0, length));
      text.remove_prefix(is_whole ? length + 1 : length);
      Json const row = Json::parse(line, nullptr, false);
      if (row.is_discarded() && !is_whole)
        return;
      check(row.is_object(), "what is merged has rows only");
      keep(row, line);
    }
  }

  std::string text() const
  {
    std::string all;
    for (std::string const& line : lines)
      all += line + '\n';
    return all;
  }
  bool is_finished(std::size_t k) const { return rows[k].value("commit", Json()) == "fuzz"; }

private:
  void keep(Json const& row, std::string const& line)
  {
    auto const [at, is_new] = cases.emplace(perf::case_of(row), lines.size());
    if (is_new)
    {
      lines.emplace_back();
      rows.emplace_back();
    }
    lines[at->second] = line;
    rows[at->second] = row;
  }
};

// The rows that other commands take from a file, if they take it.
std::optional<std::size_t> rows_read(std::string const& path)
{
  std::size_t count = 0;
  try
  {
    perf::for_each_row(path, [&](nlohmann::json const& row, std::int64_t line) {
      ++count;
      check(line == static_cast<std::int64_t>(count), "lines are counted");
      static_cast<void>(row.value("operation", "")); // as commands do: throws where it is no text
    });
  }
  catch (ParseError const& error)
  {
    check(error.line() == static_cast<std::int64_t>(count) ||
              error.line() == static_cast<std::int64_t>(count) + 1,
          "an error names its line");
    return {};
  }
  return count;
}

// Whether the file was taken.
bool merge(std::string const& path, std::string const& before)
{
  std::unique_ptr<perf::JsonLines> lines;
  try
  {
    lines = std::make_unique<perf::JsonLines>(path, perf::Keep::finished);
  }
  catch (ParseError const& error)
  {
    check(error.line() >= 1 && error.file() == path, "an error names the file and a line");
    check(test::bytes_of(path) == before, "a file that is refused stays as it was");
    return false;
  }
  Expected const expected(before);
  for (std::size_t k = 0; k < expected.rows.size(); ++k)
    check(lines->is_finished(expected.rows[k]) == expected.is_finished(k),
          "a case is finished where this build has its row");
  lines.reset();
  check(test::bytes_of(path) == expected.text(), "the last row of each case is left");
  return true;
}

void test_file(std::string const& bytes)
{
  auto const path = files().folder.file("rows.jsonl", bytes);
  auto const count = rows_read(path);
  bool const is_merged = merge(path, bytes);
  check(files().folder.num_files() == 1, "no other file is left");
  if (!is_merged)
    return;
  auto const merged = test::bytes_of(path);
  check(merge(path, merged) && test::bytes_of(path) == merged, "merging twice changes nothing");
  if (count)
    check(rows_read(path).value_or(*count + 1) <= *count, "what was read is read after merging");
}

} // namespace

} // namespace heddle::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  heddle::fuzz::test_file({reinterpret_cast<char const*>(data), size});
  return 0;
}
