// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/for_each_matrix.hpp>
#include <harness/interrupt.hpp>
#include <harness/load.hpp>
#include <harness/machine_file.hpp>
#include <harness/report.hpp>
#include <harness/settings.hpp>
#include <harness/start.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/topology.hpp>
#include <heddle/version.hpp>

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exit_code.hpp>
#include <functional>
#include <iostream>
#include <names.hpp>
#include <options.hpp>
#include <python_door.hpp>
#include <sstream>
#include <string>
#include <unistd.h>
#include <usage.hpp>
#include <validators.hpp>
#include <vector>

namespace
{

using heddle::perf::AnalyzeSettings;
using heddle::perf::CalibrateSettings;
using heddle::perf::checked;
using heddle::perf::fail;
using heddle::perf::FormatsSettings;
using heddle::perf::MultigridSettings;
using heddle::perf::out_of_time;
using heddle::perf::RegretSettings;
using heddle::perf::ReorderSettings;
using heddle::perf::Report;
using heddle::perf::Settings;
using heddle::perf::SolverStepsSettings;
using heddle::perf::SpgemmSettings;
using heddle::perf::success;
using heddle::perf::wrong_result;
using heddle::perf::ZooSettings;

std::string examples()
{
  return "heddle-perf COMMAND --help has the options of a command. Examples:\n"
         "  heddle-perf spmv matrix.mtx.gz --type f32,f64 --op n,t\n"
         "  heddle-perf spmm --gallery stencil27_50,elast3_20 --k 8,32 --json results.jsonl\n"
         "  heddle-perf spgemm matrix.bin --baseline kk,serial\n"
         "Exit codes: 1 a wrong result, 2 wrong usage, 3 a file that cannot be read or written,\n"
         "4 no memory, 6 (compare) slower, 7 stopped by --time-limit, 8 by --case-limit,\n"
         "130 by Ctrl-C.";
}

std::string examples_of(std::string const& benchmark)
{
  if (benchmark == "spmv")
    return "Examples:\n"
           "  heddle-perf spmv matrix.mtx.gz --type f32,f64 --op n,t\n"
           "  heddle-perf spmv --gallery stencil27_50 --implementation all --baseline kk,serial";
  return "Examples:\n"
         "  heddle-perf spmm matrix.bin --k 8,32 --layout row,col\n"
         "  heddle-perf spmm --gallery stencil27_50,elast3_20 --json results.jsonl";
}

std::string gallery_text()
{
  std::ostringstream text;
  text << "Gallery (capitals are numbers, [] may be left out):\n";
  for (auto const& family : heddle::gallery_families())
    text << "  " << family.pattern << "\n      " << family.description << "\n";
  return text.str();
}

using Names = heddle::perf::ImplementationNames (*)();
using Bench = void (*)(Settings const&, Report&, heddle::perf::LoadedMatrix const&);

// Behind the tables of what came before the signal.
int interrupted(Settings const& settings)
{
  return fail(128 + heddle::perf::interrupted_by(),
              settings.json.empty()
                  ? "interrupted; with --json FILE --resume the same command would go on"
                  : "interrupted; the same command with --resume goes on with the other cases");
}

// Files that are not there are found before anything is measured.
void require_matrices(Settings const& settings)
{
  heddle::impl::require(!settings.files.empty() || !settings.gallery.empty(), "perf",
                        "no matrix: name files, or gallery matrices with --gallery");
  for (std::string const& file : settings.files)
    if (access(file.c_str(), R_OK) != 0)
      throw heddle::FileError("cannot read " + file + ": " + std::strerror(errno));
}

// run(report) with a report of this machine; what the shell is told of it.
int run_benchmark(Settings const& settings, std::function<void(Report&)> const& run)
{
  Report report(settings, heddle::perf::known_machine());
  heddle::perf::catch_interrupts();
  run(report);
  if (heddle::perf::interrupted_by() != 0)
    return interrupted(settings);
  if (report.has_wrong_results())
    return wrong_result;
  return report.is_out_of_time()
             ? fail(out_of_time, "stopped by --time-limit; --resume goes on with the other cases")
             : success;
}

// Kokkos takes its own arguments (--kokkos-...), the others are ours.
struct Arguments
{
  std::vector<std::string> ours;                                  // last first, as CLI11 wants them
  std::string program, no_warnings = "--kokkos-disable-warnings"; // about thread binding
  std::vector<char*> for_kokkos;

