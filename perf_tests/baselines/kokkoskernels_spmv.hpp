// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/kokkoskernels.hpp>
#include <heddle/kokkos_sparse.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace kokkoskernels
{

template <class Value>
using Crs = KokkosSparse::CrsMatrix<Value, int, Kokkos::Device<Exec, Space>, void, int>;

// out = alpha op(A) in + beta out. Vectors times A have a choice of algorithms.
template <class Value, class In, class Out>
Candidates spmv_candidates(Matrix32<Value> const& a, Op op, Value alpha, In const& in, Value beta,
                           Out const& out, bool has_choice)
{
  using Handle = KokkosSparse::SPMVHandle<Exec, Crs<Value>, In, Out>;
  auto const matrix = kokkos_sparse_view<Crs<Value>>(a);
  char const* const mode = op == Op::none ? "N" : "T";
  std::vector<std::pair<std::string, KokkosSparse::SPMVAlgorithm>> algorithms{
      {"kokkoskernels::native", KokkosSparse::SPMV_NATIVE}};
  if (has_choice)
  {
    algorithms.emplace_back("kokkoskernels::default", KokkosSparse::SPMV_DEFAULT);
    algorithms.emplace_back("kokkoskernels::merge", KokkosSparse::SPMV_NATIVE_MERGE_PATH);
  }
  Candidates candidates;
  for (auto const& [name, algorithm] : algorithms)
  {
    auto const handle = std::make_shared<std::unique_ptr<Handle>>();
    auto const run = [=] {
      KokkosSparse::spmv(Exec{}, handle->get(), mode, alpha, matrix, in, beta, out);
    };
    // The first call fills the handle.
    auto const plan = [=, algorithm = algorithm] {
      *handle = std::make_unique<Handle>(algorithm);
      run();
    };
    candidates.push_back({name, int_indices, plan, run, {}});
  }
  return candidates;
}

} // namespace kokkoskernels

template <class Value>
Candidates KokkosKernels::spmv(SpmvProblem<Value> const& problem)
{
  return kokkoskernels::spmv_candidates<Value>(problem.a, problem.op, problem.alpha,
                                               Kokkos::View<Value const*, Space>(problem.x),
                                               problem.beta, problem.y, problem.op == Op::none);
}

template <class Value, class Layout>
Candidates KokkosKernels::spmm(SpmmProblem<Value, Layout> const& problem)
{
  return kokkoskernels::spmv_candidates<Value>(
      problem.a, problem.op, Value(1), Kokkos::View<Value const**, Layout, Space>(problem.b),
      Value(0), problem.c, false);
}

} // namespace heddle::perf
