// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/cold_cache.hpp>
#include <harness/json_lines.hpp>
#include <harness/machine.hpp>
#include <harness/record.hpp>
#include <harness/settings.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace heddle::perf
{

// Where results go: a table on standard output for each group of cases, a JSON object a line in a
// file as they come, progress on standard error if somebody watches.
class Report
{
public:
  // Of this machine, which is measured where none is given. Throws FileError where the JSON file
  // cannot be written; that is as it was until the first case.
  explicit Report(Settings const& settings, std::optional<Machine> const& machine = std::nullopt);

  // Whether this case is to run: not if the file has it from an earlier run of this build
  // (--resume), or the time is over or
  // a signal has come. Until add, the file says that it did not finish.
  bool begin(Record const& record);
  // Whether a case may still begin. Where not, what was to run counts as left out.
  bool has_time();
  void add(Record const& record);
  // Prints what has come since the last group, under a title that says what these cases have in
  // common.
  void end_group();
  // A row that is no case, such as one that says that all cases of a matrix are there.
  void write(nlohmann::ordered_json const& row) { m_json.write(row); }
  bool is_finished(nlohmann::ordered_json const& row) const { return m_json.is_finished(row); }
  // As large as this machine's caches; made when it is first asked for.
  ColdCache const& cold_cache();
  static void progress(std::string const& what);
  // Of heddle itself: a baseline's row says so, and that is all there is to do about it.
  bool has_wrong_results() const { return m_has_wrong_results; }
  bool is_out_of_time() const { return m_left_out > 0; }
  int count() const { return m_count; } // of the cases that have run
  double fastest_ms() const;            // of the group so far; infinite where none has a time

private:
  // Milliseconds of the fastest; nothing where it is not in the group, or its times are noisy.
  std::optional<double> best_of(std::string const& family) const;
  std::string roofline_share(Record const& record) const;
  void print_noise();
  std::vector<std::string> header(bool is_of_formats) const;
  std::vector<std::string> line_of(Record const& record) const;

  Settings m_settings;
  JsonLines m_json; // before the machine is measured, which takes a while
  Machine m_machine;
  std::optional<ColdCache> m_cold_cache;
  std::vector<Record> m_group;
  bool m_has_advised = false; // what to do against noise, which is the same for all groups
  bool m_has_wrong_results = false;
  int m_count = 0;
  int m_left_out = 0; // cases that the time limit, or a signal, left out
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace heddle::perf
