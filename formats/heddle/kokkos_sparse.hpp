// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Views from and to KokkosSparse::CrsMatrix without copies. Kokkos Kernels is not included: any
// class that looks like its CrsMatrix will do, so heddle does not depend on it.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>

namespace heddle
{

/// A class with the members of KokkosSparse::CrsMatrix.
template <class M>
concept KokkosSparseCrs = requires(M const& a)
{
  a.graph.row_map;
  a.graph.entries;
  a.values;
  typename M::row_map_type;
  typename M::index_type;
  typename M::values_type;
  {
    a.numRows()
    } -> std::integral;
  {
    a.numCols()
    } -> std::integral;
};

namespace impl
{

template <KokkosSparseCrs M>
using CsrOfKokkosSparse =
    CsrMatrix<typename M::values_type::value_type, typename M::index_type::non_const_value_type,
              typename M::row_map_type::non_const_value_type,
              typename M::values_type::memory_space>;

} // namespace impl

/// The matrix as heddle sees it: same storage, kept alive by both. A const value type gives a
/// read-only matrix.
template <KokkosSparseCrs M>
impl::CsrOfKokkosSparse<M> csr_view(M const& a)
{
  return {a.numRows(), a.numCols(), a.graph.row_map, a.graph.entries, a.values};
}

/// The matrix as Kokkos Kernels sees it: M is the KokkosSparse::CrsMatrix to make, of the same
/// value, ordinal, offset and memory space (with const value and ordinal where a is read-only).
/// Same storage, kept alive by both.
template <KokkosSparseCrs M, Csr Matrix>
M kokkos_sparse_view(Matrix const& a)
try
{
  static_assert(std::is_same_v<impl::CsrOfKokkosSparse<M>, Matrix> ||
                    std::is_same_v<impl::CsrOfKokkosSparse<M>, typename Matrix::const_type>,
                "heddle::kokkos_sparse_view: the KokkosSparse matrix has other types");
  return M("heddle::kokkos_sparse_view", a.num_rows(), a.num_cols(), a.nnz(), a.values(),
           a.row_offsets(), a.columns());
}
catch (...)
{
  impl::rethrow_out_of_memory("kokkos_sparse_view");
}

} // namespace heddle
