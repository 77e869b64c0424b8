// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What computes C = A B: heddle in all ways that are asked for, baselines, serial code.

#include <baselines/baselines.hpp>
#include <baselines/serial.hpp>
#include <harness/absent.hpp>
#include <harness/candidate.hpp>
#include <harness/operands.hpp>
#include <harness/settings.hpp>
#include <harness/sparse_reference.hpp>
#include <heddle/impl/papers_names.hpp>
#include <heddle/papers/spgemm.hpp>
#include <heddle/spgemm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <names.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
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

// Whether only papers::SpgemmPlan has what options name.
inline bool is_of_papers(SpgemmOptions const& options)
{
  return impl::is_papers_name("spgemm", options.implementation) ||
         impl::is_papers_name("spgemm", to_string(options.accumulator));
}

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
          [=] {
            *result = is_of_papers(options) ? papers::spgemm(Exec{}, a, b, options)
                                            : spgemm(Exec{}, a, b, options);
          },
          [=] { product->take(*result); }};
}

// The symbolic phase as plan, the numeric phase as the call.
template <template <class, class, class> class PlanOf, class Matrix>
Candidate two_phases(std::string const& name, std::string const& index_types, Matrix const& a,
                     Matrix const& b, SpgemmOptions const& options,
                     Product<typename Matrix::value_type> const& product)
{
  using Plan = PlanOf<Exec, typename Matrix::const_type, typename Matrix::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  auto const result = std::make_shared<Matrix>();
  Candidate candidate{"heddle::" + name, index_types,
                      [=] {
                        plan->emplace(Exec{}, a, b, options);
                        *result = (*plan)->make_result(Exec{});
                      },
                      [=] { spgemm(Exec{}, **plan, a, b, *result); },
                      [=] { product->take(*result); }};
  if (options.implementation.empty() && options.accumulator == SpgemmAccumulator::automatic)
    candidate.chosen = [=] { return std::string((*plan)->implementation_name()); };
  return candidate;
}

// An accumulator that options ask for, by the name that rows have.
struct Accumulating
{
  std::string name;
  SpgemmOptions options;
};

// All but automatic, which is what auto takes, and paper 003's scatter vectors with a fixed number
// of virtual warps too. The plan finds an implementation that has it, or says that there is none.
inline std::vector<Accumulating> accumulating()
{
  std::vector<Accumulating> all;
  for (SpgemmAccumulator const accumulator : spgemm_accumulators)
    if (accumulator != SpgemmAccumulator::automatic)
      all.push_back({to_string(accumulator), {.accumulator = accumulator}});
  for (int const warps : {1, 2, 4, 8})
    all.push_back({"scatter_vector_paper_" + std::to_string(warps),
                   {.accumulator = SpgemmAccumulator::scatter_vector_paper,
                    .tuning = {.scatter_vector_paper = {.virtual_warps = warps}}}});
  return all;
}

// What --implementation takes besides the names of kernels and of accumulators.
constexpr char const *automatic = "auto", *with_size_t = "auto_size_t", *with_reuse = "auto_reuse";

template <class Value>
using SpgemmKernels =
    decltype(SpgemmImplementations<Exec, typename Matrix32<Value>::const_type,
                                   typename Matrix32<Value>::const_type>{} +
             papers::SpgemmImplementations<Exec, typename Matrix32<Value>::const_type,
                                           typename Matrix32<Value>::const_type>{});

inline ImplementationNames implementations_of_spgemm()
{
  ImplementationNames names{{automatic, with_size_t, with_reuse}, {}};
  for (Accumulating const& one : accumulating())
    names.built.push_back(one.name);
  add_names_of_types(names.built,
                     []<class Value>() { return impl::names_of(SpgemmKernels<Value>{}); });
  return names;
}

template <class Value>
std::vector<Candidate> candidates_of(Settings const& settings, bool is_numeric,
                                     HostMatrix<Value> const& a, HostMatrix<Value> const& b,
                                     Product<Value> const& product)
{
  auto const candidate = [&](std::string const& name, std::string const& index_types,
                             auto const& matrix_a, auto const& matrix_b,
                             SpgemmOptions const& options) {
    if (!is_numeric)
      return one_shot(name, index_types, matrix_a, matrix_b, options, product);
    return is_of_papers(options)
               ? two_phases<papers::SpgemmPlan>(name, index_types, matrix_a, matrix_b, options,
                                                product)
               : two_phases<SpgemmPlan>(name, index_types, matrix_a, matrix_b, options, product);
  };
  std::vector<Candidate> all;
  if (fits_int_offsets(a) && fits_int_offsets(b))
  {
    auto const a32 = on_device<int>(a), b32 = on_device<int>(b);
    if (settings.wants(automatic))
      all.push_back(candidate(automatic, "int32,int32", a32, b32, {}));
    for (char const* const name : impl::names_of(SpgemmKernels<Value>{}))
      if (settings.wants(name))
        all.push_back(candidate(name, "int32,int32", a32, b32, {.implementation = name}));
    if (is_numeric && settings.wants(with_reuse))
      all.push_back(candidate(with_reuse, "int32,int32", a32, b32, {.reuse = true}));
    for (Accumulating const& one : accumulating())
      if (settings.wants(one.name))
        all.push_back(candidate(one.name, "int32,int32", a32, b32, one.options));
    auto const take = [product](Matrix32<Value> const& c) { product->take(c); };
    for (Candidate& one :
         spgemm_baselines(settings, SpgemmProblem<Value>{a32, b32, is_numeric, take}))
      all.push_back(std::move(one));
  }
  if (settings.wants(with_size_t))
    all.push_back(candidate(with_size_t, "int32,size_t", on_device<std::size_t>(a),
                            on_device<std::size_t>(b), {}));
  add_absent(all, settings, type_name<Value>());
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

} // namespace heddle::perf
