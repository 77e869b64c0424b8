// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <compare/result_files.hpp>
#include <compare/timing.hpp>
#include <report/operations.hpp>

namespace heddle::perf
{

namespace
{

// What a row is of: empty for a time that can be compared.
std::string other_kind(nlohmann::json const& object)
{
  static std::vector<std::string> const further = {"parts_spmv", "parts_spmm", "calibrate",
                                                   "calibrate_costs"};
  if (object.is_object() && !object.contains("operation"))
    return "no operation";
  std::string const operation = object.at("operation");
  if (object.contains("joined"))
    return "peers";
  bool const is_timed = place_of_operation(operation) < operations.size() ||
                        std::find(further.begin(), further.end(), operation) != further.end();
  return is_timed ? "" : operation;
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

// "3 rows of analyze, 2 of peers"
std::string text_of(std::map<std::string, std::size_t> const& counts)
{
  std::string text;
  for (auto const& [kind, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) +
            (!text.empty() ? " of "
             : count == 1  ? " row of "
                           : " rows of ") +
            kind;
  return text;
}

void append_timings(ReadTimings& read, std::string const& file)
{
  std::size_t const before = read.timings.size();
  std::map<std::string, std::size_t> others;
  for_each_row(file, [&](nlohmann::json const& object, std::int64_t line) {
    if (std::string const kind = other_kind(object); !kind.empty())
    {
      ++others[kind];
      return;
    }
    Timing const& timing = read.timings.emplace_back(timing_of(object));
    if (!timing.is_skipped() && !(timing.median_ms > 0.0))
      throw ParseError(file, line, "median_ms should be above zero");
  });
  bool const has_timings = read.timings.size() > before;
  if (has_timings)
    others.erase("self_check");
  if (!others.empty())
    read.left_out.push_back(file + (has_timings ? ": left out " : ": skipped, nothing but ") +
                            text_of(others));
}

} // namespace

ReadTimings read_timings(std::vector<std::string> const& paths)
{
  ReadTimings read;
  for (std::string const& path : paths)
  {
    auto const files = result_files(path);
    if (files.empty())
      throw FileError(path + ": a folder without files *.jsonl");
    for (std::string const& file : files)
      append_timings(read, file);
  }
  return read;
}

void print_left_out(ReadTimings const& read)
{
  for (std::string const& sentence : read.left_out)
    std::cerr << "heddle-perf: " << sentence << "\n";
}

} // namespace heddle::perf
