// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <report/contenders.hpp>
#include <report/figure.hpp>
#include <report/result.hpp>
#include <report/speedups.hpp>

namespace heddle::perf
{

// Results that belong together: of one operation, value type, layout and device, and of one k
// unless they are of the command formats.
struct Section
{
  std::string title;
  std::vector<Result> results;
};

// By operation, then device, type, layout and k. Titles name the device where there are several.
std::vector<Section> sections_of(std::vector<Result> const& results);

// The charts that belong to a section's operation, those without data too.
std::vector<Figure> figures_of(Section const& section);

// Charts that need more than one section: one k beside others, A^T B alone and with A B, SpMV and
// SpGEMM.
std::vector<Figure> figures_across(std::vector<Section> const& sections);

// The single ones. Papers and figures that they are after stand in what they say of themselves.
Figure gflops_by_entries(std::vector<Contender> const& contenders);
Figure roofline_share(std::vector<Contender> const& contenders);
Figure roofline(std::vector<Contender> const& contenders);
Figure performance_profile(std::vector<Contender> const& contenders);
Figure plan_cost(std::vector<Contender> const& contenders);
Figure gflops_by_heavy_share(std::vector<Result> const& results);
Figure speedup_histogram(std::vector<Speedups> const& speedups);
Figure speedups_by_entries(std::vector<Speedups> const& speedups);
std::vector<Figure> figures_of_formats(std::vector<Contender> const& contenders);
// Bars of kernels beside each other, by the mean of calls and by their median.
std::vector<Figure> gflops_by_matrix(std::vector<Contender> const& kernels);
Figure gflops_by_width(std::vector<Section> const& sections);
Figure transposed_products(std::vector<Section> const& sections);
// Of sections of SpMV and SpGEMM of one type and device: GFLOPS, and operations per word.
std::vector<Figure> operations_per_word(std::vector<Section> const& sections);

} // namespace heddle::perf
