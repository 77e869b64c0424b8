// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels_spmv.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace heddle::perf::kokkoskernels
{

using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;

template std::vector<Candidate> spmv(Matrix32<double> const&, Op, Vector<double> const&,
                                     Vector<double> const&);
template std::vector<Candidate> spmm(Matrix32<double> const&, Op, Dense<double, Right> const&,
                                     Dense<double, Right> const&);
template std::vector<Candidate> spmm(Matrix32<double> const&, Op, Dense<double, Left> const&,
                                     Dense<double, Left> const&);

} // namespace heddle::perf::kokkoskernels
