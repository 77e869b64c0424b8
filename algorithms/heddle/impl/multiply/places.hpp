// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Additions to op(A) x, or to op(A) B column after column, by a thread for each stored value, which
// adds its product by atomics: the order of additions differs from run to run.

#include <heddle/accumulator.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// visit(place, f) calls f(row, column) unless the value at that index is padding.
template <class Ordinal>
struct CooPlaces
{
  std::int64_t count;
  Ordinal const* rows;
  Ordinal const* columns;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t place, F const& f) const
  {
    f(static_cast<std::int64_t>(rows[place]), static_cast<std::int64_t>(columns[place]));
  }
};

template <Coo Matrix>
auto places_of(Matrix const& a)
{
  return CooPlaces<typename Matrix::ordinal_type>{static_cast<std::int64_t>(a.nnz()),
                                                  a.rows().data(), a.columns().data()};
}

// to(row) += term * from(column), of vectors and of matrices.
template <class Sum, class X, class Scalar, class Layout>
KOKKOS_INLINE_FUNCTION void add_product(VectorOperand<Scalar, Layout> const& to, std::int64_t row,
                                        Sum const& term, X const& from, std::int64_t column)
{
  atomic_accumulate(to(row), static_cast<Scalar>(term * Sum(from(column))));
}
template <class Sum, class B, class Scalar, class Layout>
KOKKOS_INLINE_FUNCTION void add_product(MatrixOperand<Scalar, Layout> const& to, std::int64_t row,
                                        Sum const& term, B const& from, std::int64_t column)
{
  for (std::int64_t j = 0; j < to.cols; ++j)
    atomic_accumulate(to(row, j), static_cast<Scalar>(term * Sum(from(column, j))));
}

// What add_place_by_place does with one value: a functor, see scan.hpp.
template <bool by_column, bool is_conjugate, class Places, class Value, class Scalar, class X,
          class Y>
struct AddPlace
{
  Places places;
  Value const* values;
  Scalar alpha;
  X x;
  Y y;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const
  {
    using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
    places.visit(place, [&](std::int64_t row, std::int64_t column) {
      Sum const term = Sum(alpha) * Sum(conjugated<is_conjugate>(values[place]));
      add_product(y, by_column ? column : row, term, x, by_column ? row : column);
    });
  }
};

// y <- y + alpha op(A) x. Asynchronous.
template <bool by_column, bool is_conjugate, class Exec, class Places, class Value, class Scalar,
          class X, class Y>
void add_place_by_place(Exec const& exec, std::string const& label, Places const& places,
                        Value const* values, Scalar alpha, X const& x, Y const& y)
{
  Kokkos::parallel_for(
      label, range(exec, places.count),
      AddPlace<by_column, is_conjugate, Places, Value, Scalar, X, Y>{places, values, alpha, x, y});
}

} // namespace heddle::impl
