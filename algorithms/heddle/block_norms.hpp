// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entries/block_norms.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/norm.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

namespace heddle
{

/// The matrix of norms of the blocks of a, an entry per stored block, in their order: of all
/// entries of a block, Norm::two is the Frobenius norm, Norm::one the sum of absolute values and
/// Norm::infinity the largest. So a matrix with several rows per node becomes the graph of its
/// nodes, whose strong connections filter finds and whose aggregates aggregate makes (hypre's nodal
/// coarsening, HYPRE_BoomerAMGSetNodal 1, 2 and 3; PyAMG's symmetric_strength_of_connection of
/// blocks). Values are real; they are summed in the type that values of a are summed in, without
/// scaling (squares may overflow); NaN where the block has one. What a block holds outside of the
/// matrix is not read. A thread takes a block row. Waits for exec.
template <ExecutionSpace Exec, Bsr Matrix>
auto block_norms(Exec const& exec, Matrix const& a, Norm norm = Norm::two)
try
{
  using Real = impl::real_t<typename Matrix::value_type>;
  using Result = CsrMatrix<Real, typename Matrix::ordinal_type, typename Matrix::offset_type,
                           typename Matrix::memory_space>;
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "heddle::block_norms: the execution space cannot reach the matrix");
  Kokkos::Profiling::ScopedRegion const region("heddle::block_norms");
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_block_rows());
  auto const entries = impl::new_entries<Result>(exec, a.num_blocks());
  if (a.row_offsets().extent(0) == 0)
    Kokkos::deep_copy(exec, offsets, 0);
  else
    Kokkos::deep_copy(exec, offsets, a.row_offsets());
  Kokkos::deep_copy(exec, entries.columns, a.columns());
  impl::norms_of_blocks(exec, "heddle::block_norms", a, norm, entries.values);
  exec.fence("heddle::block_norms");
  return Result(a.num_block_rows(), a.num_block_cols(), offsets, entries.columns, entries.values);
}
catch (...)
{
  impl::rethrow_out_of_memory("block_norms");
}

} // namespace heddle
