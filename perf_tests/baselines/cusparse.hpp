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

// cuSPARSE's generic API, every algorithm by name. Names that end in _pre call the preprocess
// function, as part of the plan. A^T B comes by op = transpose and, as cscview, by a CSC descriptor
// of the same arrays.
struct CuSparse
{
  static constexpr char const* option = "cusparse";
  static constexpr char const* prefix = "cusparse"; // of its rows' names
#if defined(HEDDLE_PERF_CUSPARSE)
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
  static std::vector<MultigridLibrary> multigrid();
};

} // namespace heddle::perf
