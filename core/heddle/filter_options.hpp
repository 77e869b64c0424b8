// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/norm.hpp>

namespace heddle
{

/// What filter compares the absolute value of an entry with, apart from the tolerance t.
enum class FilterCriterion
{
  /// Drops where |a_ij| <= t sqrt(|a_ii| |a_jj|): the strength of connection of smoothed
  /// aggregation (Vanek, Mandel and Brezina, Computing 56, 1996), which MueLu calls "classical".
  diagonal,
  /// Drops where |a_ij| < t times the norm of row i: what hypre does with A on coarse levels
  /// (HYPRE_BoomerAMGSetADropTol, HYPRE_BoomerAMGSetADropType).
  row_norm,
  /// Drops where |a_ij| < t.
  absolute
};

/// How filter chooses and what becomes of what it drops.
struct FilterOptions
{
  FilterCriterion criterion = FilterCriterion::diagonal;
  Norm norm = Norm::infinity; ///< of rows, for FilterCriterion::row_norm
  /// What is dropped of a row is added to its diagonal entry (MueLu: "filtered matrix: use
  /// lumping"), so that row sums stay but for rounding.
  bool keeps_row_sums = false;
};

} // namespace heddle
