// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spgemm.hpp>

namespace heddle::perf::kokkoskernels
{

template struct Spgemm<float>;
template struct Spgemm<double>;

} // namespace heddle::perf::kokkoskernels
