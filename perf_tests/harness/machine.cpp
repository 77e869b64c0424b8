// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/machine.hpp>
#include <harness/machine_file.hpp>
#include <harness/stopwatch.hpp>
#include <harness/table.hpp>
#include <harness/times.hpp>
#include <harness/waiting.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/topology.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace
{

using Exec = Kokkos::DefaultExecutionSpace;
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

// What a GPU loads at once, 16 bytes.
struct alignas(16) Word
{
  std::uint64_t low = 0, high = 0;
};
using Words = Kokkos::View<Word*, Exec::memory_space>;
constexpr Effort effort{50, 0.4, 2};

#if defined(KOKKOS_ENABLE_CUDA)
// Two transfers a clock; 0 where the driver does not say.
double nominal_gbytes_per_s()
{
  int device = 0, kilohertz = 0, bits = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess)
    return 0;
  return 2e-6 * kilohertz * bits / 8;
}
#endif

// 32 banks of 4 bytes a clock in each multiprocessor (CUDA C++ Programming Guide, compute
// capabilities 5.0 to 9.0), at the highest clock.
double nominal_shared_gbytes_per_s()
{
#if defined(KOKKOS_ENABLE_CUDA)
  int device = 0, kilohertz = 0, processors = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 0;
  return 1e-6 * kilohertz * processors * 32 * 4;
#else
  return 0;
#endif
}

// Times of one measurement, and the rate of the fastest: whatever else runs can only slow it down.
struct Rate
{
  Times times;
  double per_s = 0; // in units of 1e9

  Rate(std::vector<double> measured, double amount)
      : times(times_summary(std::move(measured)))
      , per_s(amount / times.min_ms * 1e-6)
  {}
  double spread() const { return times.median_ms / times.min_ms; }
};

// Sums integers, because compilers may add those in any order: adding doubles one after another
// would wait for each sum instead of for memory.
Rate read_bandwidth(Words const& x)
{
  Exec const exec{};
  auto const n = static_cast<std::int64_t>(x.extent(0));
  std::uint64_t sum = 0;
  auto const read = [&] {
    Kokkos::parallel_reduce(
        "heddle::machine::read", Range(exec, 0, n),
        KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & partial) { partial += x(i).low ^ x(i).high; },
        sum);
  };
  return {time_calls(exec, effort, read), static_cast<double>(x.size() * sizeof(Word))};
}

// Bytes read and bytes written.
Rate copy_bandwidth(Words const& x, Words const& y)
{
  Exec const exec{};
  return {time_calls(exec, effort, [&] { Kokkos::deep_copy(exec, y, x); }),
          2.0 * static_cast<double>(x.size() * sizeof(Word))};
}

// Independent chains of multiply-add, enough to hide their latency: 512 bytes of them fill the
// vector registers of a host, 16 those of a GPU's thread.
#if defined(KOKKOS_ENABLE_CUDA)
template <class Real>
inline constexpr int chains = 16;
#else
template <class Real>
inline constexpr int chains = 512 / sizeof(Real);
#endif
constexpr int steps = 20000;

template <class Real>
KOKKOS_FUNCTION Real multiply_and_add(Real start)
{
  Kokkos::Array<Real, chains<Real>> x{};
  for (int c = 0; c < chains<Real>; ++c)
    x[c] = start + static_cast<Real>(c);
  for (int step = 0; step < steps; ++step)
    for (int c = 0; c < chains<Real>; ++c)
      x[c] = x[c] * Real(0.999) + Real(0.001);
  Real sum = 0;
  for (int c = 0; c < chains<Real>; ++c)
    sum += x[c];
  return sum;
}

template <class Real>
Rate peak_gflops()
{
  Exec const exec{};
  std::int64_t const threads = exec.concurrency();
  Kokkos::View<Real*, Exec::memory_space> const out("heddle::machine::out", threads);
  auto const compute = [&] {
    Kokkos::parallel_for(
        "heddle::machine::compute", Range(exec, 0, threads),
        KOKKOS_LAMBDA(std::int64_t i) { out(i) = multiply_and_add(static_cast<Real>(i)); });
  };
  return {time_calls(exec, effort, compute),
          2.0 * chains<Real> * steps * static_cast<double>(threads)};
}

