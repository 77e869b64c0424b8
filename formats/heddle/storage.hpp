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
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/sell_matrix.hpp>

#include <cstddef>

namespace heddle
{

namespace impl
{

template <class... Views>
std::size_t bytes_of(Views const&... views)
{
  return (std::size_t(0) + ... + (views.extent(0) * sizeof(typename Views::non_const_value_type)));
}

// Formats that keep their values in one array.
template <class Matrix>
concept HasValues = requires(Matrix const& a)
{
  a.values().extent(0);
};

template <HasValues Matrix>
std::size_t count_places(Matrix const& a)
{
  return a.values().extent(0);
}
template <Hyb Matrix>
std::size_t count_places(Matrix const& a)
{
  return count_places(a.ell()) + count_places(a.rest());
}

} // namespace impl

/// Bytes of all arrays of a matrix, wherever they are. Touches no device.
template <Csr Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.row_offsets(), a.columns(), a.values());
}
/// The same of a CooMatrix.
template <Coo Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.rows(), a.columns(), a.values());
}
/// The same of a CscMatrix.
template <Csc Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.column_offsets(), a.rows(), a.values());
}
/// The same of a DcsrMatrix.
template <Dcsr Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.rows(), a.row_offsets(), a.columns(), a.values());
}
/// The same of a BsrMatrix.
template <Bsr Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.row_offsets(), a.columns(), a.values());
}
/// The same of an EllMatrix.
template <Ell Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.row_lengths(), a.columns(), a.values());
}
/// The same of a SellMatrix.
template <Sell Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return impl::bytes_of(a.slice_offsets(), a.row_lengths(), a.rows(), a.columns(), a.values());
}
/// The same of a HybMatrix.
template <Hyb Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return storage_bytes(a.ell()) + storage_bytes(a.rest());
}
/// The same of a RowSegmentedMatrix.
template <RowSegmented Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  auto const& segments = a.segments();
  auto const& rows = a.rows();
  return impl::bytes_of(segments.panels, segments.rows, segments.offsets, a.light_row_offsets(),
                        a.columns(), a.values(), rows.offsets, rows.columns, rows.places);
}

/// Places stored for values over entries: 1 for formats without padding and for matrices without
/// entries. Touches no device.
template <SparseMatrix Matrix>
double fill_ratio(Matrix const& a)
{
  return a.nnz() == 0 ? 1.0
                      : static_cast<double>(impl::count_places(a)) / static_cast<double>(a.nnz());
}

} // namespace heddle