  Arguments(int argc, char** argv)
      : program(argv[0])
  {
    for_kokkos = {program.data(), no_warnings.data()};
    for (int i = 1; i < argc; ++i)
      if (std::string(argv[i]).starts_with("--kokkos-"))
        for_kokkos.push_back(argv[i]);
      else
        ours.emplace_back(argv[i]);
    std::ranges::reverse(ours);
  }
};

using Command = std::function<int(Settings const&)>;

void add_benchmark(CLI::App& app, Settings& settings, Command& command, std::string const& name,
                   std::string const& text, Names names, Bench bench)
{
  CLI::App* const sub = app.add_subcommand(name, text);
  heddle::perf::add_options(*sub, settings);
  heddle::perf::add_op(*sub, settings, name == "spmm");
  if (name == "spmm")
    heddle::perf::add_operand_options(*sub, settings);
  sub->footer(examples_of(name));
  sub->callback([&command, names, bench] {
    command = [names, bench](Settings const& given) {
      Settings const asked = checked(given, names());
      require_matrices(asked);
      return run_benchmark(asked, [&](Report& report) {
        heddle::perf::for_each_matrix(
            asked, [&](heddle::perf::LoadedMatrix const& matrix) { bench(asked, report, matrix); });
      });
    };
  });
}

void add_spgemm(CLI::App& app, SpgemmSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "spgemm", "C = A A, or A A^T if A is not square; with --pairs C = A B of all matrices");
  heddle::perf::add_spgemm_options(*sub, settings);
  sub->footer("Examples:\n"
              "  heddle-perf spgemm matrix.bin --baseline kk,serial\n"
              "  heddle-perf spgemm a.mtx b.mtx --pairs --top-left 100000 --json pairs.jsonl");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      settings.common = checked(settings.common, heddle::perf::spgemm_implementations());
      require_matrices(settings.common);
      return run_benchmark(settings.common,
                           [&](Report& report) { heddle::perf::bench_spgemm(settings, report); });
    };
  });
}

void add_solver_steps(CLI::App& app, SolverStepsSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "solver-steps", "A p with what an iterative method does next: sums, smoothers, CG");
  heddle::perf::add_solver_steps_options(*sub, settings);
  sub->footer(
      "Example:\n"
      "  heddle-perf solver-steps --gallery stencil27_50,elast3_20 --step residual,cg --cold");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      settings.common = checked(settings.common, heddle::perf::solver_steps_implementations());
      require_matrices(settings.common);
      return run_benchmark(settings.common, [&](Report& report) {
        heddle::perf::for_each_matrix(settings.common,
                                      [&](heddle::perf::LoadedMatrix const& matrix) {
                                        heddle::perf::bench_solver_steps(settings, report, matrix);
                                      });
      });
    };
  });
}

void add_multigrid(CLI::App& app, MultigridSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "multigrid", "smoothed aggregation and CG, with the sparse products of each library");
  heddle::perf::add_multigrid_options(*sub, settings);
  sub->footer("Example:\n"
              "  heddle-perf multigrid --gallery stencil7_64,stencil27_40 --json multigrid.jsonl");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) -> int {
      settings.common = checked(settings.common, {.built = {"auto"}, .elsewhere = {}});
      require_matrices(settings.common);
      heddle::perf::JsonLines json(settings.common.json);
      heddle::perf::catch_interrupts();
      bool is_right = true;
      heddle::perf::for_each_matrix(settings.common, [&](heddle::perf::LoadedMatrix const& matrix) {
        is_right = heddle::perf::bench_multigrid(settings, matrix, json) && is_right;
      });
      if (heddle::perf::interrupted_by() != 0)
        return fail(128 + heddle::perf::interrupted_by(), "interrupted");
      return is_right ? success : wrong_result;
    };
  });
}

void add_formats(CLI::App& app, FormatsSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "formats", "C = A B or y = A x in every format, beside serial code of each (paper 002); "
                 "C = A A in CSR and BSR");
  heddle::perf::add_formats_options(*sub, settings);
  sub->footer(
      "Example:\n"
      "  heddle-perf formats a.mtx b.mtx --k 10,4096 --layout row,col --json f.jsonl\n"
      "  heddle-perf formats --operation spmv --gallery elast3_20 --format csr,bsr --block 3\n"
      "  heddle-perf formats --operation spgemm --gallery elast3_20 --block 3");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) -> int {
      settings.common =
          checked(settings.common, heddle::perf::formats_implementations(settings.operation));
      bool const is_right = heddle::perf::bench_formats(settings);
      if (heddle::perf::interrupted_by() != 0)
        return interrupted(settings.common);
      return is_right ? success : wrong_result;
    };
  });
}

void add_analyze(CLI::App& app, AnalyzeSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "analyze",
      "sparsity, roofline and reordering advice for one matrix, as text and page (paper 003)");
  heddle::perf::add_analyze_options(*sub, settings);
  sub->footer("Example:\n"
              "  heddle-perf analyze matrix.mtx.gz --machine h200.json -o matrix.html");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) { return heddle::perf::write_analysis(settings); };
  });
}

