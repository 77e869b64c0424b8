// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse.hpp>
#include <baselines/kokkoskernels.hpp>
#include <commands.hpp>
#include <harness/interrupt.hpp>
#include <harness/json_lines.hpp>
#include <harness/machine.hpp>
#include <harness/operands.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <multigrid/heddle_library.hpp>
#include <multigrid/hierarchy.hpp>

namespace heddle::perf
{

namespace
{

std::vector<MultigridLibrary> libraries(Settings const& settings)
{
  std::vector<MultigridLibrary> all = heddle_multigrid();
  auto const add = [&]<class Family>(Family) {
    if constexpr (Family::template is_available_v<double>)
      if (settings.wants_baseline(Family::option))
        for (MultigridLibrary const& library : Family::multigrid())
          all.push_back(library);
  };
  add(KokkosKernels{});
  add(CuSparse{});
  return all;
}

struct Medians
{
  double whole_ms = 0, products_ms = 0;
};

Medians medians_of(std::vector<Hierarchy::SetupTimes> const& all)
{
  std::vector<double> whole, products;
  for (Hierarchy::SetupTimes const& times : all)
  {
    whole.push_back(times.whole_ms);
    products.push_back(times.products_ms);
  }
  return {median(whole), median(products)};
}

// setup() several times, the first not counted; returns the times that it returns.
template <class Setup>
Medians time_setups(Settings const& settings, Setup const& setup)
{
  std::vector<Hierarchy::SetupTimes> all;
  double spent_ms = 0;
  setup();
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
  Medians setup, again;
  double cycle_ms = 0, solve_ms = 0, operator_complexity = 0, residual = 0;
  std::size_t levels = 0;
  CgResult cg;
  std::string skipped;   // why there are no times
  bool is_wrong = false; // CG says that it has converged, and has not
};

void scale_values(MultigridMatrix const& a, double factor)
{
  Kokkos::parallel_for(
      "heddle::perf::scale", Kokkos::RangePolicy<Exec>(Exec{}, 0, a.nnz()),
      KOKKOS_LAMBDA(std::size_t k) { a.values()(k) *= factor; });
}

void measure(MultigridSettings const& settings, MultigridLibrary const& library,
             HostMatrix<double> const& host, MultigridMatrix const& a, Outcome& outcome)
{
  Settings const& common = settings.common;
  std::unique_ptr<Hierarchy> hierarchy;
  outcome.setup = time_setups(common, [&] {
    hierarchy.reset();
    hierarchy = std::make_unique<Hierarchy>(library, a);
    return hierarchy->times();
  });
  outcome.again = time_setups(common, [&] {
    for (double const factor : {2.0, 0.5})
    {
      scale_values(a, factor);
      hierarchy->renew();
    }
    return hierarchy->times();
  });
  outcome.levels = hierarchy->levels().size();
  outcome.operator_complexity = hierarchy->operator_complexity();

  MultigridVector const b("heddle::perf::b", a.num_rows()), x("heddle::perf::x", a.num_rows());
  Kokkos::deep_copy(Exec{}, b, 1.0);
  Kokkos::deep_copy(Exec{}, hierarchy->finest().b, b);
  Effort const effort{common.runs, common.budget_s};
  auto const on_host = [](Exec const& exec, auto const& call) {
    return host_milliseconds(exec, call);
  };
  outcome.cycle_ms = median(time_calls_with(on_host, Exec{}, effort, [&] { hierarchy->cycle(); }));
  outcome.solve_ms = median(time_calls_with(on_host, Exec{}, effort, [&] {
    outcome.cg = solve(*hierarchy, b, x, settings.tolerance, settings.iterations);
  }));
  outcome.residual = true_residual(host, b, x);
  bool const says_converged = outcome.cg.residual <= settings.tolerance;
  outcome.is_wrong = says_converged && !(outcome.residual <= 2 * settings.tolerance);
  if (!says_converged)
    outcome.skipped = "no convergence in " + std::to_string(outcome.cg.iterations) +
                      " iterations: relative residual " + to_text(outcome.residual, 2);
  if (outcome.is_wrong)
    outcome.skipped = "wrong result: relative residual " + to_text(outcome.residual, 2);
}

Outcome outcome_of(MultigridSettings const& settings, MultigridLibrary const& library,
                   HostMatrix<double> const& host)
{
  Outcome outcome;
  outcome.implementation = library.name;
  PooledMemory const pool;
  try
  {
    measure(settings, library, host, on_device<int>(host), outcome);
  }
  catch (std::exception const& error)
  {
    outcome.skipped = error.what();
  }
  return outcome;
}

nlohmann::ordered_json json_of(LoadedMatrix const& loaded, HostMatrix<double> const& a,
                               Settings const& settings, Outcome const& outcome)
{
  nlohmann::ordered_json row{{"operation", "multigrid"},
                             {"matrix", loaded.name},
                             {"rows", a.num_rows()},
                             {"cols", a.num_cols()},
                             {"nnz", a.nnz()},
                             {"value_type", "f64"},
                             {"implementation", outcome.implementation}};
  if (outcome.skipped.empty())
    row.update({{"levels", outcome.levels},
                {"operator_complexity", outcome.operator_complexity},
                {"setup_ms", outcome.setup.whole_ms},
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
  line.push_back(std::to_string(o.levels));
  line.push_back(to_text(o.operator_complexity, 3));
  return line;
}

} // namespace

bool bench_multigrid(MultigridSettings const& settings, LoadedMatrix const& loaded, JsonLines& json)
{
  auto const* const a = std::get_if<HostMatrix<double>>(&loaded.matrix);
  impl::require(a != nullptr, "perf", loaded.name, " is complex: multigrid takes real matrices");
  impl::require(a->num_rows() == a->num_cols(), "perf", loaded.name, " is ", a->num_rows(), " x ",
                a->num_cols(), ": multigrid takes square matrices");
  std::cout << loaded.name << " (" << a->num_rows() << " x " << a->num_cols() << ", " << a->nnz()
            << " entries): multigrid f64, times in ms\n";
  std::vector<std::vector<std::string>> table{{"", "setup", "products", "again", "products",
                                               "cycle", "solve", "iterations", "levels",
                                               "operators"}};
  bool is_right = true;
  for (MultigridLibrary const& library : libraries(settings.common))
  {
    if (interrupted_by() != 0)
      break;
    Outcome const outcome = outcome_of(settings, library, *a);
    json.write(json_of(loaded, *a, settings.common, outcome));
    table.push_back(line_of(outcome));
    is_right = is_right && !outcome.is_wrong;
  }
  print_table(table);
  return is_right;
}

} // namespace heddle::perf
