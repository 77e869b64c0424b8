// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nlohmann/json.hpp>

#include <string>

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

} // namespace

nlohmann::ordered_json row_of(MatrixAnalysis const& analysis)
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
    row[name + "_cut_seconds"] = movement.seconds;
  }
  return row;
}

} // namespace heddle::perf
