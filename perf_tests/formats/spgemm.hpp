// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A A, or A A^T where A is not square, in the formats that SpGEMM takes: CSR, and BSR whose
// blocks of A are as asked for, those of B as high as these are wide and as wide as these are high.
// Both phases, as the command spgemm has them. Flops and bytes are those of the entries in CSR.

#include <baselines/baselines.hpp>
#include <formats/bench.hpp>
#include <harness/candidate.hpp>
#include <harness/for_each_type.hpp>
#include <harness/measure.hpp>
#include <harness/operands.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/sparse_reference.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <names.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

template <class Matrix>
using SpgemmKernelsOf =
    SpgemmImplementations<Exec, typename Matrix::const_type, typename Matrix::const_type>;

// The factors in one format, on the device, and what a product of them is compared with.
template <class Value, class Matrix>
struct SpgemmFactors
{
  Matrix a, b;
  SparseReference<Value> reference;
  double conversion_ms = 0;
};

// A product in any of the formats as CSR.
template <class Matrix>
auto as_csr(Matrix const& c)
{
  if constexpr (is_bsr_matrix_v<Matrix>)
    return to_csr(Exec{}, c);
  else
    return c;
}

template <class Value>
class SpgemmFormatsBench
{
  using Csr = Matrix32<Value>;
  using Blocks = BsrMatrix<Value, int, int, Space>;

public:
  SpgemmFormatsBench(FormatsSettings const& settings, Report& report, LoadedMatrix const& loaded,
                     HostMatrix<Value> const& a)
      : m_settings(settings)
      , m_report(report)
      , m_base(record_of("formats_spgemm", loaded, a, 1))
      , m_a(a)
      , m_b(a.num_rows() == a.num_cols() ? a : transpose(Kokkos::DefaultHostExecutionSpace{}, a))
  {
    m_base.flops =
        flops_per_product<Value> *
        static_cast<double>(spgemm_products(Kokkos::DefaultHostExecutionSpace{}, a, m_b));
  }

  void run()
  {
    for (bool const is_numeric : {false, true})
    {
      m_base.operation = is_numeric ? "formats_spgemm_numeric" : "formats_spgemm";
      if (m_settings.wants_format("csr"))
        run_format("csr", "", is_numeric, [&] { return in_csr(); });
      if (m_settings.wants_format("bsr"))
        for (BlockShape const& shape : m_settings.blocks)
          run_format("bsr", to_text(shape), is_numeric, [&] { return in_blocks(shape); });
      m_report.end_group();
    }
  }

private:
  SpgemmFactors<Value, Csr> in_csr() const
  {
    return {on_device<int>(m_a), on_device<int>(m_b), SparseReference<Value>(m_a, m_b)};
  }
  SpgemmFactors<Value, Blocks> in_blocks(BlockShape const& shape) const
  {
    Csr const csr_a = on_device<int>(m_a), csr_b = on_device<int>(m_b);
    BlockShape const other{shape.width, shape.height};
    Blocks a, b;
    double const ms = host_milliseconds(Exec{}, [&] {
      a = to_bsr(Exec{}, csr_a, shape, m_settings.fill_limit);
      b = to_bsr(Exec{}, csr_b, other, m_settings.fill_limit);
    });
    // Zeros that fill blocks are multiplied, too.
    return {a, b, SparseReference<Value>(on_host(to_csr(Exec{}, a)), on_host(to_csr(Exec{}, b))),
            ms};
  }

  template <class Make>
  void run_format(std::string const& format, std::string const& parameters, bool is_numeric,
                  Make const& make)
  {
    m_base.format = format;
    m_base.parameters = parameters;
    m_base.fill_ratio = 1;
    try
    {
      impl::require(fits_int_offsets(m_a), "perf", "more entries than int32 offsets count");
      auto const factors = make();
      m_base.fill_ratio = static_cast<double>(factors.a.values().extent(0)) /
                          static_cast<double>(std::max<std::size_t>(m_a.nnz(), 1));
      measure_all(factors, is_numeric);
    }
    catch (std::exception const& problem)
    {
      Record record = m_base;
      record.implementation = "heddle::auto";
      record.index_types = int_indices;
      record.skipped = problem.what();
      m_report.add(record);
    }
  }

  template <class Matrix>
  void measure_all(SpgemmFactors<Value, Matrix> const& factors, bool is_numeric)
  {
    auto const product = std::make_shared<std::optional<ProductSample<Value>>>();
    std::vector<std::int64_t> const rows = factors.reference.rows();
    auto const take = [=](Matrix const& c) { product->emplace(sample_of(as_csr(c), rows)); };
    PooledMemory const pool;
    for (Candidate const& candidate : candidates(factors, is_numeric, take))
    {
      product->reset();
      measure(
          m_report, m_settings.common, m_base, candidate, is_numeric ? Clock::device : Clock::host,
          [&] { return factors.reference.check(**product); },
          [&](Record& record) {
            record.prologue_ms = factors.conversion_ms + record.plan_ms;
            record.products_nnz = (*product)->nnz;
            record.bytes = csr_bytes(m_a, candidate) + csr_bytes(m_b, candidate) +
                           csr_bytes<Value>(m_a.num_rows(), (*product)->nnz, candidate);
          });
    }
  }

  template <class Matrix, class Take>
  Candidates candidates(SpgemmFactors<Value, Matrix> const& factors, bool is_numeric,
                        Take const& take) const
  {
    Candidates all;
    Settings const& common = m_settings.common;
    if (common.wants("auto"))
      all.push_back(ours("auto", factors, {}, is_numeric, take));
    for (char const* const name : impl::names_of(SpgemmKernelsOf<Matrix>{}))
      if (common.wants(name))
        all.push_back(ours(name, factors, {.implementation = name}, is_numeric, take));
    for (Candidate& one :
         spgemm_baselines(common, SpgemmProblemOf<Matrix>{factors.a, factors.b, is_numeric, take}))
      all.push_back(std::move(one));
    return all;
  }

  template <class Matrix, class Take>
  static Candidate ours(std::string const& name, SpgemmFactors<Value, Matrix> const& factors,
                        SpgemmOptions const& options, bool is_numeric, Take const& take)
  {
    using Plan = SpgemmPlan<Exec, typename Matrix::const_type, typename Matrix::const_type>;
    Matrix const a = factors.a, b = factors.b;
    auto const plan = std::make_shared<std::optional<Plan>>();
    auto const result = std::make_shared<Matrix>();
    Candidate candidate{"heddle::" + name, int_indices, {}, {}, [=] { take(*result); }};
    if (!is_numeric)
    {
      candidate.run = [=] { *result = spgemm(Exec{}, a, b, options); };
      return candidate;
    }
    candidate.plan = [=] {
      plan->emplace(Exec{}, a, b, options);
      *result = (*plan)->make_result(Exec{});
    };
    candidate.run = [=] { spgemm(Exec{}, **plan, a, b, *result); };
    if (options.implementation.empty())
      candidate.chosen = [=] { return std::string((*plan)->implementation_name()); };
    return candidate;
  }

  FormatsSettings const& m_settings;
  Report& m_report;
  Record m_base;
  HostMatrix<Value> m_a, m_b;
};

template <class Value>
std::vector<std::string> names_of_spgemm_formats()
{
  std::vector<std::string> all{"auto"};
  add_names(all, impl::names_of(SpgemmKernelsOf<Matrix32<Value>>{}));
  add_names(all, impl::names_of(SpgemmKernelsOf<BsrMatrix<Value, int, int, Space>>{}));
  return all;
}

} // namespace heddle::perf
