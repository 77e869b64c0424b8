// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/problem.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include <multigrid/solver.hpp>

namespace heddle::perf
{

// hypre, on hosts: BoomerAMG with its own coarsening, interpolation and smoother, and its own CG,
// on one MPI rank. It has no products that others could call.
struct Hypre
{
  static constexpr char const* option = "hypre";
  static constexpr char const* prefix = "hypre"; // of its rows' names
#if defined(HEDDLE_PERF_HYPRE)
  template <class Value>
  static constexpr bool is_available_v = std::is_same_v<Value, double>;
#else
  template <class>
  static constexpr bool is_available_v = false;
#endif

  // Its name and version, as it says at run time where it does.
  static std::string version();
  template <class Value>
  static Candidates spmv(SpmvProblem<Value> const&)
  {
    return {};
  }
  template <class Value, class Layout>
  static Candidates spmm(SpmmProblem<Value, Layout> const&)
  {
    return {};
  }
  template <class Value>
  static Candidates spgemm(SpgemmProblem<Value> const&)
  {
    return {};
  }
  static std::vector<MultigridMethod> multigrid();
};

} // namespace heddle::perf
