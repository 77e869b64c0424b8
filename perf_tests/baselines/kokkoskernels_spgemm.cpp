// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spgemm.hpp>

namespace heddle::perf
{

template Candidates KokkosKernels::spgemm(SpgemmProblem<float> const&);
template Candidates KokkosKernels::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
