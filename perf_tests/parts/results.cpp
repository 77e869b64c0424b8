// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>
#include <heddle/accumulator.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <parts/results.hpp>

namespace heddle::perf
{

namespace
{

template <class Number>
std::vector<Number> of_parts(PartGroup const& group, int parts, Number PartTimes::*member)
{
  std::vector<Number> numbers(static_cast<std::size_t>(parts));
  for (int p = 0; p < parts; ++p)
    numbers[static_cast<std::size_t>(p)] = group.slot(p).*member;
  return numbers;
}

// The heaviest part over the mean of all.
double excess(std::vector<std::int64_t> const& weights)
{
  std::int64_t sum = 0;
  for (std::int64_t const weight : weights)
    sum += weight;
  auto const heaviest = static_cast<double>(*std::ranges::max_element(weights));
  return sum == 0 ? 1.0 : heaviest * static_cast<double>(weights.size()) / static_cast<double>(sum);
}

std::string problem_of(PartGroup const& group, int parts)
{
  for (int p = 0; p < parts; ++p)
    if (std::string problem = group.slot(p).problem.data(); !problem.empty())
      return problem;
  return "";
}

std::string joined(std::vector<double> const& times)
{
  std::string text;
  for (double const time : times)
    text += (text.empty() ? "" : ", ") + to_text(time, 4);
  return text;
}

} // namespace

PartsTable::PartsTable(PartsProblem problem, JsonLines& json)
    : m_problem(std::move(problem))
    , m_json(json)
    , m_lines{{"cut by", "parts", "heaviest/mean", "ms", "x whole", "ms of each part"}}
{}

void PartsTable::add(PartsCase const& c, PartGroup const& group, double median_ms, int rounds)
{
  int const parts = c.parts();
  auto const places = of_parts(group, parts, &PartTimes::places);
  auto const times = of_parts(group, parts, &PartTimes::ms);
  auto const plans = of_parts(group, parts, &PartTimes::plan_ms);
  auto const residuals = of_parts(group, parts, &PartTimes::residual);
  std::string const problem = problem_of(group, parts);
  nlohmann::ordered_json row{{"operation", m_problem.operation},
                             {"matrix", m_problem.matrix},
                             {"rows", m_problem.rows},
                             {"cols", m_problem.cols},
                             {"nnz", m_problem.nnz},
                             {"k", m_problem.k},
                             {"value_type", "f64"},
                             {"index_types", "int32,int32"},
                             {"implementation", "heddle::auto"},
                             {"format", m_problem.format},
                             {"parameters", std::to_string(parts) + "," + c.cut},
                             {"parts", parts},
                             {"cut", c.cut},
                             {"device", m_problem.device}};
  if (!problem.empty())
  {
    row["skipped"] = problem;
    m_json.write(row);
    m_lines.push_back({c.cut, problem});
    m_has_wrong_results = m_has_wrong_results || problem.starts_with("wrong result");
    return;
  }
  if (m_lines.size() == 1)
    m_whole_ms = median_ms;
  row.update({{"cuts", c.cuts},
              {"part_nnz", of_parts(group, parts, &PartTimes::nnz)},
              {"part_places", places},
              {"part_ms", times},
              {"plan_ms", *std::ranges::max_element(plans)},
              {"median_ms", median_ms},
              {"rounds", rounds},
              {"residual", *std::ranges::max_element(residuals)}});
  m_json.write(row);
  m_lines.push_back({c.cut, std::to_string(parts), to_text(excess(places), 4),
                     to_text(median_ms, 4),
                     m_whole_ms > 0 ? to_text(m_whole_ms / median_ms, 3) : "-", joined(times)});
}

void PartsTable::print() const
{
  std::cout << m_problem.matrix << " (" << m_problem.rows << " x " << m_problem.cols << ", "
            << m_problem.nnz << " entries): " << m_problem.operation << " f64";
  if (m_problem.k > 1)
    std::cout << ", k = " << m_problem.k;
  std::cout << ", " << m_problem.format << ", on " << m_problem.device << "\n";
  print_table(m_lines);
  std::cout << "\n" << std::flush;
}

} // namespace heddle::perf
