// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spgemm.hpp>

#include <KokkosKernels_config.h>

#include <string>

namespace heddle::perf
{

std::string KokkosKernels::version()
{
  return "Kokkos Kernels " + std::to_string(KOKKOSKERNELS_VERSION_MAJOR) + "." +
         std::to_string(KOKKOSKERNELS_VERSION_MINOR) + "." +
         std::to_string(KOKKOSKERNELS_VERSION_PATCH);
}

#if !defined(HEDDLE_PERF_DOUBLE_ONLY)
template Candidates KokkosKernels::spgemm(SpgemmProblem<float> const&);
#endif
template Candidates KokkosKernels::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
