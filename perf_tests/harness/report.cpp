// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
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

std::string number(double value, int digits)
{
  std::ostringstream text;
  text << std::setprecision(digits);
  if (value != 0.0 && (value >= 1e6 || value < 1e-3))
    text << std::scientific << std::setprecision(1) << value;
  else
    text << std::fixed
         << std::setprecision(value >= 100  ? 1
                              : value >= 10 ? 2
                              : value >= 1  ? 3
                                            : 4)
         << value;
  return text.str();
}

// The first column left, the others right; a line of two is a name and a remark as long as it
// likes.
void print_table(std::vector<std::vector<std::string>> const& lines)
{
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (auto const& line : lines)
    for (std::size_t c = 0; c < (line.size() == 2 ? 1 : line.size()); ++c)
      widths[c] = std::max(widths[c], line[c].size());
  for (auto const& line : lines)
  {
    std::cout << "  " << std::left << std::setw(static_cast<int>(widths[0])) << line[0];
    for (std::size_t c = 1; c < line.size(); ++c)
      std::cout << "  " << std::right
                << std::setw(line.size() == 2 ? 0 : static_cast<int>(widths[c])) << line[c];
    std::cout << "\n";
  }
  std::cout << std::flush;
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
  if (r.skipped.empty())
    line.update({{"plan_ms", r.plan_ms},
                 {"median_ms", r.median_ms},
                 {"gflops", r.gflops()},
                 {"gbytes_per_s", r.gbytes_per_s()},
                 {"residual", r.residual},
                 {"runs", r.runs}});
  else
    line["skipped"] = r.skipped;
  line.update({{"device", machine.device}, {"machine_gbytes_per_s", machine.gbytes_per_s}});
  return line;
}

} // namespace

Report::Report(Settings const& settings, Machine machine)
    : m_settings(settings)
    , m_machine(std::move(machine))
    , m_json(settings.json)
{
  std::cout << m_machine.device << ": reads " << number(m_machine.gbytes_per_s, 3)
            << " GB/s, computes " << number(m_machine.gflops_f64, 3) << " GFLOPS in f64, "
            << number(m_machine.gflops_f32, 3) << " in f32 (measured now)\n";
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

void Report::end_group()
{
  if (m_group.empty())
    return;
  progress("");
  Record const& first = m_group.front();
  std::cout << "\n"
            << first.matrix << " (" << first.rows << " x " << first.cols << ", " << first.nnz
            << " entries): " << first.operation << " " << first.value_type;
  if (first.operation.starts_with("spmm"))
    std::cout << ", k = " << first.k;
  std::cout << "\n";
  std::vector<std::vector<std::string>> lines{
      {"implementation", "plan ms", "median ms", "GFLOPS", "GB/s", "% roofline"}};
  for (std::string const& family : m_settings.baselines)
    lines[0].push_back("x " + family);
  lines[0].emplace_back("residual");
  for (Record const& r : m_group)
  {
    if (!r.skipped.empty())
    {
      lines.push_back({r.implementation, "skipped: " + r.skipped});
      continue;
    }
    bool const is_double = r.value_type.ends_with("64");
    double const bound = m_machine.bound_ms(r.bytes, r.flops, is_double);
    lines.push_back({r.implementation, number(r.plan_ms, 4), number(r.median_ms, 4),
                     number(r.gflops(), 4), number(r.gbytes_per_s(), 4),
                     number(100.0 * bound / r.median_ms, 3)});
    for (std::string const& family : m_settings.baselines)
    {
      double const speedup = best_of(family) / r.median_ms;
      lines.back().push_back(speedup < std::numeric_limits<double>::infinity() ? number(speedup, 3)
                                                                               : "-");
    }
    lines.back().push_back(number(r.residual, 2));
  }
  print_table(lines);
  m_group.clear();
}

void Report::progress(std::string const& what)
{
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

} // namespace heddle::perf
