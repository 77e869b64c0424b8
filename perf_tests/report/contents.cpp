// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <report/contents.hpp>
#include <report/grouping.hpp>
#include <report/iterative.hpp>
#include <report/operations.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

std::string joined(std::set<std::string> const& texts)
{
  std::string all;
  for (std::string const& text : texts)
    all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string counted(std::size_t count, std::string const& thing)
{
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string range_text(EntryRange const& range)
{
  std::string text = "--nnz: matrices of ";
  if (range.least > 0)
    text += "at least " + short_number(static_cast<double>(range.least));
  if (range.least > 0 && range.most != EntryRange::no_end)
    text += " and ";
  if (range.most != EntryRange::no_end)
    text += "at most " + short_number(static_cast<double>(range.most));
  return text + " entries only";
}

void say_self_checks(Contents& contents, std::vector<Result> const& self_checks)
{
  for (Result const& r : self_checks)
  {
    std::string const of = "self-check of " + (r.device.empty() ? "the machine" : r.device) + ": ";
    contents.about.push_back(of + r.implementation + " " + short_number(r.gbytes_per_s) + " GB/s");
    if (!r.warning.empty())
      contents.missing.push_back(of + "warning: " + r.warning);
  }
}

// Rows that one page should not mix, or should say that it does.
void say_origins(Contents& contents, std::vector<Result> const& results)
{
  std::set<std::string> devices, commits;
  for (Result const& r : results)
  {
    devices.insert(r.device);
    if (!r.commit.empty())
      commits.insert(r.commit);
  }
  if (!devices.empty())
    contents.about.push_back("measured on " + joined(devices));
  if (!commits.empty())
    contents.about.push_back("built from " + joined(commits));
  if (devices.size() > 1)
    contents.missing.push_back("rows are of " + std::to_string(devices.size()) +
                               " devices: " + joined(devices));
  if (commits.size() > 1)
    contents.missing.push_back("rows are of " + std::to_string(commits.size()) +
                               " commits: " + joined(commits));
  bool const has_changed = std::any_of(commits.begin(), commits.end(),
                                       [](std::string const& c) { return c.ends_with('+'); });
  if (has_changed)
    contents.missing.emplace_back("some rows are of a tree with uncommitted changes (+)");
}

void say_operations(Contents& contents, std::vector<Result> const& results)
{
  std::set<std::string> present;
  for (Result const& r : results)
    present.insert(r.operation);
  std::string absent;
  for (char const* const operation : operations)
    if (!present.contains(operation))
      absent += (absent.empty() ? "" : ", ") + std::string(operation);
  if (!absent.empty())
    contents.missing.push_back("operations without rows: " + absent);
}

void say_skipped(Contents& contents, std::vector<Result> const& results)
{
  std::map<std::string, std::size_t> by_operation;
  std::size_t all = 0;
  for (Result const& r : results)
    if (r.is_skipped())
    {
      ++by_operation[r.operation];
      ++all;
    }
  if (all == 0)
    return;
  std::string text = counted(all, "case") + " skipped (";
  for (auto const& [operation, count] : by_operation)
    text += (text.ends_with('(') ? "" : ", ") + operation + ": " + std::to_string(count);
  contents.missing.push_back(text + "); reasons stand in the sections");
}

std::string reason_of(Figure const& figure)
{
  return "chart \"" + figure.title + "\": " + figure.missing;
}

void say_figures(Contents& contents)
{
  constexpr std::size_t most_named = 3;
  std::map<std::string, std::vector<std::string>> sections; // by chart and reason
  for (Part const& part : contents.parts)
    for (Figure const& figure : part.figures)
      if (!figure.chart)
        sections[reason_of(figure)].push_back(part.section.title);
  for (auto const& [text, titles] : sections)
  {
    std::string where;
    for (std::string const& title : titles)
      where.append(where.empty() ? "in " : "; ").append(title);
    if (titles.size() > most_named)
      where = "in " + std::to_string(titles.size()) + " of " +
              counted(contents.parts.size(), "section");
    contents.missing.push_back(text);
    contents.missing.back().append(" (").append(where).append(")");
  }
  for (Figure const& figure : contents.across)
    if (!figure.chart)
      contents.missing.push_back(reason_of(figure));
}

std::vector<Result> apply(ReportSettings const& settings, Contents& contents,
                          std::vector<Result> const& all)
{
  auto results = filtered(all, [&settings](Result const& r) { return settings.keeps(r); });
  if (settings.is_square_only)
    contents.about.emplace_back("--square: square matrices only");
  if (!settings.entries.is_everything())
    contents.about.push_back(range_text(settings.entries));
  if (results.size() < all.size())
    contents.about.push_back("the filters left out " + std::to_string(all.size() - results.size()) +
                             " of " + counted(all.size(), "row"));
  auto const other_c =
      static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [](Result const& r) {
        return r.layout != r.layout_c && !r.is_skipped();
      }));
  if (settings.is_iterative)
  {
    std::transform(results.begin(), results.end(), results.begin(), charged);
    contents.about.push_back("--iterative: " + counted(other_c, "row") +
                             " whose C has another layout than B charged with a transposition");
  }
  else if (other_c > 0)
    contents.about.push_back(counted(other_c, "row") +
                             " whose C has another layout than B: not charged with a "
                             "transposition (--iterative does)");
  return results;
}

} // namespace

Contents contents_of(Input input, ReportSettings const& settings)
{
  Contents contents;
  contents.missing = std::move(input.notes);
  contents.about.push_back(counted(input.results.size(), "result") + " of " +
                           counted(input.files, "file"));
  auto const results = apply(settings, contents, input.results);
  contents.results = results.size();
  say_origins(contents, results);
  say_self_checks(contents, input.self_checks);
  say_operations(contents, results);
  say_skipped(contents, results);
  for (Section& section : sections_of(results))
  {
    Part part;
    auto const with_times =
        filtered(section.results, [](Result const& r) { return !r.is_skipped(); });
    part.figures = figures_of(section);
    part.speedups = speedups_of(with_times);
    part.not_charted = not_charted(with_times);
    part.section = std::move(section);
    contents.parts.push_back(std::move(part));
  }
  std::vector<Section> sections;
  for (Part const& part : contents.parts)
    sections.push_back(part.section);
  contents.across = figures_across(sections);
  say_figures(contents);
  return contents;
}

} // namespace heddle::perf
