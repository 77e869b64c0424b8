// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace heddle::perf
{

namespace
{

constexpr int deepest = 64;

// What is nested deeper is left out and noted.
template <class Json>
Json parse_shallow(std::string_view line, bool allow_exceptions, bool& is_too_deep)
{
  return Json::parse(
      line,
      [&](int depth, typename Json::parse_event_t, Json&) {
        is_too_deep = is_too_deep || depth > deepest;
        return depth <= deepest;
      },
      allow_exceptions);
}

} // namespace

nlohmann::ordered_json parse_row(std::string_view line)
{
  bool is_too_deep = false;
  auto row = parse_shallow<nlohmann::ordered_json>(line, false, is_too_deep);
  return is_too_deep ? nlohmann::ordered_json() : row;
}

std::vector<std::string> result_files(std::string const& path)
{
  std::error_code none;
  if (!std::filesystem::is_directory(path, none))
    return {path};
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(path, none))
    if (entry.path().extension() == ".jsonl")
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

void for_each_row(std::string const& file,
                  std::function<void(nlohmann::json const&, std::int64_t)> const& take)
{
  std::ifstream lines(file);
  if (!lines)
    throw FileError(file + ": cannot be read");
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);)
  {
    ++number;
    try
    {
      bool is_too_deep = false;
      auto const row = parse_shallow<nlohmann::json>(line, true, is_too_deep);
      if (is_too_deep)
        throw ParseError(file, number,
                         "nested deeper than " + std::to_string(deepest) + " levels, as no row is");
      take(row, number);
    }
    catch (nlohmann::json::exception const& problem)
    {
      throw ParseError(file, number, problem.what());
    }
  }
  if (lines.bad())
    throw FileError(file + ": cannot be read");
}

} // namespace heddle::perf
