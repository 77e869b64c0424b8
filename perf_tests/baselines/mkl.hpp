// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/problem.hpp>

#include <string>
#include <type_traits>

namespace heddle::perf
{

// oneMKL by its inspector-executor routines, on hosts: hints and mkl_sparse_optimize are the plan.
// Rows of its products are not sorted.
struct Mkl
{
  static constexpr char const* option = "mkl";
  static constexpr char const* prefix = "mkl"; // of its rows' names
#if defined(HEDDLE_PERF_MKL)
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
};

} // namespace heddle::perf
