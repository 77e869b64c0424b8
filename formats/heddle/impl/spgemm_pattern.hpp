// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace heddle::impl
{

// The format of A with the wider value type and the wider offsets of A and B.
template <template <class, class, class, class> class Format, class A, class B>
using WiderFormat =
    Format<accumulator_t<typename A::value_type, typename B::value_type>, typename A::ordinal_type,
           std::common_type_t<typename A::offset_type, typename B::offset_type>,
           typename A::memory_space>;

template <class A, class B>
struct SpgemmResultOf
{
  using type = WiderFormat<CsrMatrix, A, B>;
};
template <Bsr A, Bsr B>
struct SpgemmResultOf<A, B>
{
  using type = WiderFormat<BsrMatrix, A, B>;
};

/// C of C = A B: BSR if both are, else CSR, summed in the wider value type, with the wider offsets.
template <class A, class B>
using SpgemmResult = typename SpgemmResultOf<A, B>::type;

// Whether both factors are one matrix, or two with the same arrays but for values.
template <class A, class B>
bool have_one_pattern(A const& a, B const& b)
{
  if constexpr (std::is_same_v<typename A::row_offsets_view, typename B::row_offsets_view> &&
                std::is_same_v<typename A::columns_view, typename B::columns_view>)
  {
    if constexpr (is_bsr_matrix_v<A> && is_bsr_matrix_v<B>)
      if (a.shape() != b.shape())
        return false;
    return a.row_offsets().data() == b.row_offsets().data() &&
           a.columns().data() == b.columns().data() && a.num_rows() == b.num_rows() &&
           a.num_cols() == b.num_cols();
  }
  else
    return false;
}

// What the symbolic phase finds out. Of BSR, row offsets and columns are those of blocks.
template <class Result>
struct SpgemmPattern
{
  typename Result::row_offsets_view row_offsets;
  Kokkos::View<typename Result::ordinal_type*, typename Result::memory_space> columns; // if kept
  std::size_t nnz = 0;
  std::int64_t products = 0;
  bool keeps_columns =
      true; // else each call finds them again: max_workspace_bytes is too small for them
  BlockShape shape = {}; // of C's blocks; entries are blocks of 1 x 1

  std::size_t num_blocks() const { return is_bsr_matrix_v<Result> ? columns.extent(0) : nnz; }
  std::size_t bytes() const
  {
    return row_offsets.span() * sizeof(typename Result::offset_type) +
           columns.span() * sizeof(typename Result::ordinal_type);
  }
};

template <class Offset>
void require_offsets_hold(std::int64_t nnz)
{
  require(std::in_range<Offset>(nnz), "spgemm", "C has ", nnz,
          " entries, which do not fit its offset type (largest value ",
          std::numeric_limits<Offset>::max(), "); use wider offsets in A or B");
}

// Scalar products in row i of A B; of BSR, products of blocks in row i of blocks.
template <class A, class B>
struct RowProducts
{
  typename A::row_offsets_view a_offsets;
  typename A::columns_view a_columns;
  typename B::row_offsets_view b_offsets;

  RowProducts(A const& a, B const& b)
      : a_offsets(a.row_offsets())
      , a_columns(a.columns())
      , b_offsets(b.row_offsets())
  {}
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t sum = 0;
    for (auto k = a_offsets(i); k < a_offsets(i + 1); ++k)
      sum += static_cast<std::int64_t>(b_offsets(a_columns(k) + 1) - b_offsets(a_columns(k)));
    return sum;
  }
};

// products(i) = scalar products in row i of A B. Asynchronous.
template <class Exec, class A, class B, class Products>
void products_of_rows(Exec const& exec, A const& a, B const& b, Products const& products)
{
  if (a.num_rows() > 0)
    tabulate(exec, "heddle::spgemm::products", a.num_rows(), RowProducts<A, B>(a, b), products);
}

// Waits for exec.
template <class Exec, class A, class B>
std::int64_t total_products(Exec const& exec, A const& a, B const& b)
{
  return a.num_rows() > 0
             ? sum_of(exec, "heddle::spgemm::products", a.num_rows(), RowProducts<A, B>(a, b))
             : 0;
}

} // namespace heddle::impl
