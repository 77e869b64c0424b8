// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

#include <compare/result_files.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

namespace fs = std::filesystem;

bool is_result(nlohmann::json const& object)
{
  std::string const operation = object.at("operation");
  return operation != "read" && operation != "self_check" && !object.contains("joined");
}

void set_layout(Timing& timing, nlohmann::json const& object)
{
  constexpr std::string_view old_suffix = "_col";
  std::string& layout = timing.problem.layout;
  layout = object.value("layout", "");
  if (object.contains("layout_c")) // computes something else than those whose B and C are alike
    layout += " to " + object.at("layout_c").get<std::string>();
  if (!layout.empty() || !timing.problem.operation.starts_with("spmm"))
    return;
  std::string& name = timing.implementation;
  bool const is_column_major = name.ends_with(old_suffix);
  if (is_column_major)
    name.resize(name.size() - old_suffix.size());
  layout = is_column_major ? "col" : "row";
}

Timing timing_of(nlohmann::json const& object)
{
  Timing timing;
  object.at("operation").get_to(timing.problem.operation);
  object.at("value_type").get_to(timing.problem.value_type);
  timing.problem.k = object.value("k", std::int64_t(1));
  object.at("matrix").get_to(timing.matrix);
  object.at("implementation").get_to(timing.implementation);
  timing.index_types = object.value("index_types", "");
  timing.format = object.value("format", "");
  timing.parameters = object.value("parameters", "");
  timing.nnz = object.value("nnz", std::int64_t(0));
  timing.skipped = object.value("skipped", "");
  if (!timing.is_skipped())
    object.at("median_ms").get_to(timing.median_ms);
  set_layout(timing, object);
  return timing;
}

void append_timings(std::vector<Timing>& timings, std::string const& file)
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
      auto const object = nlohmann::json::parse(line);
      if (!is_result(object))
        continue;
      timings.push_back(timing_of(object));
      if (!timings.back().is_skipped() && !(timings.back().median_ms > 0.0))
        throw ParseError(file, number, "median_ms should be above zero");
    }
    catch (nlohmann::json::exception const& problem)
    {
      throw ParseError(file, number, problem.what());
    }
  }
  if (lines.bad())
    throw FileError(file + ": cannot be read");
}

std::vector<std::string> files_of(std::string const& path)
{
  std::error_code none;
  if (!fs::is_directory(path, none))
    return {path};
  std::vector<std::string> files;
  for (fs::directory_entry const& entry : fs::directory_iterator(path, none))
    if (entry.path().extension() == ".jsonl")
      files.push_back(entry.path().string());
  if (files.empty())
    throw FileError(path + ": a folder without files *.jsonl");
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

std::vector<Timing> read_timings(std::vector<std::string> const& paths)
{
  std::vector<Timing> timings;
  for (std::string const& path : paths)
    for (std::string const& file : files_of(path))
      append_timings(timings, file);
  return timings;
}

} // namespace heddle::perf
