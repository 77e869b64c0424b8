// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <formats/settings.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/report.hpp>
#include <harness/settings.hpp>

#include <map>
#include <names.hpp>
#include <string>
#include <vector>

#include <analyze/settings.hpp>
#include <calibrate/settings.hpp>
#include <multigrid/settings.hpp>
#include <regret/settings.hpp>
#include <solver_steps/settings.hpp>
#include <spgemm/settings.hpp>
#include <zoo/list.hpp>
#include <zoo/settings.hpp>

namespace heddle::perf
{

// Name and version of each library that this build compares with, by the beginning of its rows'
// names: "kokkoskernels" has "Kokkos Kernels 5.0.2".
std::map<std::string, std::string> library_versions();

// What --implementation takes, of formats for one of its operations.
ImplementationNames spmv_implementations();
ImplementationNames spmm_implementations();
ImplementationNames spgemm_implementations();
ImplementationNames solver_steps_implementations();
ImplementationNames formats_implementations(std::string const& operation);

// One matrix through all types, ops and widths asked for.
void bench_spmv(Settings const& settings, Report& report, LoadedMatrix const& matrix);
void bench_spmm(Settings const& settings, Report& report, LoadedMatrix const& matrix);

// Steps of iterative methods on one matrix, with epilogues and by vectors. Throws InvalidArgument
// where it is complex, not square, or has more entries than int counts.
void bench_solver_steps(SolverStepsSettings const& settings, Report& report,
                        LoadedMatrix const& loaded);

// A A, or A A^T of what is not square, both phases, in all types asked for.
void bench_square(Settings const& settings, Report& report, LoadedMatrix const& matrix);

// A A (A A^T of what is not square) or products of pairs, of all matrices that the settings name
// and take; those left out are said. Throws InvalidArgument where none remains.
void bench_spgemm(SpgemmSettings const& settings, Report& report);

// Multigrid on one matrix with each library that is asked for; false if a result was wrong. Throws
// InvalidArgument where the matrix is complex or not square.
bool bench_multigrid(MultigridSettings const& settings, LoadedMatrix const& loaded,
                     JsonLines& json);

// The settings with the names of all operations looked up. Throws InvalidArgument.
RegretSettings checked_regret(RegretSettings settings);
// These matrices through all operations, types and widths asked for.
void bench_regret(RegretSettings const& settings, std::vector<ZooEntry> const& all, Report& report);

// Matrices in all formats, after paper 002; false if a result was wrong.
bool bench_formats(FormatsSettings settings);

// Prints what one matrix says of its multiplies, and writes it as a row of results and, by Python,
// as an HTML page, whichever is asked for. Returns the exit code.
int write_analysis(AnalyzeSettings const& settings);

// Writes matrices in other orders of rows and columns, each to a file that every command reads.
void write_reordered(ReorderSettings const& settings);

// Lists the matrices of the zoo, and writes those that are not there yet where a folder is named;
// false where a signal came before all were written.
bool show_zoo(ZooSettings const& settings);

// Measures this machine and says what it reaches; writes it to a file, if one is named.
void write_machine_description(std::string const& out);

// Measures how row segments are best chosen on this device and writes a model of it (paper 000,
// section 4); false where the time was over first: the same call goes on then. Throws WrongResult.
bool calibrate(CalibrateSettings const& settings);

// Reads each file a few times and prints MB/s; to the JSON file too, if one is asked for.
void bench_read(Settings const& settings);

} // namespace heddle::perf
