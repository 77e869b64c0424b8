// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <report/charts.hpp>
#include <report/grouping.hpp>
#include <report/kernels.hpp>
#include <report/operations.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

// Operations and layouts in their order; of formats any k is in one section.
auto section_key(Result const& r)
{
  return std::tuple(place_of_operation(r.operation), r.operation, r.device, r.value_type,
                    r.layout == "col", r.layout, r.is_of_formats() ? 0 : r.k);
}

std::string title_of(Result const& first)
{
  std::string title = first.operation + " " + first.value_type;
  if (!first.layout.empty())
    title += first.layout == "row" ? ", row-major" : ", column-major";
  if (!first.is_of_formats() && first.k > 1)
    title += ", k = " + std::to_string(first.k);
  return title;
}

std::vector<Result> with_times(std::vector<Result> const& results)
{
  return filtered(results, [](Result const& r) { return !r.is_skipped(); });
}

// All kernels as long as each has a look of its own; else what other charts compare.
std::vector<Contender> charted_kernels(std::vector<Result> const& results,
                                       std::vector<Contender> const& contenders)
{
  constexpr std::size_t most = 2 * filled_looks;
  std::vector<Contender> charted;
  for (Kernel const& kernel : kernels_of(results))
    if (kernel.contender.role != Role::serial)
      charted.push_back(kernel.contender);
  return charted.size() <= most ? charted : contenders;
}

std::string without_k(Result const& r)
{
  return r.operation + " " + r.value_type + " " + r.layout + " " + r.device;
}

std::vector<Section> some(std::vector<Section> const& sections,
                          std::vector<std::string> const& operations)
{
  std::vector<Section> wanted;
  for (Section const& section : sections)
    if (std::find(operations.begin(), operations.end(), section.results.front().operation) !=
        operations.end())
      wanted.push_back({section.title, with_times(section.results)});
  std::erase_if(wanted, [](Section const& section) { return section.results.empty(); });
  return wanted;
}

template <class KeyOf>
auto grouped_sections(std::vector<Section> const& sections, KeyOf const& key_of)
{
  using Key = decltype(key_of(sections.front().results.front()));
  std::vector<std::pair<Key, std::vector<Section>>> groups;
  for (Section const& section : sections)
  {
    Key const key = key_of(section.results.front());
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&key](auto const& candidate) { return candidate.first == key; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {key, {}});
    group->second.push_back(section);
  }
  return groups;
}

} // namespace

std::vector<Section> sections_of(std::vector<Result> const& results)
{
  auto groups = grouped(results, section_key);
  std::stable_sort(groups.begin(), groups.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  bool const has_one_device = grouped(results, [](Result const& r) { return r.device; }).size() < 2;
  std::vector<Section> sections;
  for (auto& [unused, group] : groups)
  {
    std::string title = title_of(group.front());
    if (!has_one_device)
      title += " on " + group.front().device;
    sections.push_back({std::move(title), std::move(group)});
  }
  return sections;
}

std::vector<Figure> figures_of(Section const& section)
{
  auto const results = with_times(section.results);
  auto const contenders = contenders_of(results);
  std::string const& operation = section.results.front().operation;
  if (contenders.empty())
    return {
        {"All charts", "", {}, results.empty() ? "all cases were skipped" : "nothing to compare"}};
  std::vector<Figure> figures;
  if (results.front().is_of_formats())
    figures = figures_of_formats(contenders);
  if (operation == "formats_spmv")
    for (Figure& figure : gflops_by_matrix(charted_kernels(results, contenders)))
      figures.push_back(std::move(figure));
  figures.push_back(gflops_by_entries(contenders));
  figures.push_back(roofline_share(contenders));
  figures.push_back(performance_profile(contenders));
  auto const speedups = charted(speedups_of(results));
  figures.push_back(speedup_histogram(speedups));
  figures.push_back(speedups_by_entries(speedups));
  if (has_plan(operation))
    figures.push_back(plan_cost(contenders));
  figures.push_back(roofline(contenders));
  if (operation.starts_with("spmm"))
    figures.push_back(gflops_by_heavy_share(results));
  return figures;
}

std::vector<Figure> figures_across(std::vector<Section> const& sections)
{
  std::vector<Figure> figures;
  auto const products = some(sections, {"spmm", "spmm_t", "spmm_both"});
  for (auto const& [unused, of_ks] : grouped_sections(products, without_k))
    if (of_ks.size() > 1)
      figures.push_back(gflops_by_width(of_ks));
  auto const same_operands = [](Result const& r) {
    return std::tuple(r.value_type, r.layout, r.device, r.k);
  };
  for (auto const& [unused, of_operands] : grouped_sections(products, same_operands))
    if (of_operands.front().results.front().operation != "spmm" || of_operands.size() > 1)
      figures.push_back(transposed_products(of_operands));
  auto const same_values = [](Result const& r) { return std::pair(r.value_type, r.device); };
  for (auto const& [unused, of_values] :
       grouped_sections(some(sections, {"spmv", "spgemm"}), same_values))
    if (of_values.back().results.front().operation == "spgemm")
      for (Figure& figure : operations_per_word(of_values))
        figures.push_back(std::move(figure));
  return figures;
}

} // namespace heddle::perf
