// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/interrupt.hpp>
#include <harness/report.hpp>
#include <harness/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>
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

// What explains that a call is faster than the roofline allows; NULL where it is not, or nothing
// does.
Cache const* cache_behind(Record const& r, Machine const& machine)
{
  double const times_as_fast =
      machine.bound_ms(r.bytes, r.flops, r.value_type.ends_with("64")) / r.times.median_ms;
  return times_as_fast > 1 ? machine.cache_behind(r.bytes, times_as_fast) : nullptr;
}

// The library of an implementation: "cusparse" of "cusparse::csr_alg2".
std::string library_of(std::string const& implementation)
{
  return implementation.substr(0, implementation.find("::"));
}

// As a line of the table is called.
std::string name_of(Record const& r)
{
  if (r.format.empty())
    return r.implementation;
  return r.format + (r.parameters.empty() ? " " : " " + r.parameters + " ") + r.implementation;
}

constexpr char const* no_value = "-";

// How many times as fast as other_ms, where both are known.
std::string ratio(std::optional<double> other_ms, double ms, Record const& r)
{
  return other_ms && r.noise.empty() ? to_text(*other_ms / ms, 3) : no_value;
}

std::optional<double> serial_ms(Record const& r)
{
  return r.serial_ms > 0 ? std::optional(r.serial_ms) : std::nullopt;
}

// Keys as docs/heddle_perf.md has them.
nlohmann::ordered_json json_of(Record const& r, Machine const& machine, Settings const& settings)
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
  if (!r.family.empty())
    line.update({{"family", r.family}, {"part", r.part}});
  if (!r.format.empty())
    line.update({{"format", r.format}, {"parameters", r.parameters}});
  if (!r.layout.empty())
    line["layout"] = r.layout;
  if (!r.layout_c.empty())
    line["layout_c"] = r.layout_c;
  if (r.skipped.empty())
    line.update({{"plan_ms", r.plan_ms},
                 {"first_ms", r.first_ms},
                 {"min_ms", r.times.min_ms},
                 {"q1_ms", r.times.q1_ms},
                 {"median_ms", r.times.median_ms},
                 {"q3_ms", r.times.q3_ms},
                 {"mean_ms", r.times.mean_ms},
                 {"gflops", r.gflops()},
                 {"gbytes_per_s", r.gbytes_per_s()},
                 {"residual", r.residual},
                 {"runs", r.times.runs}});
  if (r.skipped.empty() && !r.format.empty())
    line.update({{"fill_ratio", r.fill_ratio},
                 {"prologue_ms", r.prologue_ms},
                 {"epilogue_ms", r.epilogue_ms}});
  if (r.skipped.empty() && r.serial_ms > 0)
    line["serial_ms"] = r.serial_ms;
  if (!r.skipped.empty())
    line["skipped"] = r.skipped;
  if (r.skipped.empty() && r.products_nnz > 0)
    line["products_nnz"] = r.products_nnz;
  if (r.skipped.empty() && r.workspace_bytes >= 0)
    line["workspace_bytes"] = r.workspace_bytes;
  if (r.skipped.empty() && !r.chosen.empty())
    line["chosen"] = r.chosen;
  if (r.heavy_share >= 0)
    line["heavy_share"] = r.heavy_share;
  bool const is_double = r.value_type.ends_with("64");
  if (r.skipped.empty() && r.cold_ms > 0)
    line["cold_ms"] = r.cold_ms;
  if (r.skipped.empty() && !r.noise.empty())
    line["noise"] = r.noise;
  if (r.skipped.empty() && r.bytes > 0)
  {
    double const bound_ms = machine.bound_ms(r.bytes, r.flops, is_double);
    line["roofline_gflops"] = r.flops / bound_ms * 1e-6;
    if (Cache const* const cache = cache_behind(r, machine))
      line["cache"] = cache->name;
  }
  if (auto const library = settings.library_versions.find(library_of(r.implementation));
      library != settings.library_versions.end())
    line["library"] = library->second;
  line.update({{"device", machine.device},
               {"machine_gbytes_per_s", machine.gbytes_per_s},
               {"machine_gflops", is_double ? machine.gflops_f64 : machine.gflops_f32}});
  if (machine.shared_gbytes_per_s > 0)
    line["machine_shared_gbytes_per_s"] = machine.shared_gbytes_per_s;
  return line;
}

// Rows about the machine, so that a file says whether its times can be trusted.
std::vector<nlohmann::ordered_json> self_check(Machine const& machine)
{
  std::vector<nlohmann::ordered_json> rows;
  for (auto const& [name, rate] :
       {std::pair("read", machine.gbytes_per_s), std::pair("copy", machine.copy_gbytes_per_s)})
  {
    nlohmann::ordered_json row{{"operation", "self_check"},
                               {"matrix", ""},
                               {"nnz", 0},
                               {"k", 1},
                               {"implementation", name},
                               {"gbytes_per_s", rate},
                               {"device", machine.device}};
    if (!machine.warning.empty())
      row["warning"] = machine.warning;
    rows.push_back(row);
  }
  return rows;
}

} // namespace

Report::Report(Settings const& settings, std::optional<Machine> const& machine)
    : m_settings(settings)
    , m_json(settings.json, settings.keep)
    , m_machine(machine ? *machine : measure_machine())
{
  bool const is_measured = m_machine.copy_gbytes_per_s > 0; // else known_machine()
  std::cout << m_machine.device << ": reads " << to_text(m_machine.gbytes_per_s, 3) << " GB/s, ";
  if (is_measured)
    std::cout << "copies " << to_text(m_machine.copy_gbytes_per_s, 3) << " GB/s, ";
  std::cout << "computes " << to_text(m_machine.gflops_f64, 3) << " GFLOPS in f64, "
            << to_text(m_machine.gflops_f32, 3) << " in f32 ("
            << (is_measured ? "measured now, fastest of many short runs"
                            : "not measured now, see HEDDLE_PERF_MACHINE")
            << ")\n";
  if (!m_machine.warning.empty())
    std::cout << "warning: " << m_machine.warning << "\n";
  if (is_measured)
    for (nlohmann::ordered_json const& row : self_check(m_machine))
      m_json.write_with_next(row);
}

