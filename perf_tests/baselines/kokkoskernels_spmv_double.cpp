// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spmv.hpp>

namespace heddle::perf
{

template Candidates KokkosKernels::spmv(SpmvProblem<double> const&);
template Candidates KokkosKernels::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates KokkosKernels::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);

} // namespace heddle::perf
