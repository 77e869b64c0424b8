// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/report.hpp>
#include <harness/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace
{

// Baselines are told by the beginning of their names.
std::string prefix_of(std::string const& family)
{
  return family == "kk" ? "kokkoskernels::" : family + "::";
}

// Keys as docs/heddle_perf.md has them.
nlohmann::ordered_json json_of(Record const& r, Machine const& machine)
{
  nlohmann::ordered_json line{{"operation", r.operation},
                              {"matrix", r.matrix},
                              {"rows", r.rows},
                              {"cols", r.cols},
                              {"nnz", r.nnz},
                              {"k", r.k},
                              {"value_type", r.value_type},
                              {"index_types", r.index_types},
                              {"implementation", r.implementation}};
  if (!r.format.empty())
    line.update({{"format", r.format}, {"parameters", r.parameters}});
  if (!r.layout.empty())
    line["layout"] = r.layout;
  if (r.skipped.empty())
    line.update({{"plan_ms", r.plan_ms},
                 {"median_ms", r.median_ms},
                 {"gflops", r.gflops()},
                 {"gbytes_per_s", r.gbytes_per_s()},
                 {"residual", r.residual},
                 {"runs", r.runs}});
  if (r.skipped.empty() && !r.format.empty())
    line.update({{"fill_ratio", r.fill_ratio},
                 {"prologue_ms", r.prologue_ms},
                 {"epilogue_ms", r.epilogue_ms}});
  if (r.skipped.empty() && r.serial_ms > 0)
    line["serial_ms"] = r.serial_ms;
  if (!r.skipped.empty())
    line["skipped"] = r.skipped;
  bool const is_double = r.value_type.ends_with("64");
  line.update({{"device", machine.device},
               {"machine_gbytes_per_s", machine.gbytes_per_s},
               {"machine_gflops", is_double ? machine.gflops_f64 : machine.gflops_f32}});
  return line;
}

} // namespace

Report::Report(Settings const& settings, Machine machine)
    : m_settings(settings)
    , m_machine(std::move(machine))
    , m_json(settings.json)
{
  std::cout << m_machine.device << ": reads " << to_text(m_machine.gbytes_per_s, 3)
            << " GB/s, computes " << to_text(m_machine.gflops_f64, 3) << " GFLOPS in f64, "
            << to_text(m_machine.gflops_f32, 3) << " in f32 (measured now)\n";
}

void Report::add(Record const& record)
{
  m_group.push_back(record);
  m_has_wrong_results = m_has_wrong_results || record.skipped.starts_with("wrong result");
  m_json.write(json_of(record, m_machine));
}

double Report::best_of(std::string const& family) const
{
  double best = std::numeric_limits<double>::infinity();
  for (Record const& r : m_group)
    if (r.skipped.empty() && r.implementation.starts_with(prefix_of(family)))
      best = std::min(best, r.median_ms);
  return best;
}

std::string Report::speedup(double baseline_ms, double ms)
{
  bool const is_known = baseline_ms > 0 && baseline_ms < std::numeric_limits<double>::infinity();
  return is_known ? to_text(baseline_ms / ms, 3) : "-";
}

std::vector<std::string> Report::header(bool is_of_formats) const
{
  std::vector<std::string> line{"implementation", "plan ms", "median ms"};
  if (is_of_formats)
    line = {"implementation", "fill", "prologue ms", "execution ms", "epilogue ms"};
  line.insert(line.end(), {"GFLOPS", "GB/s", "% roofline"});
  for (std::string const& family : m_settings.baselines)
    line.push_back("x " + family);
  if (is_of_formats && m_settings.wants_baseline("serial"))
    line.emplace_back("x serial total");
  line.emplace_back("residual");
  return line;
}

std::vector<std::string> Report::line_of(Record const& r) const
{
  bool const is_of_formats = !r.format.empty();
  std::string const name =
      is_of_formats ? r.format + (r.parameters.empty() ? "" : " " + r.parameters) + " " : "";
  if (!r.skipped.empty())
    return {name + r.implementation, "skipped: " + r.skipped};
  double const bound = m_machine.bound_ms(r.bytes, r.flops, r.value_type.ends_with("64"));
  std::vector<std::string> line{name + r.implementation, to_text(r.plan_ms, 4),
                                to_text(r.median_ms, 4)};
  if (is_of_formats)
    line = {line[0], to_text(r.fill_ratio, 3), to_text(r.prologue_ms, 4), to_text(r.median_ms, 4),
            to_text(r.epilogue_ms, 4)};
  line.insert(line.end(), {to_text(r.gflops(), 4), to_text(r.gbytes_per_s(), 4),
                           to_text(100.0 * bound / r.median_ms, 3)});
  for (std::string const& family : m_settings.baselines)
    line.push_back(
        speedup(is_of_formats && family == "serial" ? r.serial_ms : best_of(family), r.median_ms));
  if (is_of_formats && m_settings.wants_baseline("serial"))
    line.push_back(speedup(r.serial_ms, r.total_ms()));
  line.push_back(to_text(r.residual, 2));
  return line;
}

void Report::end_group()
{
  if (m_group.empty())
    return;
  progress("");
  Record const& first = m_group.front();
  std::cout << "\n"
            << first.matrix << " (" << first.rows << " x " << first.cols << ", " << first.nnz
            << " entries): " << first.operation << " " << first.value_type;
  if (first.operation.find("spmm") != std::string::npos)
    std::cout << ", k = " << first.k;
  if (!first.layout.empty())
    std::cout << (first.layout == "row" ? ", row-major" : ", column-major");
  std::cout << "\n";
  std::vector<std::vector<std::string>> lines{header(!first.format.empty())};
  for (Record const& r : m_group)
    lines.push_back(line_of(r));
  print_table(lines);
  m_group.clear();
}

void Report::progress(std::string const& what)
{
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

} // namespace heddle::perf
