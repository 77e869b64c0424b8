// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/machine.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/topology.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace heddle::perf
{

namespace
{

using Exec = Kokkos::DefaultExecutionSpace;
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

std::string device_name(Topology const& topology)
{
#if defined(KOKKOS_ENABLE_CUDA)
  static_cast<void>(topology);
  return Exec{}.cuda_device_prop().name;
#else
  std::string const cpu = topology.cpu_model.empty() ? "CPU" : topology.cpu_model;
  return cpu + " (" + std::to_string(Exec{}.concurrency()) + " threads)";
#endif
}

// Sums integers, because compilers may add those in any order: adding doubles one after another
// would wait for each sum instead of for memory.
double read_bandwidth(std::int64_t bytes)
{
  Exec const exec{};
  auto const n = bytes / static_cast<std::int64_t>(sizeof(std::uint64_t));
  Kokkos::View<std::uint64_t*, Exec::memory_space> const x("heddle::machine::x", n);
  Kokkos::deep_copy(exec, x, 1);
  std::uint64_t sum = 0;
  auto const read = [&] {
    Kokkos::parallel_reduce(
        "heddle::machine::read", Range(exec, 0, n),
        KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & partial) { partial += x(i); }, sum);
  };
  double const ms = median(time_calls(exec, {7, 2.0, 2}, read));
  return static_cast<double>(bytes) / ms * 1e-6;
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
double peak_gflops()
{
  Exec const exec{};
  std::int64_t const threads = exec.concurrency();
  Kokkos::View<Real*, Exec::memory_space> const out("heddle::machine::out", threads);
  auto const compute = [&] {
    Kokkos::parallel_for(
        "heddle::machine::compute", Range(exec, 0, threads),
        KOKKOS_LAMBDA(std::int64_t i) { out(i) = multiply_and_add(static_cast<Real>(i)); });
  };
  double const ms = median(time_calls(exec, {7, 2.0, 2}, compute));
  return 2.0 * chains<Real> * steps * static_cast<double>(threads) / ms * 1e-6;
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

} // namespace

double Machine::bound_ms(double bytes, double flops, bool is_double) const
{
  double const peak = is_double ? gflops_f64 : gflops_f32;
  return std::max(bytes / gbytes_per_s, flops / peak) * 1e-6;
}

Machine measure_machine()
{
  Topology const topology = host_topology();
  return {device_name(topology), read_bandwidth(bytes_to_read(topology)), peak_gflops<float>(),
          peak_gflops<double>()};
}

} // namespace heddle::perf
