// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <analyze/lines.hpp>

namespace heddle::perf
{

namespace
{

std::string count(std::int64_t value) { return short_number(static_cast<double>(value)); }

std::vector<std::string> bounds_of(std::string name, MultiplyWork const& work,
                                   MachineDescription const& machine, bool is_double)
{
  double const seconds = work.seconds(machine, is_double);
  return {std::move(name),
          short_number(work.flops),
          short_number(work.bytes),
          short_number(work.flops_per_byte()),
          short_number(1e3 * seconds),
          short_number(seconds > 0 ? work.flops / seconds * 1e-9 : 0),
          work.is_memory_bound(machine, is_double) ? "memory" : "arithmetic",
          short_number(work.words),
          short_number(machine.cache_bytes > 0 ? work.dense_bound_words(machine.cache_bytes) : 0)};
}

std::vector<std::string> order_line(std::string name, PatternFigures const& figures,
                                    std::string seconds)
{
  std::vector<std::string> line{std::move(name)};
  for (double const overlap : figures.overlap)
    line.push_back(short_number(overlap));
  line.push_back(short_number(100 * figures.heavy_share));
  line.push_back(count(figures.bandwidth));
  line.push_back(short_number(figures.mean_distance));
  line.push_back(std::move(seconds));
  return line;
}

} // namespace

Lines figure_lines(MatrixAnalysis const& analysis)
{
  PatternFigures const& f = analysis.figures;
  Lines lines{{"figure", "value"},
              {"rows", count(f.rows)},
              {"columns", count(f.cols)},
              {"entries", count(f.nnz)},
              {"entries per row", short_number(f.lengths.mean)},
              {"standard deviation", short_number(f.lengths.deviation)},
              {"shortest row", count(f.lengths.shortest)},
              {"longest row", count(f.lengths.longest)},
              {"empty rows", count(f.lengths.empty())}};
  lines.push_back({"additions an entry in panels", short_number(f.clusters.accumulations)});
  lines.push_back({"heavy row segments", count(f.segments)});
  lines.push_back({"products of " + analysis.product.formula, count(analysis.product.products)});
  lines.push_back({"entries of " + analysis.product.formula,
                   analysis.product.entries ? count(*analysis.product.entries) : "not counted"});
  lines.push_back({"places an entry in blocks of " + std::to_string(analysis.blocks.shape.height),
                   short_number(analysis.blocks.fill_ratio)});
  lines.push_back({"places an entry in slices", short_number(analysis.slices.fill_ratio)});
  lines.push_back({"seconds for these figures", short_number(analysis.seconds)});
  return lines;
}

Lines bound_lines(MatrixAnalysis const& analysis, MachineDescription const& machine)
{
  Lines lines{{"multiply", "flops", "bytes", "flops a byte", "ms at least", "GFLOPS at most",
               "set by", "words at least", "dense bound, words"}};
  for (char const* const operation : {"spmv", "spmm", "spgemm"})
    if (auto const [name, work] = work_of(analysis, operation); work)
      lines.push_back(bounds_of(name, *work, machine, analysis.is_double));
  return lines;
}

Lines measured_lines(MatrixAnalysis const& analysis, MachineDescription const& machine)
{
  Lines lines;
  for (MeasuredMultiply const& measured : analysis.measured)
  {
    auto const [name, work] = work_of(analysis, measured.operation);
    if (!work)
      continue;
    double const least = 1e3 * work->seconds(machine, analysis.is_double);
    std::vector<std::string> line{name};
    line.resize(6, "-");
    if (measured.milliseconds > 0)
    {
      line[1] = short_number(measured.milliseconds);
      line[2] = short_number(measured.milliseconds / least);
      line[3] = short_number(work->flops / measured.milliseconds * 1e-6);
    }
    if (measured.memory_bytes > 0)
    {
      line[4] = short_number(measured.memory_bytes);
      line[5] = short_number(measured.memory_bytes / work->bytes);
    }
    lines.push_back(std::move(line));
  }
  if (!lines.empty())
    lines.insert(lines.begin(), {"multiply", "ms measured", "over the least", "GFLOPS",
                                 "bytes counted", "over the compulsory"});
  return lines;
}

Lines order_lines(MatrixAnalysis const& analysis)
{
  Lines lines{{"order", "overlap of 2", "of 4", "of 8 rows", "heavy entries, %", "bandwidth",
               "mean distance", "seconds"}};
  lines.push_back(order_line("as it is", analysis.figures, ""));
  for (TriedOrder const& order : analysis.orders)
    lines.push_back(order_line(order.name, order.figures, short_number(order.seconds)));
  return lines;
}

} // namespace heddle::perf
