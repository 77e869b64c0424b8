// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/problem.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include <multigrid/library.hpp>

namespace heddle::perf
{

// Kokkos Kernels as a careful user calls it: handles made once, its own kernels named explicitly
// (SPGEMM_KK, because the default is a serial reference on hosts), no vendor library behind them.
struct KokkosKernels
{
  static constexpr char const* option = "kk";
  static constexpr char const* prefix = "kokkoskernels"; // of its rows' names
#if defined(HEDDLE_PERF_KOKKOSKERNELS)
  template <class Value>
  static constexpr bool is_available_v = std::is_floating_point_v<Value>;
#else
  template <class>
  static constexpr bool is_available_v = false;
#endif

  // Its name and version, as it says at run time where it does.
  static std::string version();
  template <class Value>
  static Candidates spmv(SpmvProblem<Value> const& problem);
  template <class Value, class Layout>
  static Candidates spmm(SpmmProblem<Value, Layout> const& problem);
  template <class Value>
  static Candidates spgemm(SpgemmProblem<Value> const& problem);
  template <class Value>
  static Candidates spgemm(BsrSpgemmProblem<Value> const& problem); // square blocks alone
  static std::vector<MultigridLibrary> multigrid();
};

} // namespace heddle::perf
