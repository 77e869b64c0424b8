// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <analyze/advice.hpp>
#include <analyze/lines.hpp>
#include <analyze/row.hpp>

namespace heddle::perf
{

namespace
{

void add_work(nlohmann::ordered_json& row, std::string const& name, MultiplyWork const& work)
{
  row[name + "_flops"] = work.flops;
  row[name + "_bytes"] = work.bytes;
  row[name + "_words"] = work.words;
}

// Names of the multiplies, and what was measured of each at the bytes counted or, where nobody
// counted, the compulsory ones.
nlohmann::ordered_json multiplies_of(MatrixAnalysis const& analysis)
{
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (char const* const operation : {"spmv", "spmm", "spgemm"})
    if (auto const [name, work] = work_of(analysis, operation); work)
      all[operation]["name"] = name;
  for (MeasuredMultiply const& measured : analysis.measured)
  {
    auto const [name, work] = work_of(analysis, measured.operation);
    if (!work || measured.milliseconds <= 0)
      continue;
    double const bytes = measured.memory_bytes > 0 ? measured.memory_bytes : work->bytes;
    all[measured.operation]["measured_ms"] = measured.milliseconds;
    all[measured.operation]["measured_flops_per_byte"] = work->flops / bytes;
  }
  return all;
}

// Pairs of where a bin of row lengths, or of distances, begins and what is in it: rows, a share.
nlohmann::ordered_json lengths_of(RowLengths const& lengths)
{
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  for (std::size_t bin = 0; bin < RowLengths::bins; ++bin)
    bins.push_back({RowLengths::least(bin), lengths.histogram[bin]});
  return bins;
}

nlohmann::ordered_json distances_of(RowSegmentFeatures const& clusters)
{
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  for (std::size_t bin = 0; bin < RowSegmentFeatures::gap_bins; ++bin)
    bins.push_back({std::stoll(RowSegmentFeatures::name(bin).substr(sizeof("gaps_") - 1)),
                    clusters.gaps[bin]});
  return bins;
}

// Entries of the pieces, row by row; -n stands for n pieces without entries.
nlohmann::ordered_json json_of(Density const& density)
{
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  std::int64_t empty = 0;
  for (std::int64_t const count : density.entries)
  {
    if (count > 0 && empty > 0)
      entries.push_back(-empty);
    if (count > 0)
      entries.push_back(count);
    empty = count > 0 ? 0 : empty + 1;
  }
  if (empty > 0)
    entries.push_back(-empty);
  return {{"height", density.height},
          {"width", density.width},
          {"most", density.most},
          {"entries", std::move(entries)}};
}

} // namespace

nlohmann::ordered_json row_of(MatrixAnalysis const& analysis, MachineDescription const& machine)
{
  PatternFigures const& figures = analysis.figures;
  nlohmann::ordered_json row{{"operation", "analyze"}, {"matrix", analysis.name},
                             {"rows", figures.rows},   {"cols", figures.cols},
                             {"nnz", figures.nnz},     {"value_type", analysis.value_type},
                             {"k", analysis.k}};
  add_work(row, "spmv", analysis.spmv);
  add_work(row, "spmm", analysis.spmm);
  row["heavy_share"] = figures.heavy_share;
  row["overlap_of_4"] = figures.overlap[1];
  row["mean_distance"] = figures.mean_distance;
  row["products"] = analysis.product.products;
  if (analysis.product.work)
  {
    row["products_nnz"] = *analysis.product.entries;
    add_work(row, "spgemm", *analysis.product.work);
  }
  for (ProductMovement const& movement : analysis.movements)
  {
    std::string const name = movement.formula == "A x" ? "spmv" : "spgemm";
    row["cache_words"] = movement.cache_words;
    row[name + "_upper_words"] = movement.upper;
    row[name + "_parts"] = movement.parts;
    row[name + "_vertices"] = movement.vertices;
    if (movement.as_it_is > 0)
      row[name + "_as_it_is_words"] = movement.as_it_is;
    row[name + "_cut_seconds"] = movement.seconds;
  }
  row["device"] = machine.device;
  row["machine_gbytes_per_s"] = machine.gbytes_per_s;
  row["machine_gflops"] = machine.gflops(analysis.is_double);
  row["multiplies"] = multiplies_of(analysis);
  row["advice"] = advice_of(analysis, machine);
  row["tables"] = {{"bounds", bound_lines(analysis, machine)},
                   {"measured", measured_lines(analysis, machine)},
                   {"figures", figure_lines(analysis)},
                   {"orders", order_lines(analysis)}};
  row["row_lengths"] = lengths_of(figures.lengths);
  row["distances"] = distances_of(figures.clusters);
  row["density"] = json_of(analysis.density);
  return row;
}

} // namespace heddle::perf
