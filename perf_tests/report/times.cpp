// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <report/grouping.hpp>
#include <report/kernels.hpp>
#include <report/times.hpp>

namespace heddle::perf
{

namespace
{

using Lines = std::vector<std::vector<std::string>>;

// "3.35e-05", as the paper writes it.
std::string seconds_text(double ms)
{
  if (!std::isfinite(ms))
    return "-";
  std::ostringstream text;
  text << std::scientific << std::setprecision(2) << 1e-3 * ms;
  return text.str();
}

bool is_skipped_on(Kernel const& kernel, std::string const& problem)
{
  return std::any_of(kernel.skipped.begin(), kernel.skipped.end(),
                     [&problem](Result const& r) { return problem_name(r) == problem; });
}

// Three lines, of which those without a word are left out.
Lines heads_of(std::vector<Kernel> const& kernels)
{
  Lines heads;
  for (std::size_t n = 0; n < kernels.front().head.size(); ++n)
  {
    bool const is_last = n + 1 == kernels.front().head.size();
    std::vector<std::string> line{is_last ? "matrix" : "", is_last ? "rows" : "",
                                  is_last ? "entries" : ""};
    for (Kernel const& kernel : kernels)
      line.push_back(kernel.head.at(n));
    if (is_last || std::any_of(line.begin(), line.end(),
                               [](std::string const& word) { return !word.empty(); }))
      heads.push_back(std::move(line));
  }
  return heads;
}

std::string table_of(std::vector<Kernel> const& kernels, Groups<std::string> const& problems,
                     double Result::*time)
{
  Lines lines = heads_of(kernels);
  for (auto const& [problem, results] : problems)
  {
    Result const& first = results.front();
    std::vector<std::string> line{problem, std::to_string(first.rows), std::to_string(first.nnz)};
    for (Kernel const& kernel : kernels)
    {
      Result const* const r = kernel.contender.on(problem);
      if (r != nullptr)
        line.push_back(seconds_text(r->*time));
      else
        line.emplace_back(is_skipped_on(kernel, problem) ? "skipped" : "-");
    }
    lines.push_back(std::move(line));
  }
  return table_text(lines);
}

// "of 1000 calls", "of 5 to 1000 calls": the budget may have cut some short.
std::string calls_text(std::vector<Result> const& results)
{
  double least = 0, most = 0;
  for (Result const& r : results)
    if (!r.is_skipped() && std::isfinite(r.runs))
    {
      least = most == 0 ? r.runs : std::min(least, r.runs);
      most = std::max(most, r.runs);
    }
  if (most == 0)
    return "";
  std::ostringstream text;
  text << " of ";
  if (least < most)
    text << least << " to ";
  text << most << " calls";
  return text.str();
}

// One line a matrix and reason.
std::string reasons_of(std::vector<Kernel> const& kernels)
{
  std::vector<std::pair<std::pair<std::string, std::string>, std::string>> reasons;
  for (Kernel const& kernel : kernels)
    for (Result const& r : kernel.skipped)
    {
      std::pair const key(problem_name(r), r.skipped);
      auto const known = std::find_if(reasons.begin(), reasons.end(),
                                      [&key](auto const& reason) { return reason.first == key; });
      if (known == reasons.end())
        reasons.emplace_back(key, kernel.contender.name);
      else
        known->second += "; " + kernel.contender.name;
    }
  std::string text;
  for (auto const& [key, names] : reasons)
    text.append("  skipped on ")
        .append(key.first)
        .append(": ")
        .append(names)
        .append(": ")
        .append(key.second)
        .append("\n");
  return text;
}

std::string times_of(Section const& section)
{
  auto const all = kernels_of(section.results);
  auto with_times = all;
  std::erase_if(with_times, [](Kernel const& kernel) { return kernel.contender.results.empty(); });
  std::string text = section.title + " (" + section.results.front().device + ")\n";
  if (!with_times.empty())
  {
    auto const problems = grouped(section.results, problem_name);
    std::string const calls = calls_text(section.results);
    if (std::any_of(section.results.begin(), section.results.end(),
                    [](Result const& r) { return std::isfinite(r.mean_ms); }))
      text += "\nseconds a call, mean" + calls + "\n" +
              table_of(with_times, problems, &Result::mean_ms);
    text += "\nseconds a call, median" + calls + "\n" +
            table_of(with_times, problems, &Result::median_ms);
  }
  std::string const reasons = reasons_of(all);
  return text + (reasons.empty() ? "" : "\n" + reasons);
}

} // namespace

std::string times_text(std::vector<Section> const& sections)
{
  std::string text;
  for (Section const& section : sections)
    text += (text.empty() ? "" : "\n") + times_of(section);
  return text;
}

} // namespace heddle::perf
