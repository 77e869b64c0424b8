// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/json_lines.hpp>
#include <harness/table.hpp>
#include <heddle/impl/require.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <compare/join.hpp>
#include <compare/peer_table.hpp>
#include <compare/result_files.hpp>
#include <compare/settings.hpp>
#include <compare/statistics.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

using Lines = std::vector<std::vector<std::string>>;

struct Inputs
{
  std::vector<Timing> table, results;
};

Inputs read_inputs(PeersSettings const& settings)
{
  Inputs inputs;
  std::vector<std::string> results;
  for (std::string const& file : settings.files)
    if (file.ends_with(".csv"))
      for (Timing const& timing : read_peer_table(file, settings.table))
        inputs.table.push_back(timing);
    else
      results.push_back(file);
  impl::require(!inputs.table.empty(), "perf", "no table of peers: name a file that ends in .csv");
  impl::require(!results.empty(), "perf", "no results: name files that --json wrote");
  ReadTimings read = read_timings(results);
  print_left_out(read);
  inputs.results = std::move(read.timings);
  return inputs;
}

std::string joined_text(std::vector<std::string> const& texts)
{
  std::string all;
  for (std::string const& text : texts)
    all += (all.empty() ? "" : ", ") + text;
  return all;
}

void print_list(std::string const& what, std::vector<std::string> const& items)
{
  if (!items.empty())
    std::cout << "  " << what << ": " << joined_text(items) << "\n";
}

nlohmann::ordered_json json_of(char const* kind, Problem const& problem, std::string const& matrix,
                               std::int64_t nnz, Best const& ours)
{
  nlohmann::ordered_json object = {{"joined", kind},   {"operation", problem.operation},
                                   {"matrix", matrix}, {"nnz", nnz},
                                   {"k", problem.k},   {"value_type", problem.value_type}};
  if (!problem.layout.empty())
    object["layout"] = problem.layout;
  object["implementation"] = ours.implementation;
  object["median_ms"] = ours.ms;
  return object;
}

// ---- our times beside those of peers ------------------------------------------------------------

// The peers' times that are shown: the fastest of all, then of each family.
Best shown(JoinedMatrix const& joined, std::string const& family)
{
  if (family.empty())
    return joined.fastest_peer;
  auto const best = joined.fastest_of.find(family);
  return best == joined.fastest_of.end() ? Best() : best->second;
}

void add_cells(std::vector<std::string>& line, JoinedMatrix const& joined, Best const& peer)
{
  if (peer.is_there())
    line.insert(line.end(),
                {peer.implementation, ms_text(peer.ms), to_text(joined.ratio_to(peer), 3)});
  else
    line.insert(line.end(), {"", "", ""});
}

void print_means(JoinedProblem const& problem, std::vector<std::string> const& columns)
{
  for (std::string const& family : columns)
  {
    std::vector<double> ratios;
    JoinedMatrix const* least = nullptr;
    for (JoinedMatrix const& joined : problem.matrices)
    {
      Best const peer = shown(joined, family);
      if (!peer.is_there())
        continue;
      double const ratio = joined.ratio_to(peer);
      if (least == nullptr || ratio < *std::min_element(ratios.begin(), ratios.end()))
        least = &joined;
      ratios.push_back(ratio);
    }
    if (least == nullptr)
      continue;
    RatioSummary const summary = summary_of(ratios);
    std::cout << "  over " << (family.empty() ? "the fastest peer" : family) << ": geometric mean "
              << to_text(summary.geometric_mean, 3) << ", least " << to_text(summary.least, 3)
              << " (" << least->matrix << "), " << summary.count << " matrices\n";
  }
}

void print_problem(JoinedProblem const& problem, PeersSettings const& settings)
{
  std::vector<std::string> columns = {""};
  columns.insert(columns.end(), settings.families.begin(), settings.families.end());
  Lines lines = {{"matrix", settings.implementation + " ms"}};
  for (std::string const& family : columns)
    lines[0].insert(lines[0].end(), {family.empty() ? "fastest peer" : family, "ms", "ratio"});
  for (JoinedMatrix const& joined : problem.matrices)
  {
    lines.push_back({joined.matrix, ms_text(joined.ours.ms)});
    for (std::string const& family : columns)
      add_cells(lines.back(), joined, shown(joined, family));
  }
  std::cout << to_text(problem.problem) << ": time of the peer over ours\n";
  print_table(lines);
  print_means(problem, columns);
  print_list("no result for these matrices of the table", problem.without_result);
  print_list("no peer for these matrices", problem.without_peer);
  print_list("left out, other matrices of the same name", problem.of_other_size);
  std::cout << "\n";
}

