// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse.hpp>
#include <baselines/hypre.hpp>
#include <baselines/kokkoskernels.hpp>
#include <commands.hpp>
#include <harness/interrupt.hpp>
#include <harness/json_lines.hpp>
#include <harness/machine.hpp>
#include <harness/memory_peak.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <multigrid/heddle_library.hpp>
#include <multigrid/problem.hpp>
#include <multigrid/solver.hpp>

namespace heddle::perf
{

namespace
{

MultigridMethod method_of(MultigridLibrary const& library) { return smoothed_aggregation(library); }
MultigridMethod method_of(MultigridMethod const& method) { return method; }

std::vector<MultigridMethod> methods(Settings const& settings)
{
  std::vector<MultigridMethod> all;
  auto const add_all = [&](auto const& some) {
    for (auto const& one : some)
      all.push_back(method_of(one));
  };
  auto const add = [&]<class Family>(Family) {
    if constexpr (Family::template is_available_v<double>)
      if (settings.wants_baseline(Family::option))
        add_all(Family::multigrid());
  };
  add_all(heddle_multigrid());
  add(KokkosKernels{});
  add(CuSparse{});
  add(Hypre{});
  return all;
}

SetupTimes medians_of(std::vector<SetupTimes> const& all)
{
  std::vector<double> whole, products;
  for (SetupTimes const& times : all)
  {
    whole.push_back(times.whole_ms);
    products.push_back(times.products_ms);
  }
  return {median(whole), median(products)};
}

// The medians of what several calls return, after one that is not counted.
template <class Setup>
SetupTimes time_setups(Settings const& settings, Setup const& setup)
{
  std::vector<SetupTimes> all;
  double spent_ms = 0;
  while (all.empty() ||
         (std::cmp_less(all.size(), settings.runs) && spent_ms < 1e3 * settings.budget_s))
  {
    all.push_back(setup());
    spent_ms += all.back().whole_ms;
  }
  return medians_of(all);
}

// |b - A x| / |b| by a plain loop on the host.
double true_residual(HostMatrix<double> const& a, MultigridVector const& b,
                     MultigridVector const& x)
{
  auto const hb = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, b);
  auto const hx = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x);
  double lost = 0, whole = 0;
  for (int i = 0; i < a.num_rows(); ++i)
  {
    double r = hb(i);
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      r -= a.values()(k) * hx(a.columns()(k));
    lost += r * r;
    whole += hb(i) * hb(i);
  }
  return std::sqrt(lost / whole);
}

struct Outcome
{
  std::string implementation;
  SetupTimes setup, again;
  std::optional<MemoryTaken> memory; // by a setup
  double cycle_ms = 0, solve_ms = 0, operator_complexity = 0, residual = 0;
  std::size_t levels = 0;
  CgResult cg;
  std::string skipped;   // why there are no times
  bool is_wrong = false; // CG says that it has converged, and has not
};

void measure(MultigridSettings const& settings, MultigridMethod const& method,
             MultigridProblem const& problem, Outcome& outcome)
{
  Settings const& common = settings.common;
  auto const solver = method.make(problem);
  outcome.memory = memory_taken([&] { solver->set_up(); });
  outcome.setup = time_setups(common, [&] { return solver->set_up(); });
  solver->renew();
  outcome.again = time_setups(common, [&] { return solver->renew(); });
  outcome.levels = solver->levels();
  outcome.operator_complexity = solver->operator_complexity();

  std::size_t const n = problem.a.num_rows();
  MultigridVector const b("heddle::perf::b", n), x("heddle::perf::x", n);
  Kokkos::deep_copy(Exec{}, b, 1.0);
  Effort const effort{common.runs, common.budget_s};
  auto const on_host = [](Exec const& exec, auto const& call) {
    return host_milliseconds(exec, call);
  };
  outcome.cycle_ms = median(time_calls_with(on_host, Exec{}, effort, [&] { solver->cycle(b); }));
  outcome.solve_ms = median(time_calls_with(on_host, Exec{}, effort, [&] {
    outcome.cg = solver->solve(b, x, settings.tolerance, settings.iterations);
  }));
  outcome.residual = true_residual(problem.a, b, x);
  bool const says_converged = outcome.cg.residual <= settings.tolerance;
  outcome.is_wrong = says_converged && !(outcome.residual <= 2 * settings.tolerance);
  if (!says_converged)
    outcome.skipped = "no convergence in " + std::to_string(outcome.cg.iterations) +
                      " iterations: relative residual " + to_text(outcome.residual, 2);
  if (outcome.is_wrong)
    outcome.skipped = "wrong result: relative residual " + to_text(outcome.residual, 2);
}

