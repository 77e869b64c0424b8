// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/machine.hpp>
#include <harness/machine_file.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>
#include <heddle/analysis.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/sort_rows.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <partitioner.hpp>
#include <string>
#include <system_error>
#include <variant>

#include <analyze/movement.hpp>
#include <analyze/orders.hpp>

namespace heddle::perf
{

namespace
{

void say(std::string const& text) { std::cout << text << "\n" << std::flush; }

// The orders of one matrix, each in a file of its own and a row.
void write_orders(ReorderSettings const& settings, LoadedMatrix const& loaded,
                  std::int64_t cache_bytes, Partitioner const& partition, JsonLines& json)
{
  auto const* const a = std::get_if<HostMatrix<double>>(&loaded.matrix);
  impl::require(a != nullptr, "perf", loaded.name, " is complex; reorder writes real matrices");
  MovementSettings const movement{cache_bytes / static_cast<std::int64_t>(sizeof(double)),
                                  static_cast<std::int64_t>(settings.most_vertices)};
  for (std::string const& order : settings.orders)
  {
    HostMatrix<double> moved;
    double const seconds = 1e-3 * host_milliseconds(Kokkos::DefaultHostExecutionSpace{}, [&] {
                             moved = in_order(order, *a, movement, partition, say);
                           });
    sort_rows(Kokkos::DefaultHostExecutionSpace{}, moved);
    std::string const name = loaded.name + "__" + order;
    write_binary_csr(settings.out + "/" + name + ".bin", moved);
    auto const figures = pattern_figures(Kokkos::DefaultHostExecutionSpace{}, moved);
    say(name + ": " + to_text(seconds, 4) + " s, " + to_text(figures.overlap[1], 4) +
        " entries a column in bundles of four, " + to_text(100 * figures.heavy_share, 4) +
        " % in heavy row segments, " + to_text(figures.mean_distance, 4) +
        " columns from the diagonal");
    json.write({{"operation", "reorder"},
                {"matrix", loaded.name},
                {"implementation", order},
                {"nnz", figures.nnz},
                {"seconds", seconds},
                {"overlap_of_4", figures.overlap[1]},
                {"heavy_share", figures.heavy_share},
                {"mean_distance", figures.mean_distance}});
  }
}

} // namespace

void write_reordered(ReorderSettings const& settings)
{
  impl::require(!settings.files.empty() || !settings.gallery.empty(), "perf",
                "no matrix: name files, or gallery matrices with --gallery");
  bool const has_vote = std::ranges::any_of(settings.orders, is_vote);
  Partitioner const partition =
      has_vote ? partitioner("--order majority", settings.partitioner) : Partitioner();
  std::int64_t cache_bytes = settings.cache_bytes;
  if (has_vote && cache_bytes == 0)
    cache_bytes = (settings.machine.empty() ? description_of(measure_machine())
                                            : read_machine(settings.machine))
                      .cache_bytes;
  std::error_code problem;
  std::filesystem::create_directories(settings.out, problem);
  if (problem)
    throw FileError(settings.out + ": cannot be made: " + problem.message());
  JsonLines json(settings.json, Keep::others);
  for (std::string const& file : settings.files)
    write_orders(settings, load_file(file), cache_bytes, partition, json);
  for (std::string const& name : settings.gallery)
    write_orders(settings, load_gallery(name), cache_bytes, partition, json);
}

} // namespace heddle::perf