void add_rows(std::vector<nlohmann::ordered_json>& rows, JoinedProblem const& problem)
{
  for (JoinedMatrix const& joined : problem.matrices)
  {
    auto object = json_of("peers", problem.problem, joined.matrix, joined.nnz, joined.ours);
    object["peer"] = joined.fastest_peer.implementation;
    object["peer_ratio"] = joined.ratio_to(joined.fastest_peer);
    for (auto const& [family, best] : joined.fastest_of)
      object["families"][family] = {{"peer", best.implementation},
                                    {"peer_ratio", joined.ratio_to(best)}};
    rows.push_back(object);
  }
}

void print_peers(Inputs const& inputs, PeersSettings const& settings)
{
  Joined const joined =
      join(inputs.table, inputs.results, settings.implementation, settings.families);
  std::vector<nlohmann::ordered_json> rows;
  for (JoinedProblem const& problem : joined.problems)
  {
    print_problem(problem, settings);
    add_rows(rows, problem);
  }
  write_json_lines(settings.json, rows);
  for (Problem const& problem : joined.without_results)
    std::cout << "only in the table: " << to_text(problem) << "\n";
  for (Problem const& problem : joined.without_peers)
    std::cout << "only in the results: " << to_text(problem) << "\n";
}

// ---- the same baselines, measured here and for the table ----------------------------------------

struct AgreementCount
{
  std::size_t agreeing = 0, all = 0;
};

AgreementCount print_agreement(Agreement const& agreement, double tolerance)
{
  Lines lines = {{"matrix", "here", "ms", "in the table", "ms", "here / table", "agrees"}};
  AgreementCount count;
  std::vector<double> ratios;
  for (MeasuredTwice const& twice : agreement.matrices)
  {
    bool const agrees = twice.agrees(tolerance);
    count.agreeing += agrees ? 1 : 0;
    ratios.push_back(twice.ratio());
    lines.push_back({twice.matrix, twice.ours.implementation, ms_text(twice.ours.ms),
                     twice.theirs.implementation, ms_text(twice.theirs.ms),
                     to_text(twice.ratio(), 3), agrees ? "yes" : "OFF"});
  }
  count.all = ratios.size();
  std::cout << to_text(agreement.problem) << ", " << agreement.family << "\n";
  if (!ratios.empty())
  {
    RatioSummary const summary = summary_of(ratios);
    print_table(lines);
    std::cout << "  " << count.agreeing << " of " << count.all << " agree; geometric mean "
              << to_text(summary.geometric_mean, 3) << ", least " << to_text(summary.least, 3)
              << ", most " << to_text(summary.most, 3) << "\n";
  }
  print_list("not measured here", agreement.not_measured);
  print_list("left out, other matrices of the same name", agreement.of_other_size);
  std::cout << "\n";
  return count;
}

void print_agreements(Inputs const& inputs, PeersSettings const& settings)
{
  std::vector<nlohmann::ordered_json> rows;
  AgreementCount total;
  std::vector<std::string> not_measured;
  for (Agreement const& agreement : agreements(inputs.table, inputs.results, settings.families))
  {
    if (agreement.matrices.empty() && agreement.of_other_size.empty())
    {
      not_measured.push_back(to_text(agreement.problem) + ", " + agreement.family);
      continue;
    }
    AgreementCount const count = print_agreement(agreement, settings.tolerance);
    total.agreeing += count.agreeing;
    total.all += count.all;
    for (MeasuredTwice const& twice : agreement.matrices)
    {
      auto object = json_of("agreement", agreement.problem, twice.matrix, twice.nnz, twice.ours);
      object["peer"] = twice.theirs.implementation;
      object["ratio"] = twice.ratio();
      rows.push_back(object);
    }
  }
  write_json_lines(settings.json, rows);
  for (std::string const& text : not_measured)
    std::cout << "only in the table: " << text << "\n";
  std::cout << total.agreeing << " of " << total.all << " agree within "
            << 100.0 * settings.tolerance << " %\n";
}

} // namespace

void compare_with_peers(PeersSettings const& settings)
{
  Inputs const inputs = read_inputs(settings);
  if (settings.has_agreement)
    print_agreements(inputs, settings);
  else
    print_peers(inputs, settings);
}

} // namespace heddle::perf