Outcome outcome_of(MultigridSettings const& settings, MultigridMethod const& method,
                   MultigridProblem const& problem)
{
  Outcome outcome;
  outcome.implementation = method.name;
  PooledMemory const pool;
  try
  {
    measure(settings, method, problem, outcome);
  }
  catch (std::exception const& error)
  {
    outcome.skipped = error.what();
  }
  return outcome;
}

nlohmann::ordered_json json_of(MultigridProblem const& problem, Settings const& settings,
                               Outcome const& outcome)
{
  HostMatrix<double> const& a = problem.a;
  nlohmann::ordered_json row{{"operation", "multigrid"},
                             {"matrix", problem.name},
                             {"rows", a.num_rows()},
                             {"cols", a.num_cols()},
                             {"nnz", a.nnz()},
                             {"value_type", "f64"},
                             {"implementation", outcome.implementation}};
  if (outcome.memory)
  {
    row["setup_peak_bytes"] = outcome.memory->peak;
    if (outcome.memory->kept > 0)
      row["setup_kept_bytes"] = outcome.memory->kept;
  }
  if (outcome.levels > 0)
    row.update({{"levels", outcome.levels}, {"operator_complexity", outcome.operator_complexity}});
  if (outcome.skipped.empty())
    row.update({{"setup_ms", outcome.setup.whole_ms},
                {"setup_products_ms", outcome.setup.products_ms},
                {"again_ms", outcome.again.whole_ms},
                {"again_products_ms", outcome.again.products_ms},
                {"cycle_ms", outcome.cycle_ms},
                {"solve_ms", outcome.solve_ms},
                {"iterations", outcome.cg.iterations},
                {"residual", outcome.residual}});
  else
    row["skipped"] = outcome.skipped;
  auto const name = outcome.implementation.substr(0, outcome.implementation.find("::"));
  if (auto const library = settings.library_versions.find(name);
      library != settings.library_versions.end())
    row["library"] = library->second;
  row["device"] = device_name();
  return row;
}

std::vector<std::string> line_of(Outcome const& o)
{
  if (!o.skipped.empty())
    return {"  " + o.implementation, "skipped: " + o.skipped};
  std::vector<std::string> line{"  " + o.implementation};
  for (double const ms : {o.setup.whole_ms, o.setup.products_ms, o.again.whole_ms,
                          o.again.products_ms, o.cycle_ms, o.solve_ms})
    line.push_back(short_number(ms));
  line.push_back(std::to_string(o.cg.iterations));
  line.push_back(o.levels > 0 ? std::to_string(o.levels) : "");
  line.push_back(o.levels > 0 ? to_text(o.operator_complexity, 3) : "");
  line.push_back(o.memory ? short_number(static_cast<double>(o.memory->peak) / 1e6) : "");
  return line;
}

} // namespace

bool bench_multigrid(MultigridSettings const& settings, LoadedMatrix const& loaded, JsonLines& json)
{
  MultigridProblem const problem = multigrid_problem(loaded, settings.is_laplacian);
  std::cout << problem.name << " (" << problem.a.num_rows() << " x " << problem.a.num_cols() << ", "
            << problem.a.nnz() << " entries): multigrid f64, times in ms\n";
  std::vector<std::vector<std::string>> table{{"", "setup", "products", "again", "products",
                                               "cycle", "solve", "iterations", "levels",
                                               "operators", "peak MB"}};
  bool is_right = true;
  for (MultigridMethod const& method : methods(settings.common))
  {
    if (interrupted_by() != 0)
      break;
    Outcome const outcome = outcome_of(settings, method, problem);
    json.write(json_of(problem, settings.common, outcome));
    table.push_back(line_of(outcome));
    is_right = is_right && !outcome.is_wrong;
  }
  print_table(table);
  return is_right;
}

} // namespace heddle::perf
