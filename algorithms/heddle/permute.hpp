// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/order/permutation.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/sort_rows.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle
{

namespace impl
{

// Entries of row p(i).
template <class Order, class Offsets>
struct LengthInOrder
{
  Order p;
  Offsets offsets;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const
  {
    return offsets(p(i) + 1) - offsets(p(i));
  }
};
// What move_entries does with one entry: a functor, see scan.hpp.
template <class Matrix, class Order, class Rows, class Renumber, class Offsets, class Entries>
struct MoveEntry
{
  Matrix a;
  Order p;
  Rows rows;
  Renumber renumber;
  Offsets offsets;
  Entries to;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    auto const i = rows(k);
    auto const from = a.row_offsets()(p(i)) + (k - offsets(i));
    to.columns(k) = renumber(a.columns()(from));
    to.values(k) = a.values()(from);
  }
};

// lengths(i) = entries of row p(i). Asynchronous.
template <class Exec, class Order, class Offsets, class Lengths>
void lengths_in_order(Exec const& exec, Order const& p, Offsets const& offsets,
                      Lengths const& lengths)
{
  tabulate(exec, "heddle::permute::lengths", p.extent(0), LengthInOrder<Order, Offsets>{p, offsets},
           lengths);
}

// Entry k of the result comes from row p(rows(k)) of a; its column becomes renumber(column). A
// thread takes an entry, so that long rows cost no balance. Asynchronous.
template <class Exec, class Matrix, class Order, class Rows, class Renumber, class Offsets,
          class Entries>
void move_entries(Exec const& exec, Matrix const& a, Order const& p, Rows const& rows,
                  Renumber const& renumber, Offsets const& offsets, Entries const& to)
{
  Kokkos::parallel_for("heddle::permute::entries", range(exec, rows.extent(0)),
                       MoveEntry<Matrix, Order, Rows, Renumber, Offsets, Entries>{
                           a, p, rows, renumber, offsets, to});
}

// Row i of the result is row p(i) of a, with columns as renumber has them. Waits for exec.
template <class Exec, class Matrix, class Order, class Renumber>
auto with_rows_in_order(Exec const& exec, Matrix const& a, Order const& p, Renumber const& renumber)
{
  using Result = typename Matrix::non_const_type;
  auto const offsets = new_row_offsets<Result>(exec, a.num_rows());
  lengths_in_order(exec, p, a.row_offsets(), offsets);
  offsets_from_counts(exec, a.num_rows(), offsets, offsets);
  auto const entries = new_entries<Result>(exec, a.nnz());
  Scratch<typename Matrix::ordinal_type, Exec> const rows(exec, a.nnz());
  expand_rows(exec, offsets, rows.view());
  move_entries(exec, a, p, rows.view(), renumber, offsets, entries);
  exec.fence("heddle::permute");
  return Result(a.num_rows(), a.num_cols(), offsets, entries.columns, entries.values);
}

struct SameNumber
{
  template <class Number>
  KOKKOS_FUNCTION Number operator()(Number number) const
  {
    return number;
  }
};

template <class Exec, class Matrix, class Permutation>
constexpr void require_permutation_types()
{
  static_assert(std::is_integral_v<typename Permutation::non_const_value_type> &&
                    Permutation::rank() == 1,
                "heddle::permute: a permutation is a View of integers");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Permutation::memory_space>::accessible,
                "heddle::permute: the execution space cannot reach the permutation");
}

} // namespace impl

/// The inverse of a permutation of 0 .. n - 1: result(p(i)) = i. Throws InvalidArgument with the
/// first place where p is none. Waits for exec.
template <ExecutionSpace Exec, Vector Permutation>
auto inverse_permutation(Exec const& exec, Permutation const& p)
try
{
  impl::require_permutation_types<Exec, void, Permutation>();
  using Result =
      Kokkos::View<typename Permutation::non_const_value_type*, typename Permutation::memory_space>;
  auto inverse = impl::uninitialized<Result>(exec, "heddle::permutation", p.extent(0));
  impl::invert_checked(exec, "inverse_permutation", "p", p, static_cast<std::int64_t>(p.extent(0)),
                       "numbers", inverse);
  return inverse;
}
catch (...)
{
  impl::rethrow_out_of_memory("inverse_permutation");
}

/// P A, a new matrix whose row i is row p(i) of a, entry by entry in the order they stand in. Two
/// passes and scratch of an ordinal an entry. Throws InvalidArgument where p is no permutation of
/// the rows. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix, Vector Permutation>
auto permute_rows(Exec const& exec, Matrix const& a, Permutation const& p)
try
{
  impl::require_permutation_types<Exec, Matrix, Permutation>();
  impl::Scratch<typename Matrix::ordinal_type, Exec> const inverse(exec, p.extent(0));
  impl::invert_checked(exec, "permute_rows", "p", p, a.num_rows(), "rows", inverse.view());
  return impl::with_rows_in_order(exec, a, p, impl::SameNumber{});
}
catch (...)
{
  impl::rethrow_out_of_memory("permute_rows");
}

/// P A Q^T, a new matrix with entry (i, j) = entry (p(i), q(j)) of a: so (P A Q^T) (Q x) = P (A x),
/// where (P y)(i) = y(p(i)) is permute_vector's. Rows are sorted if those of a are, which costs
/// what sort_rows does; else entries stand in their old order. Throws InvalidArgument with the
/// first place where p is no permutation of the rows or q none of the columns. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix, Vector RowPermutation, Vector ColumnPermutation>
auto permute(Exec const& exec, Matrix const& a, RowPermutation const& p, ColumnPermutation const& q)
try
{
  using Ordinal = typename Matrix::ordinal_type;
  impl::require_permutation_types<Exec, Matrix, RowPermutation>();
  impl::require_permutation_types<Exec, Matrix, ColumnPermutation>();
  impl::Scratch<Ordinal, Exec> const row_places(exec, p.extent(0)),
      column_places(exec, q.extent(0));
  impl::invert_checked(exec, "permute", "p", p, a.num_rows(), "rows", row_places.view());
  impl::invert_checked(exec, "permute", "q", q, a.num_cols(), "columns", column_places.view());
  bool const is_sorted = a.nnz() == 0 || has_sorted_rows(exec, a);
  auto result = impl::with_rows_in_order(exec, a, p, column_places.view());
  if (is_sorted)
    sort_rows(exec, result);
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("permute");
}

/// y(i) = x(p(i)). Asynchronous, so p is trusted: permute or inverse_permutation check one. Throws
/// InvalidArgument where sizes differ or x and y share memory.
template <ExecutionSpace Exec, Vector X, Vector Permutation, Vector Y>
void permute_vector(Exec const& exec, X const& x, Permutation const& p, Y const& y)
try
{
  impl::require_permutation_types<Exec, void, Permutation>();
  impl::require(x.extent(0) == p.extent(0) && y.extent(0) == p.extent(0), "permute_vector",
                "p has ", p.extent(0), " entries but x has ", x.extent(0), " and y has ",
                y.extent(0));
  impl::require_disjoint("permute_vector", "x and y", x, y);
  impl::gather(exec, p, x, y);
}
catch (...)
{
  impl::rethrow_out_of_memory("permute_vector");
}

} // namespace heddle
