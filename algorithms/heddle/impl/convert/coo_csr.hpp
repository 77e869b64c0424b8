// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// COO to CSR. One pass looks how the entries stand: strictly ascending by row and column they are
// copied; else they are ordered by stable integer sorts (by column, then by row; the first is left
// out where columns never fall, as Matrix Market files have them), runs of equal places found by a
// scan, and each run added by its first entry in input order.

#include <heddle/accumulator.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace heddle::impl
{

struct CooOrder
{
  std::int64_t outside = 0;    // entries with an index out of range
  std::int64_t not_rising = 0; // entries that do not come after their predecessor by row and column
  std::int64_t columns_fall = 0;

  KOKKOS_FUNCTION CooOrder& operator+=(CooOrder const& other)
  {
    outside += other.outside;
    not_rising += other.not_rising;
    columns_fall += other.columns_fall;
    return *this;
  }
};

} // namespace heddle::impl

template <>
struct Kokkos::reduction_identity<heddle::impl::CooOrder>
{
  KOKKOS_FUNCTION static heddle::impl::CooOrder sum() { return {}; }
};

namespace heddle::impl
{

// What look_at_order does with one entry: a functor, see scan.hpp.
template <class Matrix>
struct LookAtEntry
{
  Matrix a;
  KOKKOS_FUNCTION void operator()(std::int64_t k, CooOrder& order) const
  {
    auto const i = a.rows()(k);
    auto const j = a.columns()(k);
    order.outside += i < 0 || i >= a.num_rows() || j < 0 || j >= a.num_cols() ? 1 : 0;
    if (k == 0)
      return;
    auto const i_before = a.rows()(k - 1);
    auto const j_before = a.columns()(k - 1);
    order.not_rising += i < i_before || (i == i_before && j <= j_before) ? 1 : 0;
    order.columns_fall += j < j_before ? 1 : 0;
  }
};

template <class Exec, class Matrix>
CooOrder look_at_order(Exec const& exec, Matrix const& a)
{
  CooOrder result;
  Kokkos::parallel_reduce("heddle::to_csr::look", range(exec, a.nnz()), LookAtEntry<Matrix>{a},
                          Kokkos::Sum<CooOrder>(result));
  return result;
}

// Where the CSR matrix lies: in Views that the caller gets,
template <class Exec, class Result>
struct ViewArrays
{
  static auto row_offsets(Exec const& exec, std::int64_t rows)
  {
    return new_row_offsets<Result>(exec, rows);
  }
  static NewEntries<Result> entries(Exec const& exec, std::size_t n)
  {
    return new_entries<Result>(exec, n);
  }
};
// or in scratch memory that lives as long as this, for a matrix that is only a step.
template <class Exec, class Result>
class ScratchArrays
{
public:
  auto row_offsets(Exec const& exec, std::int64_t rows)
  {
    auto const n = static_cast<std::size_t>(rows) + 1;
    using RowOffsets = Kokkos::View<typename Result::offset_type*, typename Result::memory_space>;
    return RowOffsets(m_row_offsets.emplace(exec, n).data(), n);
  }
  NewEntries<Result> entries(Exec const& exec, std::size_t n)
  {
    return {typename Result::columns_view(m_columns.emplace(exec, n).data(), n),
            typename Result::values_view(m_values.emplace(exec, n).data(), n)};
  }

private:
  std::optional<Scratch<typename Result::offset_type, Exec>> m_row_offsets;
  std::optional<Scratch<typename Result::ordinal_type, Exec>> m_columns;
  std::optional<Scratch<typename Result::value_type, Exec>> m_values;
};

// The entries of one place, of which order(first) is the first one, become one: a functor as well.
template <class Matrix, class Order, class Places, class NewRows, class Columns, class Values>
struct AddRun
{
  Matrix a;
  Order order;
  Places places;
  NewRows new_rows;
  Columns new_columns;
  Values new_values;
  std::int64_t n; // entries

  KOKKOS_FUNCTION void operator()(std::int64_t first) const
  {
    auto const place = places(first);
    if (first > 0 && places(first - 1) == place)
      return; // another entry's run
    using Value = typename Matrix::value_type;
    // Not from zero, which would lose the sign of a -0.
    accumulator_t<Value> sum(a.values()(order(first)));
    for (std::int64_t i = first + 1; i < n && places(i) == place; ++i)
      sum += a.values()(order(i));
    new_rows(place) = a.rows()(order(first));
    new_columns(place) = a.columns()(order(first));
    new_values(place) = static_cast<Value>(sum);
  }
};

template <class Exec, class Matrix>
class CsrFromCoo
{
public:
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Result = FormatLike<CsrMatrix, Matrix>;
  using Columns = typename Result::columns_view;
  using Values = typename Result::values_view;

