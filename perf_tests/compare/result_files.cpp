// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <compare/result_files.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

bool is_result(nlohmann::json const& object)
{
  std::string const operation = object.at("operation");
  return operation != "read" && operation != "self_check" && !object.contains("joined");
}

void set_layout(Timing& timing, nlohmann::json const& object)
{
  std::string& layout = timing.problem.layout;
  layout = take_layout(object, timing.problem.operation, timing.implementation);
  if (object.contains("layout_c")) // computes something else than those whose B and C are alike
    layout += " to " + object.at("layout_c").get<std::string>();
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
  for_each_row(file, [&](nlohmann::json const& object, std::int64_t line) {
    if (!is_result(object))
      return;
    timings.push_back(timing_of(object));
    if (!timings.back().is_skipped() && !(timings.back().median_ms > 0.0))
      throw ParseError(file, line, "median_ms should be above zero");
  });
}

} // namespace

std::vector<Timing> read_timings(std::vector<std::string> const& paths)
{
  std::vector<Timing> timings;
  for (std::string const& path : paths)
  {
    auto const files = result_files(path);
    if (files.empty())
      throw FileError(path + ": a folder without files *.jsonl");
    for (std::string const& file : files)
      append_timings(timings, file);
  }
  return timings;
}

} // namespace heddle::perf
