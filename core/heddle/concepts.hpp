// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

/// Sparse matrix kernels on Kokkos: y = A x, C = A B with dense B and C, and C = A B with all
/// sparse.
///
/// What holds where a comment says nothing else: a call runs on the instance it is given and waits
/// for no other; sizes and options are checked before anything is written, and what is refused is
/// one of the classes of heddle/error.hpp; structure, order and values of results are bitwise
/// repeatable; matrices may be 0 x n, rectangular, unsorted and have empty rows.
namespace heddle
{

/// What every format publishes.
template <class M>
concept SparseMatrix = requires(M const& a)
{
  typename M::value_type;
  typename M::ordinal_type;
  typename M::offset_type;
  typename M::memory_space;
  typename M::const_type;
  {
    a.num_rows()
    } -> std::convertible_to<typename M::ordinal_type>;
  {
    a.num_cols()
    } -> std::convertible_to<typename M::ordinal_type>;
  {
    a.nnz()
    } -> std::convertible_to<std::size_t>;
};

/// A Kokkos execution space. Calls take an instance of it first and run on that.
template <class E>
concept ExecutionSpace = Kokkos::is_execution_space_v<E>;

namespace impl
{

template <class V, std::size_t rank>
concept ViewOfRank = Kokkos::is_view_v<V> && V::rank()
== rank;

} // namespace impl

/// A Kokkos View of rank 1 of any layout.
template <class V>
concept Vector = impl::ViewOfRank<V, 1>;

/// A Kokkos View of rank 2 of any layout.
template <class V>
concept DenseMatrix = impl::ViewOfRank<V, 2>;

} // namespace heddle
