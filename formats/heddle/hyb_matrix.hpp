// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/coo_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle
{

/// ELLPACK plus coordinates (HYB; Bell and Garland, SC 2009): the first entries of each row, up to
/// the width of ell, and the rest of long rows, sorted by row. The matrix is their sum; no place is
/// in both. Copies are shallow; a const Value makes a read-only view, to which every matrix
/// converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class HybMatrix
{
public:
  using ell_type = EllMatrix<Value, Ordinal, Offset, MemorySpace>;
  using rest_type = CooMatrix<Value, Ordinal, Offset, MemorySpace>;
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = HybMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = HybMatrix<value_type, Ordinal, Offset, MemorySpace>;

  /// 0 x 0.
  HybMatrix() = default;
  /// Shares the Views. Throws InvalidArgument unless both parts have the same size.
  HybMatrix(ell_type const& ell, rest_type const& rest)
      : m_ell(ell)
      , m_rest(rest)
  {
    impl::require(ell.num_rows() == rest.num_rows() && ell.num_cols() == rest.num_cols(),
                  "HybMatrix", "one part is ", ell.num_rows(), " x ", ell.num_cols(),
                  ", the other ", rest.num_rows(), " x ", rest.num_cols());
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<HybMatrix> Other>
  HybMatrix(Other const& other)
      : m_ell(other.ell())
      , m_rest(other.rest())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_ell.num_rows(); }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_ell.num_cols(); }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_ell.nnz() + m_rest.nnz(); }
  KOKKOS_FUNCTION ell_type const& ell() const { return m_ell; }
  KOKKOS_FUNCTION rest_type const& rest() const { return m_rest; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return std::tuple_cat(m_ell.index_arrays(), m_rest.index_arrays()); }
  /// How the entries lie in the arrays, beside that.
  std::array<std::int64_t, 3> layout() const
  {
    return {m_ell.layout()[0], m_ell.layout()[1], static_cast<std::int64_t>(m_rest.nnz())};
  }

private:
  ell_type m_ell;
  rest_type m_rest;
};

/// Whether T is a HybMatrix of any types.
template <class T>
inline constexpr bool is_hyb_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_hyb_matrix_v<HybMatrix<V, O, S, M>> = true;

/// Any HybMatrix.
template <class T>
concept Hyb = is_hyb_matrix_v<T>;

} // namespace heddle