void add_reorder(CLI::App& app, ReorderSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "reorder", "writes matrices in other orders of rows and columns, for any command to read");
  heddle::perf::add_reorder_options(*sub, settings);
  sub->footer("Example:\n"
              "  heddle-perf reorder matrix.mtx.gz --order cuthill_mckee,similar_rows -o moved");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      heddle::perf::write_reordered(settings);
      return success;
    };
  });
}

void add_calibrate(CLI::App& app, CalibrateSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "calibrate", "measures how row segments are best chosen on this device (paper 000, Sec. 4)");
  heddle::perf::add_calibrate_options(*sub, settings);
  sub->footer("Example:\n"
              "  heddle-perf calibrate matrices --out model.json --seconds 500");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      return heddle::perf::calibrate(settings)
                 ? success
                 : fail(out_of_time, "stopped by --seconds; the same command goes on");
    };
  });
}

void add_zoo(CLI::App& app, ZooSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "zoo", "lists, and makes, matrices of many structures, for tuning and for validation");
  heddle::perf::add_zoo_options(*sub, settings);
  sub->footer("Example:\n  heddle-perf zoo --part tuning --nnz 1e4:1e6 --make zoo --list");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      return heddle::perf::show_zoo(settings) ? success
                                              : fail(128 + heddle::perf::interrupted_by(),
                                                     "interrupted; the same command goes on");
    };
  });
}

void add_regret(CLI::App& app, RegretSettings& settings, Command& command)
{
  CLI::App* const sub = app.add_subcommand(
      "regret", "times every kernel on the zoo, to say what the automatic choice loses");
  heddle::perf::add_regret_options(*sub, settings);
  sub->footer(
      "Examples, which are given again, as they are, until they end with 0:\n"
      "  heddle-perf regret --part tuning --nnz :3e7 --json tuning.jsonl --resume --time-limit "
      "540\n"
      "  heddle-perf regret --part validation --implementation auto --baseline cusparse "
      "--json v.jsonl --resume --case-limit 60\n"
      "What the files say: heddle-perf regret-report tuning.jsonl -o regret.html");
  sub->callback([&settings, &command] {
    command = [&settings](Settings const&) {
      settings = heddle::perf::checked_regret(settings);
      auto const matrices = heddle::perf::chosen_zoo(settings.zoo);
      return run_benchmark(settings.common, [&](Report& report) {
        heddle::perf::bench_regret(settings, matrices, report);
      });
    };
  });
}

// In the list of commands only: Python reads their arguments.
void add_python_commands(CLI::App& app)
{
  for (auto const& [name, about] : heddle::perf::python_commands())
    app.add_subcommand(name, about);
}

// The command is the first word, or the second behind --parse-only; arguments are the last first.
void leave_to_python(std::vector<std::string> const& arguments)
{
  std::vector<std::string> const words(arguments.rbegin(), arguments.rend());
  std::size_t const place = !words.empty() && words.front() == "--parse-only" ? 1 : 0;
  if (words.size() > place && heddle::perf::python_commands().contains(words[place]))
    heddle::perf::run_python(words);
}

heddle::perf::ImplementationNames implementations_of(std::string const& command)
{
  if (command == "spmv")
    return heddle::perf::spmv_implementations();
  if (command == "spmm")
    return heddle::perf::spmm_implementations();
  if (command == "spgemm")
    return heddle::perf::spgemm_implementations();
  if (command == "solver-steps")
    return heddle::perf::solver_steps_implementations();
  return heddle::perf::formats_implementations(command.substr(std::string("formats_").size()));
}

int print_lines(std::vector<std::string> const& lines)
{
  for (std::string const& line : lines)
    std::cout << line << "\n";
  return success;
}

void add_lists(CLI::App& app, std::string& listed, Command& command)
{
  CLI::App* const implementations =
      app.add_subcommand("implementations", "lists what --implementation takes in this build");
  implementations->add_option("COMMAND", listed, "of this command; of formats that of --operation")
      ->required()
      ->check(heddle::perf::one_of({"spmv", "spmm", "spgemm", "solver-steps", "formats_spmv",
                                    "formats_spmm", "formats_spgemm"}));
  implementations->footer("Example:\n  heddle-perf implementations spmv");
  implementations->callback([&listed, &command] {
    command = [&listed](Settings const&) { return print_lines(implementations_of(listed).built); };
  });
  app.add_subcommand("baselines", "lists what --baseline takes in this build")
      ->footer("Example:\n  heddle-perf baselines")
      ->callback([&command] {
        command = [](Settings const&) { return print_lines(heddle::perf::built_baselines()); };
      });
}

