// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What formats are measured on, each behind the front door that users have.

#include <baselines/baselines.hpp>
#include <formats/settings.hpp>
#include <harness/types.hpp>
#include <heddle/papers/spmm.hpp>
#include <heddle/papers/spmv.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::perf
{

struct SpmmOperation
{
  static constexpr char const* name = "formats_spmm";
  using Options = SpmmOptions;
  template <class Matrix>
  using Plan = SpmmPlan<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using Implementations = SpmmImplementations<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using PapersPlan = papers::SpmmPlan<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using OfPapers = papers::SpmmImplementations<Exec, typename Matrix::const_type>;

  static Options options(std::string const& format, std::string const& parameters)
  {
    return spmm_options_of(format, parameters);
  }
  template <class AnyPlan, class Matrix, class Operands>
  static void run(AnyPlan const& plan, Matrix const& a, Operands const& operands)
  {
    using Value = typename Matrix::value_type;
    spmm(Exec{}, plan, Op::none, Value(1), a, operands.b(), Value(0), operands.c());
  }
  template <class Operands>
  static Candidates baselines(Settings const& settings, Operands const& operands)
  {
    return spmm_baselines(settings,
                          SpmmProblem<typename Operands::value_type, typename Operands::layout>{
                              operands.a(), Op::none, operands.b(), operands.c()});
  }
};

// On the one column of the operands.
struct SpmvOperation
{
  static constexpr char const* name = "formats_spmv";
  using Options = SpmvOptions;
  template <class Matrix>
  using Plan = SpmvPlan<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using Implementations = SpmvImplementations<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using PapersPlan = papers::SpmvPlan<Exec, typename Matrix::const_type>;
  template <class Matrix>
  using OfPapers = papers::SpmvImplementations<Exec, typename Matrix::const_type>;

  static Options options(std::string const&, std::string const&) { return {}; }
  template <class View>
  static auto vector(View const& column)
  {
    return Kokkos::View<typename View::value_type*, Space>(column.data(), column.extent(0));
  }
  template <class AnyPlan, class Matrix, class Operands>
  static void run(AnyPlan const& plan, Matrix const& a, Operands const& operands)
  {
    using Value = typename Matrix::value_type;
    spmv(Exec{}, plan, Op::none, Value(1), a, vector(operands.b()), Value(0), vector(operands.c()));
  }
  template <class Operands>
  static Candidates baselines(Settings const& settings, Operands const& operands)
  {
    return spmv_baselines(settings,
                          SpmvProblem<typename Operands::value_type>{
                              operands.a(), Op::none, vector(operands.b()), vector(operands.c())});
  }
};

} // namespace heddle::perf
