// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/backend.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace heddle
{

/// Choices of an SpgemmPlan; the defaults are what most callers want.
struct SpgemmOptions
{
  Backend backend = Backend::automatic;
  std::string implementation = {}; ///< a name such as "portable::hash"; empty: the plan chooses
  bool deterministic = false;      ///< bitwise repeatable values, see describe()
  /// Hard cap on the memory of plan and call beyond A, B and C; above it rows go in chunks.
  std::size_t max_workspace_bytes = std::numeric_limits<std::size_t>::max();
  /// Of two ReorderedMatrix: the plan times a few calls with A and B as they were and in their new
  /// orders, on copies that live meanwhile, and plan.describe() says after how many calls the
  /// orders pay.
  bool order_trial = false;
};

} // namespace heddle
