// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM with A in row segments, for the command spmm: what it makes of CSR and the plan on it are
// the candidate's plan. Compiled for float and double in calibrate/bench_*.cpp, which have the
// kernels.

#include <baselines/problem.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace heddle::perf
{

template <class Value, class Layout>
inline constexpr bool has_row_segments_v =
    std::is_floating_point_v<Value>&& std::is_same_v<Layout, Kokkos::LayoutRight>;

// C = op(A) B.
template <class Value>
Candidate row_segmented_spmm(SpmmProblem<Value, Kokkos::LayoutRight> const& problem);
// C1 = A^T B1 and C2 = A B2 in one call, from one plan.
template <class Value>
Candidate row_segmented_both(SpmmProblem<Value, Kokkos::LayoutRight> const& transposed,
                             SpmmProblem<Value, Kokkos::LayoutRight> const& plain);

} // namespace heddle::perf
