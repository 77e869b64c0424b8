// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/json_lines.hpp>
#include <harness/load.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/matrix_market.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <string>

namespace heddle::perf
{

namespace
{

// Text to coordinates: what the reader does, without making CSR of it.
std::size_t read_entries(std::string const& file)
{
  if (std::filesystem::path(file).extension() == ".bin")
    return std::visit([](auto const& a) { return a.nnz(); }, load_file(file).matrix);
  if (read_matrix_market_header(file).field == MatrixMarketField::complex)
    return read_matrix_market<
               CooMatrix<Kokkos::complex<double>, int, std::size_t, Kokkos::HostSpace>>(file)
        .nnz();
  return read_matrix_market<CooMatrix<double, int, std::size_t, Kokkos::HostSpace>>(file).nnz();
}

} // namespace

void bench_read(Settings const& settings)
{
  Kokkos::DefaultHostExecutionSpace const host;
  JsonLines json(settings.json);
  std::cout << "threads: " << host.concurrency() << "\n";
  for (std::string const& file : settings.files)
  {
    check_matrix_file(file);
    std::size_t entries = 0;
    double const ms = median(time_calls_with(
        [](auto const& exec, auto const& call) { return host_milliseconds(exec, call); }, host,
        {5, 5.0, 1}, [&] { entries = read_entries(file); }));
    auto const megabytes = static_cast<double>(std::filesystem::file_size(file)) * 1e-6;
    std::cout << std::fixed << std::setprecision(1) << file << ": " << megabytes << " MB, "
              << entries << " entries, " << ms << " ms, " << 1e3 * megabytes / ms << " MB/s\n";
    json.write({{"operation", "read"},
                {"file", std::filesystem::path(file).filename().string()},
                {"file_bytes", std::filesystem::file_size(file)},
                {"nnz", entries},
                {"threads", host.concurrency()},
                {"median_ms", ms},
                {"mbytes_per_s", 1e3 * megabytes / ms}});
  }
}

} // namespace heddle::perf
