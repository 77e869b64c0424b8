// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spmv.hpp>

namespace heddle::perf
{

template Candidates KokkosKernels::spmv(SpmvProblem<float> const&);
template Candidates KokkosKernels::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates KokkosKernels::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);

} // namespace heddle::perf
