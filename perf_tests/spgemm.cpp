// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/for_each_matrix.hpp>
#include <harness/for_each_type.hpp>
#include <harness/interrupt.hpp>
#include <harness/measure.hpp>
#include <harness/memory_peak.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/sparse_reference.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <spgemm/candidates.hpp>
#include <spgemm/factors.hpp>

namespace heddle::perf
{

namespace
{

Candidate without_memory(Candidate candidate)
{
  candidate.plan = {};
  candidate.run = [] { throw OutOfMemory("C does not fit, see heddle", 0, 0); };
  return candidate;
}

// The candidate, which also makes fits false where it ends by anything but Unsupported.
Candidate noting_failures(Candidate candidate, bool& fits)
{
  auto const noting = [&fits](std::function<void()> const& step) -> std::function<void()> {
    if (!step)
      return {};
    return [&fits, step] {
      bool const did_fit = std::exchange(fits, false);
      try
      {
        step();
        fits = did_fit;
      }
      catch (Unsupported const&)
      {
        fits = did_fit;
        throw;
      }
    };
  };
  candidate.plan = noting(candidate.plan);
  candidate.run = noting(candidate.run);
  return candidate;
}

// What the plan and the first call take, C too; nothing where they throw, which their measurement
// says.
std::optional<MemoryTaken> memory_of(Candidate const& candidate)
{
  try
  {
    return memory_taken([&candidate] {
      if (candidate.plan)
        candidate.plan();
      candidate.run();
    });
  }
  catch (std::exception const&)
  {
    return std::nullopt;
  }
}

template <class Value>
void bench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
           HostMatrix<Value> const& a, HostMatrix<Value> const& b, bool is_numeric,
           SparseReference<Value> const& reference)
{
  auto const product = std::make_shared<Checked<Value>>(Checked<Value>{reference.rows(), {}});
  Record base = record_of(is_numeric ? "spgemm_numeric" : "spgemm", loaded, a, 1);
  auto const products =
      static_cast<double>(spgemm_products(Kokkos::DefaultHostExecutionSpace{}, a, b));
  base.flops = flops_per_product<Value> * products;
  PooledMemory const pool;
  // Baselines do not ask whether C fits: they are not tried where the automatic choice found that
  // it does not. Of accumulators by name it may be their own memory that is missing.
  bool fits = true;
  for (Candidate& place : candidates_of(settings, is_numeric, a, b, product))
  {
    Candidate const candidate = // its result goes before the next one's is made
        place.implementation.starts_with("heddle::auto") ? noting_failures(std::move(place), fits)
                                                         : std::move(place);
    bool const is_tried = fits || candidate.implementation.starts_with("heddle::");
    product->product.reset();
    auto const memory = settings.has_memory && is_tried ? memory_of(candidate) : std::nullopt;
    measure(
        report, settings, base, is_tried ? candidate : without_memory(candidate),
        is_numeric ? Clock::device : Clock::host,
        [&] { return reference.check(*product->product); },
        [&](Record& record) {
          double const c_bytes = csr_bytes<Value>(a.num_rows(), product->product->nnz, candidate);
          record.products_nnz = product->product->nnz;
          record.bytes = csr_bytes(a, candidate) + csr_bytes(b, candidate) + c_bytes;
          if (memory)
            record.workspace_bytes = static_cast<std::int64_t>(
                std::max(0.0, static_cast<double>(memory->peak) - c_bytes));
        });
  }
  report.end_group();
}

// A B in both phases, by the name that loaded has; a and b are its factors.
template <class Value>
void bench_product(Settings const& settings, Report& report, LoadedMatrix const& loaded,
                   HostMatrix<Value> const& a, HostMatrix<Value> const& b)
{
  SparseReference<Value> const reference(a, b);
  bench(settings, report, loaded, a, b, false, reference);
  bench(settings, report, loaded, a, b, true, reference);
}

// The values of a loaded matrix in a type that they can be rounded to.
template <class Value>
HostMatrix<Value> values_as(LoadedMatrix const& loaded)
{
  using Loaded = std::conditional_t<impl::is_complex_v<Value>, Kokkos::complex<double>, double>;
  auto const& matrix = std::get<HostMatrix<Loaded>>(loaded.matrix);
  if constexpr (std::same_as<Value, Loaded>)
    return matrix;
  else
    return rounded<Value>(matrix);
}

void say_left_out(std::string const& name, std::string const& why)
{
  std::cout << name << " is left out: " << why << '\n' << std::flush;
}

// Throws InvalidArgument if there is no pair with a product.
void bench_pairs(Settings const& settings, Report& report, std::vector<LoadedMatrix> const& all)
{
  bool has_product = false;
  for (LoadedMatrix const& a : all)
    for (LoadedMatrix const& b : all)
    {
      LoadedMatrix const named{a.name + " * " + b.name, a.matrix};
      std::string const why = why_no_product(a, b);
      has_product = has_product || why.empty();
      if (!why.empty())
        say_left_out(named.name, why);
      else if (!report.is_out_of_time())
        for_each_type(settings, named, [&]<class Value>(HostMatrix<Value> const& of_a) {
          bench_product(settings, report, named, of_a, values_as<Value>(b));
        });
    }
  impl::require(has_product, "perf", "none of the ", all.size() * all.size(),
                " pairs of matrices has sizes that go together: the lines above say which");
}

} // namespace

ImplementationNames spgemm_implementations() { return implementations_of_spgemm(); }

void bench_square(Settings const& settings, Report& report, LoadedMatrix const& matrix)
{
  for_each_type(settings, matrix, [&]<class Value>(HostMatrix<Value> const& a) {
    bool const is_square = a.num_rows() == a.num_cols();
    HostMatrix<Value> const b = is_square ? a : transpose(Kokkos::DefaultHostExecutionSpace{}, a);
    bench_product(settings, report, matrix, a, b);
  });
}

void bench_spgemm(SpgemmSettings const& settings, Report& report)
{
  std::vector<LoadedMatrix> kept; // of pairs: all matrices; others need one at a time
  bool is_one_taken = false;
  for_each_matrix(settings.common, [&](LoadedMatrix const& whole) {
    LoadedMatrix const a = settings.top_left > 0 ? top_left(whole, settings.top_left) : whole;
    std::string const why = why_left_out(settings, a);
    is_one_taken = is_one_taken || why.empty();
    if (!why.empty())
      say_left_out(a.name, why);
    else if (settings.has_pairs)
      kept.push_back(a);
    else if (!report.is_out_of_time())
      bench_square(settings.common, report, a);
  });
  if (interrupted_by() != 0)
    return;
  impl::require(is_one_taken, "perf", "no matrix is left: the lines above say why");
  if (settings.has_pairs)
    bench_pairs(settings.common, report, kept);
}

} // namespace heddle::perf
