// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <formats/settings.hpp>
#include <harness/settings.hpp>

#include <CLI/CLI.hpp>

#include <analyze/settings.hpp>
#include <calibrate/settings.hpp>
#include <multigrid/settings.hpp>
#include <regret/settings.hpp>
#include <solver_steps/settings.hpp>
#include <spgemm/settings.hpp>
#include <zoo/settings.hpp>

namespace heddle::perf
{

// The options of the commands, as docs/heddle_perf.md lists them.
void add_json(CLI::App& command, Settings& settings);
// What all operations share: matrices, types, implementations, baselines, effort, JSON.
void add_options(CLI::App& command, Settings& settings);
// has_both: A^T and A together are an operation too.
void add_op(CLI::App& command, Settings& settings, bool has_both);
void add_operand_options(CLI::App& command, Settings& settings);
// Those of spgemm, solver-steps and formats, the shared ones included.
void add_spgemm_options(CLI::App& command, SpgemmSettings& settings);
void add_solver_steps_options(CLI::App& command, SolverStepsSettings& settings);
void add_formats_options(CLI::App& command, FormatsSettings& settings);
void add_analyze_options(CLI::App& command, AnalyzeSettings& settings);
void add_reorder_options(CLI::App& command, ReorderSettings& settings);
void add_calibrate_options(CLI::App& command, CalibrateSettings& settings);
void add_zoo_options(CLI::App& command, ZooSettings& settings);
void add_multigrid_options(CLI::App& command, MultigridSettings& settings);
void add_regret_options(CLI::App& command, RegretSettings& settings);

} // namespace heddle::perf
