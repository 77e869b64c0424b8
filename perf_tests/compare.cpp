// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/table.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <compare/comparison.hpp>
#include <compare/result_files.hpp>
#include <compare/settings.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

using Lines = std::vector<std::vector<std::string>>;

// Of what nobody has to look at one by one.
constexpr std::size_t longest_list = 20;

std::vector<Timing> read_wanted(std::string const& path, std::vector<std::string> const& patterns)
{
  ReadTimings read = read_timings({path});
  print_left_out(read);
  std::vector<Timing> timings = std::move(read.timings);
  std::erase_if(timings, [&patterns](Timing const& timing) {
    return !is_like_any(timing.implementation, patterns);
  });
  return timings;
}

void print_changes(std::string const& title, std::vector<Change> const& changes,
                   std::size_t longest)
{
  if (changes.empty())
    return;
  Lines lines = {
      {title + " (" + std::to_string(changes.size()) + ")", "old ms", "new ms", "new / old"}};
  for (std::size_t n = 0; n < std::min(changes.size(), longest); ++n)
    lines.push_back({to_text(changes[n].of), ms_text(changes[n].old_ms), ms_text(changes[n].new_ms),
                     to_text(changes[n].ratio(), 3)});
  if (changes.size() > longest)
    lines.push_back({"...", "and " + std::to_string(changes.size() - longest) + " more"});
  print_table(lines);
}

void print_lost(std::string const& title, std::vector<Lost> const& lost)
{
  if (lost.empty())
    return;
  std::cout << "  " << title << " (" << lost.size() << ")\n";
  for (Lost const& one : lost)
    std::cout << "    " << to_text(one.of) << (one.skipped.empty() ? "" : ": " + one.skipped)
              << "\n";
}

void print_groups(std::vector<GroupChange> const& groups)
{
  if (groups.empty())
    return;
  Lines lines = {{"new / old", "implementations", "cases", "geometric mean", "least", "most"}};
  for (GroupChange const& group : groups)
    lines.push_back({to_text(group.problem), group.family, std::to_string(group.ratios.count),
                     to_text(group.ratios.geometric_mean, 3), to_text(group.ratios.least, 3),
                     to_text(group.ratios.most, 3)});
  print_table(lines);
}

} // namespace

bool is_not_slower(CompareSettings const& settings)
{
  Comparison const result =
      compare(read_wanted(settings.old_path, settings.implementations),
              read_wanted(settings.new_path, settings.implementations), settings.thresholds);
  print_groups(result.groups);
  print_changes("slower", result.slower, result.slower.size());
  print_changes("faster", result.faster, longest_list);
  print_lost("had a time, now skipped", result.skipped);
  print_lost("had a time, now missing", result.missing);
  std::cout << "  " << result.in_both << " cases with times in both, " << result.added.size()
            << " only in " << settings.new_path << "\n";
  if (result.repeated > 0)
    std::cout << "  " << result.repeated
              << " rows of cases that are there more than once: the fastest of each counts\n";
  std::cout << std::flush;
  return !result.is_worse(settings.allows_missing);
}

} // namespace heddle::perf