  template <class Arrays>
  static Result run(Exec const& exec, Matrix const& a, Arrays& arrays)
  {
    CooOrder const order = look_at_order(exec, a);
    require(order.outside == 0, "to_csr", order.outside, " of ", a.nnz(),
            " entries lie outside the ", a.num_rows(), " x ", a.num_cols(),
            " matrix (heddle::validate names the first)");
    require(std::in_range<Offset>(a.nnz()), "to_csr", a.nnz(),
            " entries do not fit the offset type (largest value ",
            std::numeric_limits<Offset>::max(), ")");
    Result result = order.not_rising == 0 ? copied(exec, a, arrays)
                                          : sorted(exec, a, order.columns_fall == 0, arrays);
    exec.fence("heddle::to_csr");
    return result;
  }

  template <class Arrays>
  static Result copied(Exec const& exec, Matrix const& a, Arrays& arrays)
  {
    auto const offsets = arrays.row_offsets(exec, a.num_rows());
    auto const [columns, values] = arrays.entries(exec, a.nnz());
    offsets_of_sorted(exec, a.rows(), Identity{a.nnz()}, offsets);
    Kokkos::deep_copy(exec, columns, a.columns());
    Kokkos::deep_copy(exec, values, a.values());
    return Result(a.num_rows(), a.num_cols(), offsets, columns, values);
  }

  template <class Arrays>
  static Result sorted(Exec const& exec, Matrix const& a, bool is_sorted_by_column, Arrays& arrays)
  {
    Scratch<Offset, Exec> const positions(exec, a.nnz()), numbers(exec, a.nnz());
    auto const order = positions.view();
    auto const places = numbers.view();
    fill_with_positions(exec, order);
    if (!is_sorted_by_column)
      stable_sort_by_key(exec, a.columns(), a.num_cols(), order);
    stable_sort_by_key(exec, a.rows(), a.num_rows(), order);
    std::int64_t const distinct = number_distinct(exec, a.rows(), a.columns(), order, places);
    auto const offsets = arrays.row_offsets(exec, a.num_rows());
    auto const [new_columns, new_values] = arrays.entries(exec, static_cast<std::size_t>(distinct));
    Scratch<Ordinal, Exec> const new_rows(exec, static_cast<std::size_t>(distinct));
    add_runs(exec, a, order, places, new_rows.view(), new_columns, new_values);
    offsets_of_sorted(exec, new_rows.view(), Identity{static_cast<std::size_t>(distinct)}, offsets);
    return Result(a.num_rows(), a.num_cols(), offsets, new_columns, new_values);
  }

  template <class Order, class Places, class NewRows>
  static void add_runs(Exec const& exec, Matrix const& a, Order const& order, Places const& places,
                       NewRows const& new_rows, Columns const& new_columns,
                       Values const& new_values)
  {
    auto const n = static_cast<std::int64_t>(a.nnz());
    Kokkos::parallel_for("heddle::to_csr::add", range(exec, n),
                         AddRun<Matrix, Order, Places, NewRows, Columns, Values>{
                             a, order, places, new_rows, new_columns, new_values, n});
  }
};

template <class Exec, class Matrix>
auto csr_from_coo(Exec const& exec, Matrix const& a)
{
  using Input = typename Matrix::const_type;
  ViewArrays<Exec, FormatLike<CsrMatrix, Matrix>> arrays;
  return CsrFromCoo<Exec, Input>::run(exec, a, arrays);
}

// The CSR matrix of coordinates on the way to another format.
template <class Exec, class Matrix>
class CsrStep
{
public:
  CsrStep(Exec const& exec, Matrix const& a)
  try : m_csr(CsrFromCoo<Exec, typename Matrix::const_type>::run(exec, a, m_arrays))
  {}
  catch (...)
  {
    rethrow_out_of_memory("to_csr");
  }
  auto const& csr() const { return m_csr; }

private:
  using Csr = FormatLike<CsrMatrix, Matrix>;
  ScratchArrays<Exec, Csr> m_arrays;
  Csr m_csr;
};

} // namespace heddle::impl
