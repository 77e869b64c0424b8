// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix in all formats, after paper 002: the prologue brings the operands to the device,
// converts A from CSR and makes the plan, the execution is the operation, the epilogue brings C to
// the host. Every format has serial code of its own, against which it is compared.

#include <baselines/serial_formats.hpp>
#include <formats/formats.hpp>
#include <formats/operands.hpp>
#include <formats/operations.hpp>
#include <harness/for_each_type.hpp>
#include <harness/measure.hpp>
#include <harness/waiting.hpp>
#include <heddle/storage.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <names.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::perf
{

// What --implementation takes besides the names of kernels.
constexpr char const* automatic = "auto";

// The kernels of all formats, each once.
template <class Operation, class Value>
std::vector<std::string> names_of_formats()
{
  std::vector<std::string> all{automatic};
  for_each_format({}, [&](std::string const&, std::string const&, auto const& convert) {
    using Matrix = decltype(convert(std::declval<Matrix32<Value> const&>()));
    add_names(all, impl::names_of(typename Operation::template Implementations<Matrix>{}));
    add_names(all, impl::names_of(typename Operation::template OfPapers<Matrix>{}));
  });
  return all;
}

// Says why a case does not run; empty if it may.
inline std::string too_large(std::size_t bytes, std::size_t most)
{
  return bytes <= most ? ""
                       : "the operands take " + std::to_string(bytes) + " bytes, --max-bytes is " +
                             std::to_string(most);
}

// All formats on one pair of dense operands.
template <class Operation, class Value, class Layout>
class FormatsBench
{
public:
  using Operands = FormatOperands<Value, Layout>;

  FormatsBench(FormatsSettings const& settings, Report& report, Record base,
               HostMatrix<Value> const& a, std::int64_t k, DenseReference<Value> const& reference)
      : m_settings(settings)
      , m_report(report)
      , m_base(std::move(base))
      , m_reference(reference)
      , m_operands(std::make_shared<Operands>(a, k))
      , m_operand_bytes(Operands::bytes(a, k))
  {}

  void run()
  {
    for_each_format(m_settings, [this](std::string const& name, std::string const& parameters,
                                       auto const& convert) {
      m_base.format = name;
      m_base.parameters = parameters;
      run_format(convert);
    });
  }

private:
  template <class Convert>
  void run_format(Convert const& convert)
  {
    using Matrix = decltype(convert(m_operands->a()));
    try
    {
      Matrix const a = convert(m_operands->a());
      std::string const reason = too_large(
          m_operand_bytes + (m_base.format == "csr" ? 0 : storage_bytes(a)), m_settings.max_bytes);
      if (!reason.empty())
        throw std::runtime_error(reason);
      m_base.fill_ratio = static_cast<double>(stored_values(a)) /
                          static_cast<double>(std::max<std::size_t>(a.nnz(), 1));
      m_base.serial_ms = 0;
      if (m_settings.common.wants_baseline("serial"))
        run_serial(a);
    }
    catch (std::exception const& problem)
    {
      for (auto const& names : {own_names<Matrix>(), names_of_papers<Matrix>()})
        for (std::string const& name : names)
          skip("heddle::" + name, problem.what());
      return;
    }
    for (std::string const& name : own_names<Matrix>())
      run_ours<typename Operation::template Plan<Matrix>, Matrix>(name, convert, options_of(name));
    if constexpr (has_any_v<typename Operation::template OfPapers<Matrix>>)
      for (std::string const& name : names_of_papers<Matrix>())
        run_ours<typename Operation::template PapersPlan<Matrix>, Matrix>(name, convert,
                                                                          options_of(name));
    if constexpr (is_csr_matrix_v<Matrix>)
      for (Candidate& candidate : Operation::baselines(m_settings.common, *m_operands))
        run_baseline(std::move(candidate));
  }

  // Of ours that are asked for and take the format: heddle's own, and those of papers.
  template <class Matrix>
  std::vector<std::string> own_names() const
  {
    std::vector<std::string> wanted =
        wanted_of(impl::names_of(typename Operation::template Implementations<Matrix>{}));
    if (m_settings.common.wants(automatic))
      wanted.insert(wanted.begin(), automatic);
    return wanted;
  }
  template <class Matrix>
  std::vector<std::string> names_of_papers() const
  {
    return wanted_of(impl::names_of(typename Operation::template OfPapers<Matrix>{}));
  }
  std::vector<std::string> wanted_of(std::vector<char const*> const& names) const
  {
    std::vector<std::string> wanted;
    for (char const* const name : names)
      if (m_settings.common.wants(name))
        wanted.emplace_back(name);
    return wanted;
  }

  typename Operation::Options options_of(std::string const& name) const
  {
    auto options = Operation::options(m_base.format, m_base.parameters);
    if (name != automatic)
      options.implementation = name;
    return options;
  }

  void skip(std::string const& implementation, std::string const& reason)
  {
    Record record = m_base;
    record.implementation = implementation;
    record.index_types = "int32,int32";
    record.skipped = reason;
    m_report.add(record);
  }

  // The time of a call, of several where they are short; 0 if it does not run or is wrong.
  template <class Matrix>
  void run_serial(Matrix const& a)
  {
    Record record = m_base;
    record.implementation = "serial::" + record.format;
    record.index_types = "int32,int32";
    double const flops = flops_per_product<Value> * static_cast<double>(stored_values(a)) *
                         static_cast<double>(record.k);
    if (flops > m_settings.serial_flops)
    {
      skip(record.implementation, "more than --serial-flops: " + std::to_string(flops));
      return;
    }
    Report::progress(record.matrix + " " + record.format + " serial");
    auto const host = [&] {
      if constexpr (has_own_memory)
        return copy_to(Exec{}, Kokkos::HostSpace{}, a);
      else
        return a;
    }();
    auto const call = [&] { serial::multiply(host, m_operands->host_b(), m_operands->result()); };
    constexpr double long_ms = 2000.0;
    WaitingForCores const waiting;
    record.times = times_summary({host_milliseconds(Exec{}, call)});
    if (record.times.median_ms < long_ms)
      record.times = times_summary(time_calls_with(host_milliseconds<Exec, decltype(call)>, Exec{},
                                                   {5, long_ms * 1e-3, 0}, call));
    record.noise = noise_of(record.times, waiting.share());
    Kokkos::deep_copy(m_operands->c(), m_operands->result());
    Verdict const verdict = m_reference.check(m_operands->c());
    record.residual = verdict.residual;
    record.skipped = verdict.wrong;
    if (record.skipped.empty())
      m_base.serial_ms = record.serial_ms = record.times.median_ms;
    m_report.add(record);
  }

  template <class Plan, class Matrix, class Convert>
  void run_ours(std::string const& name, Convert const& convert,
                typename Operation::Options const& options)
  {
    auto const a = std::make_shared<std::optional<Matrix>>();
    auto const plan = std::make_shared<std::optional<Plan>>();
    auto const plan_ms = std::make_shared<double>();
    auto const operands = m_operands;
    Candidate const candidate{"heddle::" + name,
                              "int32,int32",
                              [=] {
                                plan->reset();
                                a->reset(); // not two at once
                                operands->copy_to_device();
                                a->emplace(convert(operands->a()));
                                *plan_ms = host_milliseconds(
                                    Exec{}, [&] { plan->emplace(Exec{}, **a, options); });
                              },
                              [=] { Operation::run(**plan, **a, *operands); },
                              {}};
    run_candidate(candidate, [=] { return *plan_ms; });
  }

  void run_baseline(Candidate candidate)
  {
    auto const plan_ms = std::make_shared<double>();
    auto const operands = m_operands;
    candidate.plan = [=, plan = candidate.plan] {
      operands->copy_to_device();
      *plan_ms = plan ? host_milliseconds(Exec{}, plan) : 0.0;
    };
    run_candidate(candidate, [=] { return *plan_ms; });
  }

  template <class PlanTime>
  void run_candidate(Candidate const& candidate, PlanTime const& plan_ms)
  {
    Kokkos::deep_copy(m_operands->c(), Value(std::numeric_limits<float>::quiet_NaN()));
    measure(
        m_report, m_settings.common, m_base, candidate, Clock::device,
        [&] { return m_reference.check(m_operands->c()); },
        [&](Record& record) {
          record.prologue_ms = record.plan_ms;
          record.plan_ms = plan_ms();
          auto const epilogue = [&] { m_operands->copy_to_host(); };
          record.epilogue_ms =
              median(time_calls_with(host_milliseconds<Exec, decltype(epilogue)>, Exec{},
                                     {Effort{}.least_runs, 2.0, 1}, epilogue));
        });
  }

  FormatsSettings const& m_settings;
  Report& m_report;
  Record m_base;
  DenseReference<Value> const& m_reference;
  std::shared_ptr<Operands> m_operands;
  std::size_t m_operand_bytes;
};

// Says for every format asked for why none runs.
inline void skip_formats(FormatsSettings const& settings, Report& report, Record base,
                         std::string const& reason)
{
  for_each_format(settings,
                  [&](std::string const& name, std::string const& parameters, auto const&) {
                    base.format = name;
                    base.parameters = parameters;
                    base.implementation = "heddle::auto";
                    base.index_types = "int32,int32";
                    base.skipped = reason;
                    report.add(base);
                  });
}

template <class Operation, class Layout, class Value>
void bench_layout(FormatsSettings const& settings, Report& report, Record const& base,
                  HostMatrix<Value> const& a, std::optional<DenseReference<Value>> const& reference,
                  std::string const& reason)
{
  if (!reason.empty())
    skip_formats(settings, report, base, reason);
  else
    try
    {
      FormatsBench<Operation, Value, Layout>(settings, report, base, a, base.k, *reference).run();
    }
    catch (std::exception const& problem) // the dense operands are not to be had
    {
      skip_formats(settings, report, base, problem.what());
    }
  report.end_group();
}

template <class Operation, class Value>
void bench_formats(FormatsSettings const& settings, Report& report, LoadedMatrix const& loaded,
                   HostMatrix<Value> const& a, std::int64_t k)
{
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  Record base = record_of(Operation::name, loaded, a, k);
  base.bytes = dense_bytes<Value>(base, sizeof(int));
  std::string const reason =
      fits_int_offsets(a) ? too_large(FormatOperands<Value, Right>::bytes(a, k), settings.max_bytes)
                          : "more entries than int32 offsets count";
  std::optional<DenseReference<Value>> reference;
  if (reason.empty())
    reference.emplace(a, Op::none, k);
  if constexpr (std::is_same_v<Operation, SpmvOperation>)
    bench_layout<Operation, Left>(settings, report, base, a, reference, reason);
  else
    for (std::string const& layout : settings.common.layouts)
    {
      base.layout = layout;
      if (layout == "row")
        bench_layout<Operation, Right>(settings, report, base, a, reference, reason);
      else
        bench_layout<Operation, Left>(settings, report, base, a, reference, reason);
    }
}

} // namespace heddle::perf
