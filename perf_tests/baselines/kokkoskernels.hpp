// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/problem.hpp>

#include <type_traits>

namespace heddle::perf
{

// Kokkos Kernels as a careful user calls it: handles made once, its own kernels named explicitly
// (SPGEMM_KK, because the default is a serial reference on hosts), no vendor library behind them.
struct KokkosKernels
{
  static constexpr char const* option = "kk";
#if defined(HEDDLE_PERF_KOKKOSKERNELS)
  template <class Value>
  static constexpr bool is_available_v = std::is_floating_point_v<Value>;
#else
  template <class>
  static constexpr bool is_available_v = false;
#endif

  template <class Value>
  static Candidates spmv(SpmvProblem<Value> const& problem);
  template <class Value, class Layout>
  static Candidates spmm(SpmmProblem<Value, Layout> const& problem);
  template <class Value>
  static Candidates spgemm(SpgemmProblem<Value> const& problem);
};

} // namespace heddle::perf
