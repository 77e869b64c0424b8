// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/backend.hpp>

#include <cstdint>
#include <string>

namespace heddle
{

/// Choices of an SpmvPlan; the defaults are what most callers want.
struct SpmvOptions
{
  Backend backend = Backend::automatic;
  std::string implementation = {}; ///< a name such as "portable::csr_team"; empty: the plan chooses
  bool deterministic = false;      ///< bitwise repeatable values for every op, see describe()
  /// Calls with A^T or A^H are expected: of a CSR matrix on CUDA the plan holds what it takes to
  /// gather, where that is faster than additions by atomics and repaid within expected_calls (0:
  /// taken as many). Where A has an entry at (j, i) for each at (i, j) that is 4 bytes per entry,
  /// else the pattern of A^T, an ordinal and 4 bytes per entry. Other formats hold that of A^T as
  /// deterministic plans do. A CSC matrix needs it for A x, and its plan takes it where calls are
  /// expected and this is not set. docs/spmv.md.
  bool transposed = false;
  /// Calls that the plan will serve, about; 0: not known. Of a large CSR matrix the plan may keep
  /// the pattern in fewer bytes (csr_runs and csr_templates, docs/spmv.md). On CUDA it builds that
  /// where building costs at most 20 calls, or as many as are expected here, but 40; on hosts only
  /// where calls are expected here. Calls without a plan build nothing.
  std::int64_t expected_calls = 0;
  /// Of a CSR matrix: the plan may copy A into slices (SELL), values and all, and multiply from the
  /// copy where that proves faster. plan.keeps_values() tells whether it did, plan.describe() what
  /// it took and after how many calls that pays.
  ///
  /// Calls still take A, whose sizes are compared, but A x and conj(A) x read the copy: after A's
  /// values have changed they go on with the old ones until plan.update_values. A^T x and A^H x
  /// read A as ever.
  ///
  /// The copy takes up to 1.25 times the memory of A's entries, two numbers a row and a slice
  /// offset for 32 rows, and lives as long as the plan and its copies. Making the plan costs,
  /// beside the conversion, 32 calls in which both are timed, with scratch of x and y. Where CSR is
  /// as fast the copy is dropped, for which Kokkos waits for every instance, as it does whenever
  /// memory is freed. Does nothing for other formats, nor where cuda_native is forced.
  bool may_convert = false;
  /// Of a ReorderedMatrix, 1: the plan times a few calls with A as it was and in its new order, on
  /// a copy of A and scratch of x and y that live meanwhile, and plan.describe() says after how
  /// many calls the order pays. 0: no trial. (SpmmOptions have a number of columns here.)
  int order_trial = 0;
};

} // namespace heddle