bool Report::has_time()
{
  std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - m_start;
  bool const is_late = m_settings.time_limit_s > 0 && spent.count() > m_settings.time_limit_s;
  if (is_late || interrupted_by() != 0)
    ++m_left_out;
  return !is_late && interrupted_by() == 0;
}

bool Report::begin(Record const& record)
{
  auto const row = json_of(record, m_machine, m_settings);
  if (m_json.is_finished(row) || !has_time())
    return false;
  if (m_settings.keep == Keep::finished)
  {
    Record unfinished = record;
    unfinished.skipped = m_settings.case_limit_s > 0
                             ? "did not finish within " + to_text(m_settings.case_limit_s, 3) +
                                   " s, or ended the program"
                             : "did not finish: the program ended during this case";
    m_json.write(json_of(unfinished, m_machine, m_settings));
  }
  return true;
}

void Report::add(Record const& record)
{
  m_group.push_back(record);
  ++m_count;
  bool const is_own = record.implementation.starts_with("heddle::");
  m_has_wrong_results =
      m_has_wrong_results || (is_own && record.skipped.starts_with("wrong result"));
  m_json.write(json_of(record, m_machine, m_settings));
}

ColdCache const& Report::cold_cache()
{
  if (!m_cold_cache)
    m_cold_cache.emplace(m_machine.caches.empty() ? 0 : m_machine.caches.back().bytes);
  return *m_cold_cache;
}

double Report::fastest_ms() const
{
  double fastest = std::numeric_limits<double>::infinity();
  for (Record const& r : m_group)
    if (r.skipped.empty())
      fastest = std::min(fastest, r.times.median_ms);
  return fastest;
}

std::optional<double> Report::best_of(std::string const& family) const
{
  Record const* best = nullptr;
  for (Record const& r : m_group)
    if (r.skipped.empty() && r.implementation.starts_with(prefix_of(family)) &&
        (best == nullptr || r.times.median_ms < best->times.median_ms))
      best = &r;
  if (best == nullptr || !best->noise.empty())
    return std::nullopt;
  return best->times.median_ms;
}

// Noisy times have no share. One above 100 % names the cache that explains it, or is not printed.
std::string Report::roofline_share(Record const& r) const
{
  double const bound_ms = m_machine.bound_ms(r.bytes, r.flops, r.value_type.ends_with("64"));
  std::string share = to_text(100.0 * bound_ms / r.times.median_ms, 3);
  if (!r.noise.empty())
    return no_value;
  if (bound_ms <= r.times.median_ms)
    return share;
  Cache const* const cache = cache_behind(r, m_machine);
  return cache == nullptr ? no_value : share + " (" + cache->name + ")";
}

// Why cells of the group are empty, and once what to do against it.
void Report::print_noise()
{
  bool is_noisy = false;
  for (Record const& r : m_group)
    if (r.skipped.empty() && !r.noise.empty())
    {
      if (!is_noisy)
        std::cout << "  noisy, hence without ratios and shares of the roofline:\n";
      is_noisy = true;
      std::cout << "    " << name_of(r) << ": " << r.noise << "\n";
    }
  if (!is_noisy || m_has_advised)
    return;
  m_has_advised = true;
  std::cout << "  what helps: no other programs beside it, OMP_WAIT_POLICY=passive, or fewer "
               "threads than free cores (OMP_NUM_THREADS)\n";
}

std::vector<std::string> Report::header(bool is_of_formats) const
{
  std::vector<std::string> line{"implementation", "plan ms", "median ms"};
  if (is_of_formats)
    line = {"implementation", "fill", "prologue ms", "execution ms"};
  line.insert(line.end(), {"1st quartile", "3rd quartile"});
  if (m_settings.is_cold)
    line.emplace_back("cold ms");
  if (is_of_formats)
    line.emplace_back("epilogue ms");
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
  if (!r.skipped.empty())
    return {name_of(r), "skipped: " + r.skipped};
  std::vector<std::string> line{name_of(r), to_text(r.plan_ms, 4), to_text(r.times.median_ms, 4)};
  if (is_of_formats)
    line = {name_of(r), to_text(r.fill_ratio, 3), to_text(r.prologue_ms, 4),
            to_text(r.times.median_ms, 4)};
  line.insert(line.end(), {to_text(r.times.q1_ms, 4), to_text(r.times.q3_ms, 4)});
  if (m_settings.is_cold)
    line.push_back(r.cold_ms > 0 ? to_text(r.cold_ms, 4) : no_value);
  if (is_of_formats)
    line.push_back(to_text(r.epilogue_ms, 4));
  line.insert(line.end(),
              {to_text(r.gflops(), 4), to_text(r.gbytes_per_s(), 4), roofline_share(r)});
  for (std::string const& family : m_settings.baselines)
    line.push_back(ratio(is_of_formats && family == "serial" ? serial_ms(r) : best_of(family),
                         r.times.median_ms, r));
  if (is_of_formats && m_settings.wants_baseline("serial"))
    line.push_back(ratio(serial_ms(r), r.total_ms(), r));
  line.push_back(to_text(r.residual, 2));
  return line;
}

void Report::end_group()
{
  if (!m_settings.has_tables)
    m_group.clear();
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
  print_noise();
  m_group.clear();
}

void Report::progress(std::string const& what)
{
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

} // namespace heddle::perf
