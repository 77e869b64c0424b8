// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The commands spmv, spmm and spgemm on matrices of the zoo, one matrix after another: each is made
// or read once, and what takes more memory than there is leaves rows that say so.

#include <commands.hpp>
#include <harness/for_each_type.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <names.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <regret/kernels.hpp>
#include <zoo/list.hpp>

namespace heddle::perf
{

namespace
{

ImplementationNames implementations_of(std::string const& operation)
{
  if (operation == "spmv")
    return spmv_implementations();
  return operation == "spmm" ? spmm_implementations() : spgemm_implementations();
}

// Operations of rows: with both phases of SpGEMM, and A^T where it is asked for.
std::vector<std::string> rows_of(std::string const& operation, std::vector<std::string> const& ops)
{
  if (operation == "spgemm")
    return {"spgemm", "spgemm_numeric"};
  std::vector<std::string> all;
  all.reserve(ops.size());
  for (std::string const& op : ops)
    all.push_back(op == "t" ? operation + "_t" : operation);
  return all;
}

// Of B and C of SpMM in memory, beside A.
double operand_bytes(LoadedMatrix const& loaded, std::string const& type, int k)
{
  return std::visit(
      [&]<class Value>(HostMatrix<Value> const& a) {
        double const value_bytes = static_cast<double>(sizeof(Value)) / (type == "f32" ? 2 : 1);
        return value_bytes * (static_cast<double>(a.num_rows()) + a.num_cols()) * k +
               static_cast<double>(a.nnz()) * (value_bytes + sizeof(int));
      },
      loaded.matrix);
}

// One matrix of the zoo through everything that is asked for.
class RegretBench
{
public:
  RegretBench(RegretSettings const& settings, Report& report, LoadedMatrix const& matrix)
      : m_settings(settings)
      , m_report(report)
      , m_matrix(matrix)
  {}

  void run() const
  {
    for (std::string const& operation : m_settings.operations)
      for (std::string const& type : m_settings.common.types)
      {
        Settings one = m_settings.common;
        one.types = {type};
        one.implementations =
            compared_names(operation, implementations_of(operation).built, one.implementations);
        if (operation == "spmm")
          run_spmm(one);
        else
          run_part(operation, one, operation == "spmv" ? bench_spmv : bench_square);
      }
  }

private:
  using Bench = void (*)(Settings const&, Report&, LoadedMatrix const&);

  void run_spmm(Settings const& settings) const
  {
    for (int const k : settings.widths)
    {
      Settings one = settings;
      one.widths = {k};
      double const bytes = operand_bytes(m_matrix, settings.types.front(), k);
      auto const available = static_cast<double>(impl::available_bytes(Exec{}));
      constexpr double most = 0.9;
      if (bytes > most * available)
        skip("spmm", one,
             "no memory: A, B and C take " + to_text(bytes * 1e-9, 4) + " GB, of which " +
                 to_text(available * 1e-9, 4) + " are available");
      else
        run_part("spmm", one, bench_spmm);
    }
  }

  // Operands, unlike plans and results, are made before a case begins.
  void run_part(std::string const& operation, Settings const& settings, Bench bench) const
  {
    std::string missing;
    try
    {
      try
      {
        bench(settings, m_report, m_matrix);
      }
      catch (...)
      {
        impl::rethrow_out_of_memory("perf");
      }
    }
    catch (OutOfMemory const& problem)
    {
      missing = problem.what();
    }
    if (!missing.empty())
      skip(operation, settings, missing);
  }

  // A row of heddle::auto for each case, so that the case stays in every mean.
  void skip(std::string const& operation, Settings const& settings, std::string const& why) const
  {
    auto const layouts = operation == "spmm" ? settings.layouts : std::vector<std::string>{""};
    for_each_type(settings, m_matrix, [&](auto const& a) {
      for (std::string const& name : rows_of(operation, settings.ops))
        for (std::string const& layout : layouts)
        {
          Record record =
              record_of(name, m_matrix, a, operation == "spmm" ? settings.widths.front() : 1);
          record.layout = layout;
          record.implementation = "heddle::auto";
          record.index_types = "int32,int32";
          if (!m_report.begin(record))
            continue;
          record.skipped = why;
          m_report.add(record);
        }
    });
    m_report.end_group();
  }

  RegretSettings const& m_settings;
  Report& m_report;
  LoadedMatrix const& m_matrix;
};

LoadedMatrix load(ZooEntry const& entry)
{
  LoadedMatrix matrix =
      entry.family == real_family ? load_file(entry.stands_for) : load_gallery(entry.name);
  matrix.family = entry.family;
  matrix.part = to_string(entry.part);
  return matrix;
}

// Says that all cases of the matrix are in the file.
nlohmann::ordered_json finished_row(ZooEntry const& entry, RegretSettings const& settings)
{
  return {{"operation", "regret"},  {"matrix", entry.name},
          {"family", entry.family}, {"part", to_string(entry.part)},
          {"rows", entry.rows},     {"cols", entry.cols},
          {"nnz", entry.entries},   {"k", 1},
          {"implementation", ""},   {"parameters", scope_of(settings)}};
}

// False where the time was over, or a signal came, before all cases had run.
bool bench_matrix(RegretSettings const& settings, Report& report, ZooEntry const& entry,
                  std::string const& place)
{
  using Clock = std::chrono::steady_clock;
  auto const start = Clock::now();
  int const before = report.count();
  Report::progress("making " + entry.name);
  {
    LoadedMatrix const matrix = load(entry);
    RegretBench(settings, report, matrix).run();
  }
  if (report.is_out_of_time())
    return false;
  std::chrono::duration<double> const spent = Clock::now() - start;
  auto row = finished_row(entry, settings);
  row["cases"] = report.count() - before;
  row["seconds"] = spent.count();
  report.write(row);
  Report::progress("");
  std::cout << place << " " << entry.name << " (" << to_string(entry.part) << "), " << entry.rows
            << " x " << entry.cols << ": " << report.count() - before << " cases in "
            << to_text(spent.count(), 3) << " s\n"
            << std::flush;
  return true;
}

} // namespace

RegretSettings checked_regret(RegretSettings settings)
{
  ImplementationNames names;
  for (std::string const& operation : settings.operations)
  {
    ImplementationNames const some = implementations_of(operation);
    add_names(names.built, some.built);
    add_names(names.elsewhere, some.elsewhere);
  }
  settings.common = checked(settings.common, names);
  return settings;
}

void bench_regret(RegretSettings const& settings, std::vector<ZooEntry> const& all, Report& report)
{
  std::vector<ZooEntry> left;
  std::ranges::copy_if(all, std::back_inserter(left), [&](ZooEntry const& entry) {
    return !report.is_finished(finished_row(entry, settings));
  });
  std::cout << all.size() << " matrices, " << all.size() - left.size() << " of them finished before"
            << "\n"
            << std::flush;
  for (std::size_t n = 0; n < left.size() && report.has_time(); ++n)
    if (!bench_matrix(settings, report, left[n],
                      std::to_string(n + 1) + "/" + std::to_string(left.size())))
      break;
}

} // namespace heddle::perf
