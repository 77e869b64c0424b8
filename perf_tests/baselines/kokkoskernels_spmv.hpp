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

namespace heddle::perf::kokkoskernels
{

template <class Value>
using Crs = KokkosSparse::CrsMatrix<Value, int, Kokkos::Device<Exec, Space>, void, int>;

// The algorithms that are Kokkos Kernels' own.
template <class Value, class In, class Out>
std::vector<Candidate> spmv_candidates(Matrix32<Value> const& a, Op op, In const& in,
                                       Out const& out, bool has_merge_path)
{
  using Handle = KokkosSparse::SPMVHandle<Exec, Crs<Value>, In, Out>;
  auto const matrix = kokkos_sparse_view<Crs<Value>>(a);
  char const* const mode = op == Op::none ? "N" : "T";
  std::vector<std::pair<std::string, KokkosSparse::SPMVAlgorithm>> algorithms{
      {"kokkoskernels::native", KokkosSparse::SPMV_NATIVE}};
  if (has_merge_path)
    algorithms.emplace_back("kokkoskernels::merge", KokkosSparse::SPMV_NATIVE_MERGE_PATH);
  std::vector<Candidate> candidates;
  for (auto const& [name, algorithm] : algorithms)
  {
    auto const handle = std::make_shared<std::unique_ptr<Handle>>();
    auto const run = [=] {
      KokkosSparse::spmv(Exec{}, handle->get(), mode, Value(1), matrix, in, Value(0), out);
    };
    // The first call fills the handle.
    auto const plan = [=, algorithm = algorithm] {
      *handle = std::make_unique<Handle>(algorithm);
      run();
    };
    candidates.push_back({name, "int32,int32", plan, run, {}});
  }
  return candidates;
}

template <class Value>
std::vector<Candidate> spmv(Matrix32<Value> const& a, Op op, Vector<Value> const& x,
                            Vector<Value> const& y)
{
  return spmv_candidates<Value>(a, op, Kokkos::View<Value const*, Space>(x), y, op == Op::none);
}

template <class Value, class Layout>
std::vector<Candidate> spmm(Matrix32<Value> const& a, Op op, Dense<Value, Layout> const& b,
                            Dense<Value, Layout> const& c)
{
  return spmv_candidates<Value>(a, op, Kokkos::View<Value const**, Layout, Space>(b), c, false);
}

} // namespace heddle::perf::kokkoskernels
