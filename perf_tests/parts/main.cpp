// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SpMV and SpMM with the rows of A in parts, a process for each, with a GPU of its own or a share
// of the host's threads: as one process has the whole, as all do with equal numbers of rows, and as
// heddle::balanced_rows cuts them. x or B is whole in every process, and nothing is exchanged: what
// exchange costs depends on the application.

#include <formats/settings.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/process_group.hpp>
#include <harness/start.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/version.hpp>

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exit_code.hpp>
#include <iterator>
#include <string>
#include <thread>
#include <usage.hpp>
#include <validators.hpp>
#include <vector>

#include <parts/bench.hpp>
#include <parts/part_times.hpp>
#include <parts/settings.hpp>

namespace
{

using namespace heddle::perf;

void add_options(CLI::App& app, PartsSettings& settings)
{
  app.add_option("MATRIX", settings.files, "files: .mtx, .mtx.gz or .bin (CSRB1)");
  app.add_option("--gallery", settings.gallery, "generated matrices by name")
      ->check(gallery_name())
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--parts", settings.parts, "processes, each with a GPU of its own")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--threads", settings.threads,
                 "threads of a process on a host [all there are, divided]")
      ->check(positive());
  app.add_option("--k", settings.k, "columns of B")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option_function<std::string>(
      "--sell", [&settings](std::string const& text) { settings.slices = parse_slice(text); },
      "slices of SELL: height[,alignment[,sigma]] [32,1,256]");
  app.add_option("--runs", settings.runs, "timed rounds of a case")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--calls", settings.calls, "calls of a round, back to back")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--budget", settings.budget_s,
                 "time budget per case in seconds; at least 5 rounds")
      ->check(non_negative())
      ->capture_default_str();
  app.add_option("--json", settings.json, "write the results to this file, an object a line");
}

#if !defined(KOKKOS_ENABLE_CUDA)
int threads_of_part(PartsSettings const& settings)
{
  int const all = static_cast<int>(std::thread::hardware_concurrency());
  return settings.threads > 0 ? settings.threads : std::max(1, all / settings.parts);
}
#endif

// Of the process with this rank: the GPU of this number among those that CUDA_VISIBLE_DEVICES
// shows, or its share of the threads.
Kokkos::InitializationSettings kokkos_settings(PartsSettings const& settings, int rank)
{
  Kokkos::InitializationSettings kokkos;
  kokkos.set_disable_warnings(true); // about thread binding
#if defined(KOKKOS_ENABLE_CUDA)
  static_cast<void>(settings);
  kokkos.set_device_id(rank);
#else
  static_cast<void>(rank);
  kokkos.set_num_threads(threads_of_part(settings));
#endif
  return kokkos;
}

int run_part(PartsSettings const& settings, PartGroup const& group)
{
  Kokkos::ScopeGuard const guard(kokkos_settings(settings, group.rank()));
  JsonLines json(group.rank() == 0 ? settings.json : "");
  bool is_right = true;
  for (std::string const& file : settings.files)
    is_right = bench_parts(settings, group, json, load_file(file)) && is_right;
  for (std::string const& name : settings.gallery)
    is_right = bench_parts(settings, group, json, load_gallery(name)) && is_right;
  return is_right ? success : wrong_result;
}

int run(int argc, char** argv)
{
  PartsSettings settings;
  CLI::App app("heddle-perf-parts " HEDDLE_VERSION_STRING
               ": runs SpMV and SpMM with the rows in parts, a process and GPU each",
               "heddle-perf-parts");
  app.footer("Example:\n"
             "  heddle-perf-parts --gallery rmat17_16,stencil27_50 --parts 2 --json parts.jsonl");
  app.set_version_flag("--version", HEDDLE_VERSION_STRING);
  add_options(app, settings);
  try
  {
    parse(app, {std::reverse_iterator(argv + argc), std::reverse_iterator(argv + 1)});
  }
  catch (CLI::Success const& help)
  {
    return app.exit(help);
  }
  heddle::impl::require(!settings.files.empty() || !settings.gallery.empty(), "perf",
                        "no matrix: name files, or gallery matrices with --gallery");
  check_environment();
#if defined(KOKKOS_ENABLE_CUDA)
  check_thread_count(thread_count({}));
#else
  check_thread_count(threads_of_part(settings));
#endif
  return in_processes<PartTimes>(settings.parts, [&](PartGroup const& group) {
    return exit_code_of([&] { return run_part(settings, group); });
  });
}

} // namespace

int main(int argc, char** argv)
{
  return heddle::perf::exit_code_of([&] { return run(argc, argv); });
}
