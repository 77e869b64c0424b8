// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

namespace heddle
{

namespace impl
{

template <class MemorySpace, class Exec, class View>
auto copy_view(Exec const& exec, char const* label, View const& view)
{
  using Copy = Kokkos::View<typename View::non_const_data_type, MemorySpace>;
  auto const new_copy = [&] {
    if constexpr (Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible)
      return uninitialized<Copy>(exec, label, view.extent(0));
    else // an instance cannot order what it cannot reach
      return uninitialized<Copy>(typename MemorySpace::execution_space{}, label, view.extent(0));
  };
  Copy copy = new_copy();
  Kokkos::deep_copy(exec, copy, view);
  return copy;
}

// A matrix of the same sizes whose arrays are copy(label, array).
template <class Space, Csr Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<CsrMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), copy("heddle::row_offsets", a.row_offsets()),
      copy("heddle::columns", a.columns()), copy("heddle::values", a.values()));
}
template <class Space, Coo Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<CooMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), copy("heddle::rows", a.rows()),
      copy("heddle::columns", a.columns()), copy("heddle::values", a.values()));
}
template <class Space, Csc Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<CscMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), copy("heddle::column_offsets", a.column_offsets()),
      copy("heddle::rows", a.rows()), copy("heddle::values", a.values()));
}
template <class Space, Dcsr Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<DcsrMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), copy("heddle::rows", a.rows()),
      copy("heddle::row_offsets", a.row_offsets()), copy("heddle::columns", a.columns()),
      copy("heddle::values", a.values()));
}
template <class Space, Bsr Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<BsrMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), a.shape(), copy("heddle::row_offsets", a.row_offsets()),
      copy("heddle::columns", a.columns()), copy("heddle::values", a.values()), a.nnz());
}
template <class Space, Ell Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<EllMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), a.nnz(), a.width(), a.stride(),
      copy("heddle::row_lengths", a.row_lengths()), copy("heddle::columns", a.columns()),
      copy("heddle::values", a.values()));
}
template <class Space, Sell Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<SellMatrix, Matrix, Space>(
      a.num_rows(), a.num_cols(), a.nnz(), a.shape(),
      copy("heddle::slice_offsets", a.slice_offsets()),
      copy("heddle::row_lengths", a.row_lengths()), copy("heddle::rows", a.rows()),
      copy("heddle::columns", a.columns()), copy("heddle::values", a.values()));
}
template <class Space, Hyb Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  return FormatLike<HybMatrix, Matrix, Space>(rebuilt<Space>(a.ell(), copy),
                                              rebuilt<Space>(a.rest(), copy));
}
template <class Space, RowSegmented Matrix, class Copy>
auto rebuilt(Matrix const& a, Copy const& copy)
{
  using Result = FormatLike<RowSegmentedMatrix, Matrix, Space>;
  auto const& segments = a.segments();
  auto const& rows = a.rows();
  if (a.shape() == RowSegmentShape{}) // default-constructed
    return Result();
  return Result(a.num_rows(), a.num_cols(), a.heavy_nnz(), a.shape(),
                {copy("heddle::panels", segments.panels), copy("heddle::rows", segments.rows),
                 copy("heddle::segment_offsets", segments.offsets)},
                copy("heddle::light_row_offsets", a.light_row_offsets()),
                copy("heddle::columns", a.columns()), copy("heddle::values", a.values()),
                {copy("heddle::row_offsets", rows.offsets),
                 copy("heddle::row_columns", rows.columns), copy("heddle::places", rows.places)});
}

} // namespace impl

/// A deep copy in another memory space, e.g. copy_to(exec, Kokkos::HostSpace{}, a); of a read-only
/// matrix, a writable one. Waits for exec.
template <ExecutionSpace Exec, class MemorySpace, SparseMatrix Matrix>
auto copy_to(Exec const& exec, MemorySpace const&, Matrix const& a)
try
{
  static_assert(Kokkos::is_memory_space_v<MemorySpace>,
                "heddle::copy_to: the second argument is a memory space");
  auto result = impl::rebuilt<MemorySpace>(a, [&](char const* label, auto const& view) {
    return impl::copy_view<MemorySpace>(exec, label, view);
  });
  exec.fence("heddle::copy_to");
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("copy_to");
}

/// A deep copy in the same memory space. Waits for exec.
template <ExecutionSpace Exec, SparseMatrix Matrix>
auto clone(Exec const& exec, Matrix const& a)
try
{
  return copy_to(exec, typename Matrix::memory_space{}, a); // CudaSpace allocates
}
catch (...)
{
  impl::rethrow_out_of_memory("clone");
}

} // namespace heddle
