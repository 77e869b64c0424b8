// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/cublas.hpp>
#include <baselines/cusparse.hpp>
#include <baselines/eigen.hpp>
#include <baselines/graphblas.hpp>
#include <baselines/hypre.hpp>
#include <baselines/kokkoskernels.hpp>
#include <baselines/mkl.hpp>
#include <baselines/problem.hpp>
#include <harness/settings.hpp>

#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace heddle::perf
{

template <class... Families>
struct FamilyList
{};
using BaselineFamilies = FamilyList<KokkosKernels, CuSparse, CuBlas, Eigen3, GraphBlas, Hypre, Mkl>;

// What of_family(family) gives, of all families that are asked for and know the value type.
template <class Value, class OfFamily, class... Families>
Candidates baselines_of(Settings const& settings, OfFamily const& of_family,
                        FamilyList<Families...>)
{
  Candidates all;
  auto const add = [&]<class Family>(Family family) {
    if constexpr (Family::template is_available_v<Value>)
      if (settings.wants_baseline(Family::option))
      {
        Candidates some = of_family(family);
        std::move(some.begin(), some.end(), std::back_inserter(all));
      }
  };
  (add(Families{}), ...);
  return all;
}

// Of those in this build, by the beginning of their rows' names.
template <class... Families>
std::map<std::string, std::string> library_versions(FamilyList<Families...>)
{
  std::map<std::string, std::string> versions;
  auto const add = [&]<class Family>(Family) {
    if constexpr (Family::template is_available_v<double>)
      versions.emplace(Family::prefix, Family::version());
  };
  (add(Families{}), ...);
  return versions;
}

template <class Value>
Candidates spmv_baselines(Settings const& settings, SpmvProblem<Value> const& problem)
{
  return baselines_of<Value>(
      settings, [&]<class Family>(Family) { return Family::spmv(problem); }, BaselineFamilies{});
}
template <class Value, class Layout>
Candidates spmm_baselines(Settings const& settings, SpmmProblem<Value, Layout> const& problem)
{
  return baselines_of<Value>(
      settings, [&]<class Family>(Family) { return Family::spmm(problem); }, BaselineFamilies{});
}
template <class Value>
Candidates spgemm_baselines(Settings const& settings, SpgemmProblem<Value> const& problem)
{
  return baselines_of<Value>(
      settings, [&]<class Family>(Family) { return Family::spgemm(problem); }, BaselineFamilies{});
}
// Of families that multiply blocks.
template <class Value>
Candidates spgemm_baselines(Settings const& settings, BsrSpgemmProblem<Value> const& problem)
{
  return baselines_of<Value>(
      settings,
      [&]<class Family>(Family) -> Candidates {
        if constexpr (requires { Family::spgemm(problem); })
          return Family::spgemm(problem);
        else
          return {};
      },
      BaselineFamilies{});
}

} // namespace heddle::perf
