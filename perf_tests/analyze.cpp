// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/caches.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/machine.hpp>
#include <harness/machine_file.hpp>
#include <harness/table.hpp>
#include <heddle/impl/require.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iostream>
#include <partitioner.hpp>
#include <python_door.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <analyze/advice.hpp>
#include <analyze/analysis.hpp>
#include <analyze/lines.hpp>
#include <analyze/measured.hpp>
#include <analyze/movement.hpp>
#include <analyze/row.hpp>

namespace heddle::perf
{

namespace
{

// The pattern is all that is looked at: values of a complex matrix are left behind.
struct Pattern
{
  HostMatrix<double> matrix;
  bool is_complex = false;
};

Pattern pattern_of(LoadedMatrix const& loaded)
{
  return std::visit(
      [](auto const& a) -> Pattern {
        if constexpr (std::is_same_v<std::decay_t<decltype(a)>, HostMatrix<double>>)
          return {a, false};
        else
          return {{a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(),
                   HostMatrix<double>::values_view("heddle::perf::values", a.nnz())},
                  true};
      },
      loaded.matrix);
}

void say(std::string const& text) { std::cout << text << "\n" << std::flush; }

void add_upper_bound(MatrixAnalysis& analysis, Pattern const& pattern,
                     AnalyzeSettings const& settings, MachineDescription const& machine,
                     Partitioner const& partition)
{
  std::int64_t const bytes = settings.cache_bytes > 0 ? settings.cache_bytes : machine.cache_bytes;
  auto const value_bytes = static_cast<std::int64_t>(analysis.spmv.value_bytes);
  add_movement(analysis, pattern.matrix,
               {bytes / value_bytes, static_cast<std::int64_t>(settings.most_vertices)}, partition,
               say);
}

} // namespace

void write_machine_description(std::string const& out)
{
  Machine const measured = measure_machine();
  MachineDescription machine = description_of(measured);
  add_caches(machine);
  if (!measured.warning.empty())
    std::cout << "warning: " << measured.warning << "\n";
  std::cout << machine.device << ": " << to_text(machine.gbytes_per_s, 4) << " GB/s, "
            << to_text(machine.gflops_f32, 4) << " GFLOPS in f32, "
            << to_text(machine.gflops_f64, 4) << " in f64, " << machine.cache_bytes
            << " bytes of cache\n1e9 words of 4 bytes a second: "
            << to_text(machine.l1_gwords_per_s, 4) << " from the nearest cache";
  if (machine.shared_gwords_per_s > 0)
    std::cout << ", " << to_text(machine.shared_gwords_per_s, 4) << " from shared memory";
  std::cout << "; by bytes of the region:\n";
  for (CachePoint const& point : machine.cache_sweep)
    std::cout << "  " << point.bytes << "  " << to_text(point.gwords_per_s, 4) << "\n";
  std::cout << "faster than memory up to " << machine.swept_cache_bytes << " bytes\n";
  if (!out.empty())
    write_machine(machine, out);
}

int write_analysis(AnalyzeSettings const& settings)
{
  impl::require(settings.files.size() + settings.gallery.size() == 1, "perf",
                "analyze takes one matrix, a file or a name with --gallery; here are ",
                settings.files.size() + settings.gallery.size());
  std::vector<std::string> const page{"analysis", "-", "--out", settings.out};
  // Asked first, so that what is not there is said before anything takes time.
  if (!settings.out.empty())
    if (int const code = call_python({"--parse-only", page[0], page[1], page[2], page[3]});
        code != 0)
      return code;
  Partitioner const partition =
      settings.has_upper_bound ? partitioner("--upper-bound", settings.partitioner) : Partitioner();
  MachineDescription const machine =
      settings.machine.empty() ? description_of(measure_machine()) : read_machine(settings.machine);
  LoadedMatrix const loaded =
      settings.files.empty() ? load_gallery(settings.gallery[0]) : load_file(settings.files[0]);
  Pattern const pattern = pattern_of(loaded);
  MatrixAnalysis analysis =
      analyze(loaded.name, pattern.matrix, pattern.is_complex, settings.analysis);
  if (!settings.measured.empty())
    add_measured(analysis, machine.device, settings.measured);
  if (settings.has_upper_bound)
    add_upper_bound(analysis, pattern, settings, machine, partition);
  auto const row = row_of(analysis, machine);
  if (!settings.json.empty())
    JsonLines(settings.json, Keep::others).write(row);
  print_table(figure_lines(analysis));
  print_table(bound_lines(analysis, machine));
  if (Lines const measured = measured_lines(analysis, machine); !measured.empty())
    print_table(measured);
  print_table(order_lines(analysis));
  for (std::string const& sentence : advice_of(analysis, machine))
    std::cout << sentence << "\n";
  return settings.out.empty() ? 0 : call_python(page, row.dump() + "\n");
}

} // namespace heddle::perf
