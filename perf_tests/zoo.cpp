// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/interrupt.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/report.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>
#include <harness/types.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <zoo/list.hpp>
#include <zoo/settings.hpp>
#include <zoo/split.hpp>

namespace heddle::perf
{

namespace
{

void say(std::string const& text) { std::cout << text << "\n" << std::flush; }

void print_list(std::vector<ZooEntry> const& list)
{
  std::vector<std::vector<std::string>> lines{
      {"matrix", "family", "part", "rows", "cols", "entries", "stands for"}};
  std::int64_t validation = 0;
  for (ZooEntry const& entry : list)
  {
    lines.push_back(
        {entry.name, entry.family, std::string(to_string(entry.part)), std::to_string(entry.rows),
         std::to_string(entry.cols), (entry.is_exact ? "" : "~") + std::to_string(entry.entries),
         entry.family == real_family ? matrix_name(entry.stands_for) : entry.stands_for});
    validation += entry.part == ZooPart::validation ? 1 : 0;
  }
  print_table(lines);
  say(std::to_string(list.size()) + " matrices, " + std::to_string(validation) +
      " of them for validation only; ~: expected, the others are exact");
}

void write_list(std::string const& file, std::vector<ZooEntry> const& list)
{
  std::vector<nlohmann::ordered_json> rows;
  rows.reserve(list.size());
  for (ZooEntry const& entry : list)
    rows.push_back({{"operation", "zoo"},
                    {"matrix", entry.name},
                    {"family", entry.family},
                    {"part", to_string(entry.part)},
                    {"rows", entry.rows},
                    {"cols", entry.cols},
                    {"nnz", entry.entries},
                    {"nnz_is_exact", entry.is_exact},
                    {"stands_for", entry.family == real_family ? entry.name : entry.stands_for}});
  write_json_lines(file, rows);
}

// What is there was complete when it came under its name; another matrix under it is an error.
bool is_made(std::string const& path, ZooEntry const& entry)
{
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return false;
  BinaryCsrHeader const header = read_binary_csr_header(path);
  if (header.rows != entry.rows || header.cols != entry.cols ||
      (entry.is_exact && header.entries != entry.entries))
    throw FileError(path + ": this is another matrix than " + entry.stands_for +
                    "; remove it to have that made");
  return true;
}

void make(ZooEntry const& entry, std::string const& path)
{
  Report::progress("making " + entry.name);
  std::size_t entries = 0;
  double const seconds = 1e-3 * host_milliseconds(Kokkos::DefaultHostExecutionSpace{}, [&] {
                           auto const a =
                               std::get<HostMatrix<double>>(load_gallery(entry.name).matrix);
                           entries = a.nnz();
                           write_binary_csr(path, a);
                         });
  Report::progress("");
  say(entry.name + ": " + std::to_string(entries) + " entries, " + to_text(seconds, 3) + " s");
}

// False where a signal came first.
bool make_all(std::string const& folder, std::vector<ZooEntry> const& list)
{
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw FileError(folder + ": cannot be made: " + problem.message());
  catch_interrupts();
  int kept = 0;
  for (ZooEntry const& entry : list)
  {
    if (interrupted_by() != 0)
      return false;
    if (entry.family == real_family)
      continue; // it is a file already
    std::string const path = folder + "/" + entry.name + ".bin";
    if (is_made(path, entry))
      ++kept;
    else
      make(entry, path);
  }
  if (kept > 0)
    say(std::to_string(kept) + " were there and are kept");
  return true;
}

} // namespace

bool show_zoo(ZooSettings const& settings)
{
  std::vector<ZooEntry> const list = chosen_zoo(settings);
  if (settings.make.empty() || settings.has_list)
    print_list(list);
  if (!settings.json.empty())
    write_list(settings.json, list);
  return settings.make.empty() || make_all(settings.make, list);
}

} // namespace heddle::perf