// What speaks against trusting times taken now; empty if nothing does.
std::string doubts(std::vector<Rate> const& rates, double waiting)
{
  constexpr double steady = 1.25; // median over fastest of the same call
  constexpr double most_waiting = 0.05;
  std::string text;
  if (impl::is_host_v<Exec> && waiting > most_waiting)
    text = "the " + std::to_string(Exec{}.concurrency()) + " threads waited " +
           to_text(100 * waiting, 3) +
           " % of the time for a core: other programs run, or there are more threads than cores";
  for (Rate const& rate : rates)
    if (rate.spread() > steady && text.empty())
      text = "the same call takes in the median " + to_text(rate.spread(), 3) +
             " times as long as its fastest run: something else is running, or clocks change";
#if defined(KOKKOS_ENABLE_CUDA)
  constexpr double usual = 0.8;
  double const nominal = nominal_gbytes_per_s();
  if (nominal > 0 && rates.front().per_s < usual * nominal)
    text += (text.empty() ? "" : "; ") + std::string("reads ") + to_text(rates.front().per_s, 3) +
            " GB/s of the " + to_text(nominal, 3) +
            " GB/s that clock and width of the memory give: the device is busy or slowed down";
#endif
  return text;
}

// More than the caches hold.
std::int64_t bytes_to_read(Topology const& topology)
{
  if (!impl::is_host_v<Kokkos::DefaultExecutionSpace>)
    return std::int64_t(2) << 30;
  std::size_t last_level = 0;
  for (CacheLevel const& cache : topology.caches)
    last_level = cache.bytes * static_cast<std::size_t>(cache.count);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(8 * last_level), 128 << 20, 1 << 30);
}

std::vector<Cache> caches_of([[maybe_unused]] Topology const& topology)
{
#if defined(KOKKOS_ENABLE_CUDA)
  return {{"L2", Exec{}.cuda_device_prop().l2CacheSize}};
#else
  std::vector<Cache> caches;
  caches.reserve(topology.caches.size());
  for (CacheLevel const& level : topology.caches)
    caches.push_back(
        {"L" + std::to_string(level.level), static_cast<std::int64_t>(level.bytes) * level.count});
  return caches;
#endif
}

} // namespace

double Machine::bound_ms(double bytes, double flops, bool is_double) const
{
  double const peak = is_double ? gflops_f64 : gflops_f32;
  return std::max(bytes / gbytes_per_s, flops / peak) * 1e-6;
}

Cache const* Machine::cache_behind(double bytes, double times_as_fast) const
{
  double const least = bytes * (1.0 - 1.0 / times_as_fast);
  for (Cache const& cache : caches)
    if (static_cast<double>(cache.bytes) >= least)
      return &cache;
  return nullptr;
}

std::string device_name()
{
#if defined(KOKKOS_ENABLE_CUDA)
  return Exec{}.cuda_device_prop().name;
#else
  Topology const topology = host_topology();
  std::string const cpu = topology.cpu_model.empty() ? "CPU" : topology.cpu_model;
  return cpu + " (" + std::to_string(Exec{}.concurrency()) + " threads)";
#endif
}

Machine measure_machine()
{
  Topology const topology = host_topology();
  auto const n = bytes_to_read(topology) / static_cast<std::int64_t>(sizeof(Word));
  Words const x("heddle::machine::x", n), y("heddle::machine::y", n);
  WaitingForCores const waiting;
  Rate const read = read_bandwidth(x), copy = copy_bandwidth(x, y);
  Rate const single = peak_gflops<float>(), twice = peak_gflops<double>();
  return {.device = device_name(),
          .gbytes_per_s = read.per_s,
          .copy_gbytes_per_s = copy.per_s,
          .gflops_f32 = single.per_s,
          .gflops_f64 = twice.per_s,
          .shared_gbytes_per_s = nominal_shared_gbytes_per_s(),
          .caches = caches_of(topology),
          .warning = doubts({read, copy, single, twice}, waiting.share())};
}

std::optional<Machine> known_machine()
{
  char const* const file = std::getenv("HEDDLE_PERF_MACHINE");
  if (file == nullptr)
    return std::nullopt;
  MachineDescription const known = read_machine(file);
  std::string const device = device_name();
  impl::require(known.device == device, "perf", "HEDDLE_PERF_MACHINE names ", file,
                ", which is of ", known.device, "; this is ", device);
  return Machine{.device = device,
                 .gbytes_per_s = known.gbytes_per_s,
                 .gflops_f32 = known.gflops_f32,
                 .gflops_f64 = known.gflops_f64,
                 .shared_gbytes_per_s = nominal_shared_gbytes_per_s(),
                 .caches = caches_of(host_topology()),
                 .warning = {}};
}

} // namespace heddle::perf
