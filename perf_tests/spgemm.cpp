// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <baselines/serial.hpp>
#include <commands.hpp>
#include <harness/for_each_type.hpp>
#include <harness/measure.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/sparse_reference.hpp>
#include <heddle/error.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace
{

// Where candidates leave what is checked of C.
template <class Value>
struct Checked
{
  std::vector<std::int64_t> rows; // which
  std::optional<ProductSample<Value>> product;

  template <class Matrix>
  void take(Matrix const& c)
  {
    product = sample_of(c, rows);
  }
};
template <class Value>
using Product = std::shared_ptr<Checked<Value>>;

// C = A B in one call.
template <class Matrix>
Candidate one_shot(std::string const& name, std::string const& index_types, Matrix const& a,
                   Matrix const& b, SpgemmOptions const& options,
                   Product<typename Matrix::value_type> const& product)
{
  auto const result = std::make_shared<Matrix>();
  return {"heddle::" + name,
          index_types,
          {},
          [=] { *result = spgemm(Exec{}, a, b, options); },
          [=] { product->take(*result); }};
}

// The symbolic phase as plan, the numeric phase as the call.
template <class Matrix>
Candidate two_phases(std::string const& name, std::string const& index_types, Matrix const& a,
                     Matrix const& b, SpgemmOptions const& options,
                     Product<typename Matrix::value_type> const& product)
{
  using Plan = SpgemmPlan<Exec, typename Matrix::const_type, typename Matrix::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  auto const result = std::make_shared<Matrix>();
  return {"heddle::" + name, index_types,
          [=] {
            plan->emplace(Exec{}, a, b, options);
            *result = (*plan)->make_result(Exec{});
          },
          [=] { spgemm(Exec{}, **plan, a, b, *result); }, [=] { product->take(*result); }};
}

template <class Value>
std::vector<Candidate> candidates_of(Settings const& settings, bool is_numeric,
                                     HostMatrix<Value> const& a, HostMatrix<Value> const& b,
                                     Product<Value> const& product)
{
  using Const = typename Matrix32<Value>::const_type;
  using Implementations = SpgemmImplementations<Exec, Const, Const>;
  auto const candidate = [&](std::string const& name, std::string const& index_types,
                             auto const& matrix_a, auto const& matrix_b,
                             SpgemmOptions const& options) {
    return is_numeric ? two_phases(name, index_types, matrix_a, matrix_b, options, product)
                      : one_shot(name, index_types, matrix_a, matrix_b, options, product);
  };
  std::vector<Candidate> all;
  if (fits_int_offsets(a))
  {
    auto const a32 = on_device<int>(a), b32 = on_device<int>(b);
    if (settings.wants("auto"))
      all.push_back(candidate("auto", "int32,int32", a32, b32, {}));
    for (char const* const name : impl::names_of(Implementations{}))
      if (settings.wants(name))
        all.push_back(candidate(name, "int32,int32", a32, b32, {.implementation = name}));
    if (is_numeric && settings.wants("auto_reuse"))
      all.push_back(candidate("auto_reuse", "int32,int32", a32, b32, {.reuse = true}));
    if (impl::first_t<Implementations>::backend == Backend::cuda_native)
      for (SpgemmAccumulator const accumulator : spgemm_accumulators)
        if (settings.wants(to_string(accumulator)))
          all.push_back(candidate(to_string(accumulator), "int32,int32", a32, b32,
                                  {.backend = Backend::cuda_native, .accumulator = accumulator}));
    auto const take = [product](Matrix32<Value> const& c) { product->take(c); };
    for (Candidate& one :
         spgemm_baselines(settings, SpgemmProblem<Value>{a32, b32, is_numeric, take}))
      all.push_back(std::move(one));
  }
  if (settings.wants("auto_size_t"))
    all.push_back(candidate("auto_size_t", "int32,size_t", on_device<std::size_t>(a),
                            on_device<std::size_t>(b), {}));
  if (!is_numeric && settings.wants_baseline("serial"))
  {
    auto const c = std::make_shared<HostMatrix<Value>>();
    all.push_back({"serial::csr",
                   "int32,size_t",
                   {},
                   [=] { *c = serial::multiply(a, b); },
                   [=] { product->take(on_device<std::size_t>(*c)); }});
  }
  return all;
}

Candidate without_memory(Candidate candidate)
{
  candidate.plan = {};
  candidate.run = [] { throw OutOfMemory("C does not fit, see heddle", 0, 0); };
  return candidate;
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
  bool fits = true; // baselines do not ask whether C does: they are not tried where heddle found
                    // that it does not
  for (Candidate& place : candidates_of(settings, is_numeric, a, b, product))
  {
    Candidate const candidate = std::move(place); // its result goes before the next one's is made
    bool const is_own = candidate.implementation.starts_with("heddle::");
    product->product.reset();
    measure(
        report, settings, base, is_own || fits ? candidate : without_memory(candidate),
        is_numeric ? Clock::device : Clock::host,
        [&] { return reference.check(*product->product); },
        [&](Record& record) {
          record.products_nnz = product->product->nnz;
          record.bytes = csr_bytes(a, candidate) + csr_bytes(b, candidate) +
                         csr_bytes<Value>(a.num_rows(), product->product->nnz, candidate);
        });
    fits = fits && (product->product.has_value() || !is_own);
  }
  report.end_group();
}

} // namespace

void bench_spgemm(Settings const& settings, Report& report, LoadedMatrix const& matrix)
{
  for_each_type(settings, matrix, [&]<class Value>(HostMatrix<Value> const& a) {
    bool const is_square = a.num_rows() == a.num_cols();
    HostMatrix<Value> const b = is_square ? a : transpose(Kokkos::DefaultHostExecutionSpace{}, a);
    SparseReference<Value> const reference(a, b);
    bench(settings, report, matrix, a, b, false, reference);
    bench(settings, report, matrix, a, b, true, reference);
  });
}

} // namespace heddle::perf
