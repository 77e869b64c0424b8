// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spmv.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace heddle::perf::kokkoskernels
{

using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;

template std::vector<Candidate> spmv(Matrix32<float> const&, Op, Vector<float> const&,
                                     Vector<float> const&);
template std::vector<Candidate> spmm(Matrix32<float> const&, Op, Dense<float, Right> const&,
                                     Dense<float, Right> const&);
template std::vector<Candidate> spmm(Matrix32<float> const&, Op, Dense<float, Left> const&,
                                     Dense<float, Left> const&);

} // namespace heddle::perf::kokkoskernels
