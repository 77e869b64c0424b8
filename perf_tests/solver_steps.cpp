// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <commands.hpp>
#include <harness/absent.hpp>
#include <harness/for_each_type.hpp>
#include <harness/lazy.hpp>
#include <harness/measure.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <names.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <solver_steps/reference.hpp>
#include <solver_steps/step.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* fused = "auto";
constexpr char const* in_parts = "auto_apart";

using Implementations = SpmvImplementations<Exec, Matrix32<double>::const_type>;

Candidate with_epilogue(StepProblem const& problem, std::string const& name)
{
  auto const plan = std::make_shared<std::optional<StepPlan>>();
  bool const is_automatic = name == fused;
  SpmvOptions const options{.implementation = is_automatic ? "" : name};
  Candidate candidate{"heddle::" + name,
                      int_indices,
                      [=] { plan->emplace(Exec{}, problem.a, options); },
                      [=] { run_fused(problem, **plan); },
                      {}};
  if (is_automatic)
    candidate.chosen = [=] { return std::string((*plan)->implementation_name()); };
  return candidate;
}

Candidates heddle_spmv(SpmvProblem<double> const& p)
{
  auto const plan = std::make_shared<std::optional<StepPlan>>();
  return {{std::string("heddle::") + in_parts,
           int_indices,
           [=] { plan->emplace(Exec{}, p.a); },
           [=] { spmv(Exec{}, **plan, p.alpha, p.a, p.x, p.beta, p.y); },
           {}}};
}

// Without BSR, for which the baseline copies the vectors to pad them.
Candidates library_spmv(Settings const& settings, SpmvProblem<double> const& problem)
{
  Candidates all = baselines_of<double>(
      settings, [&]<class Family>(Family) { return Family::spmv(problem); },
      FamilyList<KokkosKernels, CuSparse>{});
  std::erase_if(all, [](Candidate const& candidate) {
    return candidate.implementation.starts_with("cusparse::bsr");
  });
  return all;
}

// Adds SpMV of spmv, with what is left by Kokkos.
void add_with_kokkos(Candidates& all, StepProblem const& problem, Candidates spmv)
{
  for (Candidate& one : spmv)
  {
    one.run = [problem, run = one.run] {
      run();
      run_after_spmv(problem.step, problem.v);
    };
    all.push_back(std::move(one));
  }
}

Candidates candidates_of(Settings const& settings, StepProblem const& problem)
{
  Candidates all;
  std::vector<std::string> names{fused};
  add_names(names, impl::names_of(Implementations{}));
  for (std::string const& name : names)
    if (settings.wants(name))
      all.push_back(with_epilogue(problem, name));
  SpmvProblem<double> const spmv = spmv_of(problem);
  if (settings.wants(in_parts))
    add_with_kokkos(all, problem, heddle_spmv(spmv));
  add_with_kokkos(all, problem, library_spmv(settings, spmv));
  if constexpr (CuBlas::is_available_v<double>)
    if (settings.wants_baseline(CuBlas::option))
      for (Candidate& one : CuBlas::step(
               problem, [&](SpmvProblem<double> const& of) { return library_spmv(settings, of); }))
        all.push_back(std::move(one));
  add_absent(all, settings, type_name<double>());
  return all;
}

// A once, and vectors.
double step_bytes(Record const& record, StepWork const& work)
{
  return dense_bytes<double>(record, sizeof(int), 0) +
         static_cast<double>(record.rows * work.vectors) * sizeof(double);
}

void bench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
           HostMatrix<double> const& a, StepProblem const& problem, StepReference const& reference)
{
  StepWork const& work = step_works[static_cast<std::size_t>(problem.step)];
  Record base = record_of(std::string("spmv_") + work.name, loaded, a, 1);
  base.flops += static_cast<double>(base.rows * work.operations_of_row);
  base.bytes = step_bytes(base, work);
  for (Candidate& place : candidates_of(settings, problem))
  {
    Candidate const candidate = std::move(place); // its plan goes before the next one is made
    problem.v.reset();
    measure(report, settings, base, candidate, Clock::device, [&] {
      problem.v.reset(); // plans of libraries may make a call
      candidate.run();
      return reference.check(problem.step, problem.v);
    });
  }
  report.end_group();
}

} // namespace

ImplementationNames solver_steps_implementations()
{
  ImplementationNames names{.built = {fused, in_parts}, .elsewhere = {}};
  add_names(names.built, impl::names_of(Implementations{}));
  return names;
}

void bench_solver_steps(SolverStepsSettings const& settings, Report& report,
                        LoadedMatrix const& loaded)
{
  auto const* const a = std::get_if<HostMatrix<double>>(&loaded.matrix);
  impl::require(a != nullptr, "perf", loaded.name, " is complex: solver-steps takes real matrices");
  impl::require(a->num_rows() == a->num_cols(), "perf", loaded.name, " is ", a->num_rows(), " x ",
                a->num_cols(), ": solver-steps takes square matrices");
  impl::require(fits_int_offsets(*a), "perf", loaded.name, " has ", a->nnz(),
                " entries: solver-steps takes what 32 bits count");
  auto const on_device = perf::on_device<int>(*a);
  StepVectors const vectors(*a);
  StepReference const reference(*a);
  for (std::size_t n = 0; n < step_works.size(); ++n)
    if (std::ranges::find(settings.steps, step_works[n].name) != settings.steps.end())
      bench(settings.common, report, loaded, *a, {static_cast<Step>(n), on_device, vectors},
            reference);
}

} // namespace heddle::perf
