// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/problem.hpp>

#include <string>
#include <type_traits>

#include <solver_steps/step.hpp>

namespace heddle::perf
{

// cuBLAS on A as a dense matrix, where that is not larger than a GiB: where sparsity stops paying
// (paper 003, Fig. 2). Of the command solver-steps: on vectors, behind the SpMV of another library.
struct CuBlas
{
  static constexpr char const* option = "cublas";
  static constexpr char const* prefix = "cublas"; // of its rows' names
#if defined(HEDDLE_PERF_CUBLAS)
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
  // None for a step that BLAS has no functions of.
  static Candidates step(StepProblem const& problem, SpmvFamily const& spmv);
};

} // namespace heddle::perf
