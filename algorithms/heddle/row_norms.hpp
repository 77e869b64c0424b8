// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entries/norms.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/norm.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstdint>

namespace heddle
{

/// out(i) = the 1-, 2- or infinity norm of row i of a: a real number, summed in the type that
/// values of a are summed in, without scaling (squares may overflow); 0 for empty rows, NaN where
/// the row has one. Throws InvalidArgument where out has not as many entries as a has rows, or
/// shares memory with the values of a. Asynchronous.
template <ExecutionSpace Exec, Csr Matrix, Vector Out>
void row_norms(Exec const& exec, Matrix const& a, Norm norm, Out const& out)
try
{
  static_assert(!impl::is_complex_v<typename Out::non_const_value_type>,
                "heddle::row_norms: norms are real");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<Exec, typename Out::memory_space>::accessible,
                "heddle::row_norms: the execution space cannot reach the matrix or the norms");
  Kokkos::Profiling::ScopedRegion const region("heddle::row_norms");
  impl::require(static_cast<std::int64_t>(out.extent(0)) == a.num_rows(), "row_norms", "out has ",
                out.extent(0), " entries but A has ", a.num_rows(), " rows");
  impl::require_disjoint("row_norms", "A and out", a.values(), out);
  impl::norms_of_rows(exec, "heddle::row_norms", a, norm, out);
}
catch (...)
{
  impl::rethrow_out_of_memory("row_norms");
}

} // namespace heddle