void add_tools(CLI::App& app, Settings& settings, Command& command)
{
  CLI::App* const read = app.add_subcommand("read", "times reading files, in MB of text a second");
  read->add_option("FILE", settings.files, "files: .mtx, .mtx.gz or .bin")->required();
  heddle::perf::add_json(*read, settings);
  read->footer("Example:\n  heddle-perf read matrix.mtx.gz matrix.bin");
  read->callback([&command] {
    command = [](Settings const& asked) {
      heddle::perf::bench_read(asked);
      return success;
    };
  });
  CLI::App* const machine =
      app.add_subcommand("machine", "measures what memory and arithmetic of this machine reach");
  machine->add_option("-o,--out", settings.json, "write it to this file, as analyze reads it");
  machine->footer("Example:\n  heddle-perf machine --out h200.json");
  machine->callback([&command] {
    command = [](Settings const& asked) {
      heddle::perf::write_machine_description(asked.json);
      return success;
    };
  });
  app.add_subcommand("gallery", "lists the matrices that --gallery makes")
      ->footer("Example:\n  heddle-perf gallery")
      ->callback([&command] {
        command = [](Settings const&) {
          std::cout << gallery_text();
          return success;
        };
      });
  app.add_subcommand("topology", "says what hwloc sees: cores, caches, NUMA nodes, binding")
      ->footer("Example:\n  heddle-perf topology")
      ->callback([&command] {
        command = [](Settings const&) {
          std::cout << heddle::to_string(heddle::host_topology());
          return success;
        };
      });
}

int run(int argc, char** argv)
{
  Settings settings;
  settings.library_versions = heddle::perf::library_versions();
  SpgemmSettings spgemm;
  spgemm.common.library_versions = settings.library_versions;
  FormatsSettings formats;
  formats.common.library_versions = settings.library_versions;
  settings.baselines = spgemm.common.baselines = heddle::perf::built_of({"kk"});
  RegretSettings regret{.common = heddle::perf::brief(settings), .zoo = {}};
  regret.common.types = heddle::perf::built_types();
  regret.common.baselines = heddle::perf::built_of({"cusparse", "kk"});
  SolverStepsSettings steps{.common = settings};
  steps.common.implementations = {"auto", "auto_apart"};
  steps.common.baselines = heddle::perf::built_of({"kk", "cusparse", "cublas"});
  MultigridSettings multigrid{.common = settings};
  multigrid.common.baselines = heddle::perf::built_of({"kk", "cusparse", "hypre"});
  formats.common.baselines = heddle::perf::built_of({"serial", "kk"});
  AnalyzeSettings analysis;
  ReorderSettings reordering;
  CalibrateSettings calibration;
  ZooSettings zoo;
  Command command;
  CLI::App app("heddle-perf " HEDDLE_VERSION_STRING
               ": runs sparse kernels on a matrix, checks and times them",
               "heddle-perf");
  app.footer(examples());
  app.require_subcommand(1);
  app.set_version_flag("--version", HEDDLE_VERSION_STRING);
  bool parse_only = false;
  app.add_flag("--parse-only", parse_only,
               "before a command: checks the command line, runs nothing and touches no file");
  add_benchmark(app, settings, command, "spmv", "y = op(A) x", heddle::perf::spmv_implementations,
                heddle::perf::bench_spmv);
  add_benchmark(app, settings, command, "spmm", "C = op(A) B with dense B and C",
                heddle::perf::spmm_implementations, heddle::perf::bench_spmm);
  add_spgemm(app, spgemm, command);
  add_solver_steps(app, steps, command);
  add_multigrid(app, multigrid, command);
  add_formats(app, formats, command);
  add_analyze(app, analysis, command);
  add_reorder(app, reordering, command);
  add_calibrate(app, calibration, command);
  add_zoo(app, zoo, command);
  add_regret(app, regret, command);
  add_python_commands(app);
  add_tools(app, settings, command);
  std::string listed;
  add_lists(app, listed, command);
  Arguments arguments(argc, argv);
  leave_to_python(arguments.ours);
  try
  {
    heddle::perf::parse(app, arguments.ours);
  }
  catch (CLI::Success const& help)
  {
    return app.exit(help);
  }
  if (parse_only)
    return success;
  heddle::perf::check_environment();
  heddle::perf::check_thread_count(heddle::perf::thread_count(arguments.for_kokkos));
  auto count = static_cast<int>(arguments.for_kokkos.size());
  Kokkos::ScopeGuard const guard(count, arguments.for_kokkos.data());
  return command(settings);
}

} // namespace

int main(int argc, char** argv)
{
  return heddle::perf::exit_code_of([&] { return run(argc, argv); });
}
