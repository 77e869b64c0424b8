// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <analyze/advice.hpp>

namespace heddle::perf
{

namespace
{

// Where bundles of rows begin to pay, and what may be padded: docs/spmm.md, docs/spmv.md.
constexpr double shared_enough = 1.5, padded_too_much = 1.25;
// An order has to be better by this much to be worth a word.
constexpr double worth_it = 1.2;

std::string number(double value) { return short_number(value); }

std::string limit_of(char const* name, MultiplyWork const& work, MachineDescription const& machine,
                     bool is_double)
{
  double const seconds = work.seconds(machine, is_double);
  bool const is_memory = work.is_memory_bound(machine, is_double);
  return std::string(name) + " takes at least " + number(1e3 * seconds) + " ms, set by " +
         (is_memory ? "memory" : "arithmetic") + ": " + number(work.flops / seconds * 1e-9) +
         " GFLOPS at " + number(work.flops_per_byte()) + " flops a byte.";
}

std::string spmv_advice(MatrixAnalysis const& analysis)
{
  RowLengths const& lengths = analysis.figures.lengths;
  if (analysis.blocks.shape.height > 1 && analysis.blocks.fill_ratio <= padded_too_much)
    return "SpMV: blocks of " + std::to_string(analysis.blocks.shape.height) + " x " +
           std::to_string(analysis.blocks.shape.width) + " (BSR) take " +
           number(analysis.blocks.fill_ratio) +
           " places an entry, and one column index for each block.";
  if (analysis.slices.fill_ratio <= padded_too_much)
    return "SpMV: slices (SELL of height " + std::to_string(analysis.slices.shape.height) +
           ", sigma " + std::to_string(analysis.slices.shape.sigma) + ") take " +
           number(analysis.slices.fill_ratio) +
           " places an entry; a plan with may_convert times them against CSR.";
  if (static_cast<double>(lengths.longest) > 100 * lengths.mean)
    return "SpMV: CSR; the longest row has " + std::to_string(lengths.longest) +
           " entries where the mean is " + number(lengths.mean) +
           ", so that only kernels that cut rows are balanced, which the plan sees.";
  return "SpMV: CSR; slices would take " + number(analysis.slices.fill_ratio) + " places an entry.";
}

std::string spmm_advice(PatternFigures const& figures)
{
  if (figures.overlap[1] >= shared_enough)
    return "SpMM: in bundles of four rows one load of a row of B serves " +
           number(figures.overlap[1]) +
           " entries; plans on CSR take row bundles on GPUs where it is so.";
  if (figures.heavy_share >= 0.5)
    return "SpMM: " + number(100 * figures.heavy_share) +
           " % of the entries lie in heavy row segments; a RowSegmentedMatrix may pay.";
  return "SpMM: CSR; neighbouring rows share few columns (" + number(figures.overlap[1]) +
         " entries a load in bundles of four), and " + number(100 * figures.heavy_share) +
         " % of the entries lie in heavy row segments.";
}

// What an order of rows changes: loads of B that SpMM shares, and how far in x a row reaches.
std::string order_advice(TriedOrder const& order, PatternFigures const& before,
                         MultiplyWork const& spmv, MachineDescription const& machine)
{
  std::string text;
  double const shared = order.figures.overlap[1] / before.overlap[1];
  if (shared >= worth_it)
    text = "one load of a row of B serves " + number(order.figures.overlap[1]) +
           " entries in place of " + number(before.overlap[1]) +
           " (bundles of four rows): SpMM gathers " + number(1 / shared) + " of what it does now";
  auto const x_bytes = static_cast<double>(before.cols) * static_cast<double>(spmv.value_bytes);
  bool const has_near = order.figures.mean_distance * worth_it < before.mean_distance;
  if (has_near && x_bytes > static_cast<double>(machine.cache_bytes))
    text += std::string(text.empty() ? "" : "; ") + "entries are " +
            number(order.figures.mean_distance) + " columns from the diagonal in place of " +
            number(before.mean_distance) + ", and x does not fit the cache";
  return "Order \"" + order.name + "\" (" + number(order.seconds) +
         " s on this host): " + (text.empty() ? "no gain to expect" : text) + ".";
}

std::string product_advice(SparseProduct const& product, MachineDescription const& machine,
                           bool is_double)
{
  if (!product.work)
    return "SpGEMM: " + product.formula + " has " + std::to_string(product.products) +
           " products, more than --max-products; its result was not counted.";
  double const compression =
      static_cast<double>(product.products) / static_cast<double>(*product.entries);
  return "SpGEMM: " + limit_of(product.formula.c_str(), *product.work, machine, is_double) +
         " Each entry of C sums " + number(compression) + " products.";
}

std::string measured_advice(MeasuredMultiply const& measured, std::string const& name,
                            MultiplyWork const& work, MachineDescription const& machine,
                            bool is_double)
{
  std::string text = name + ":";
  if (measured.milliseconds > 0)
    text += " measured " + number(measured.milliseconds) + " ms, " +
            number(1e-3 * measured.milliseconds / work.seconds(machine, is_double)) +
            " times the least";
  if (measured.memory_bytes > 0)
    text += std::string(measured.milliseconds > 0 ? ";" : "") + " a call moves " +
            number(measured.memory_bytes / work.bytes) + " times the compulsory bytes";
  return text + ".";
}

std::string movement_advice(ProductMovement const& movement)
{
  auto const words = [](std::int64_t n) { return short_number(static_cast<double>(n)); };
  double const ratio = static_cast<double>(movement.upper) / static_cast<double>(movement.lower);
  std::string const multiply = movement.formula == "A x" ? "SpMV" : "SpGEMM";
  return multiply + ": through a cache of " + words(movement.cache_words) + " words " +
         movement.formula + " moves at least " + words(movement.lower) + " words and, in " +
         std::to_string(movement.parts) + (movement.parts == 1 ? " part" : " parts") +
         ", at most " + words(movement.upper) + ", " + number(ratio) + " times as many (found in " +
         number(movement.seconds) + " s).";
}

} // namespace

std::vector<std::string> advice_of(MatrixAnalysis const& analysis,
                                   MachineDescription const& machine)
{
  if (analysis.figures.nnz == 0)
    return {"The matrix has no entries."};
  std::string const spmm = "SpMM with k = " + std::to_string(analysis.k);
  std::vector<std::string> advice{
      spmv_advice(analysis), limit_of("SpMV", analysis.spmv, machine, analysis.is_double),
      spmm_advice(analysis.figures),
      limit_of(spmm.c_str(), analysis.spmm, machine, analysis.is_double),
      product_advice(analysis.product, machine, analysis.is_double)};
  for (MeasuredMultiply const& measured : analysis.measured)
    if (auto const [name, work] = work_of(analysis, measured.operation); work)
      advice.push_back(measured_advice(measured, name, *work, machine, analysis.is_double));
  for (ProductMovement const& movement : analysis.movements)
    advice.push_back(movement_advice(movement));
  for (TriedOrder const& order : analysis.orders)
    advice.push_back(order_advice(order, analysis.figures, analysis.spmv, machine));
  return advice;
}

} // namespace heddle::perf
