// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What C = alpha A + beta B does with one entry of C, where its slot is found (union.hpp) or known.

#include <heddle/impl/entries/keep.hpp>
#include <heddle/impl/entries/union.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// alpha a(p) + beta b(k), where either entry may be missing. A factor of 0 does not read its
// matrix.
template <class Scalar, class AValues, class BValues>
struct WeightedSum
{
  Scalar alpha;
  AValues a;
  Scalar beta;
  BValues b;

  KOKKOS_FUNCTION Scalar operator()(std::int64_t p, std::int64_t k) const
  {
    Scalar const first = term(alpha, a, p), second = term(beta, b, k);
    return p == no_entry ? second : k == no_entry ? first : first + second;
  }

private:
  template <class Values>
  KOKKOS_FUNCTION static Scalar term(Scalar const& factor, Values const& values, std::int64_t n)
  {
    return n == no_entry || factor == Scalar(0) ? Scalar(0)
                                                : factor * static_cast<Scalar>(values(n));
  }
};

// Sinks of a union. Columns and values at once:
template <class Columns, class Values, class Sum>
struct StoreSums
{
  Columns columns;
  Values values;
  Sum sum;
  KOKKOS_FUNCTION void operator()(std::int64_t slot, std::int64_t column, std::int64_t p,
                                  std::int64_t k) const
  {
    columns(slot) = static_cast<typename Columns::non_const_value_type>(column);
    values(slot) = sum(p, k);
  }
};
// Columns and where the values come from, for later calls; the largest number stands for no entry.
template <class Columns, class Sources>
struct StoreSources
{
  Columns columns;
  Sources first, second;
  KOKKOS_FUNCTION void operator()(std::int64_t slot, std::int64_t column, std::int64_t p,
                                  std::int64_t k) const
  {
    using Source = typename Sources::non_const_value_type;
    columns(slot) = static_cast<typename Columns::non_const_value_type>(column);
    first(slot) = static_cast<Source>(p);
    second(slot) = static_cast<Source>(k);
  }
};
// Columns and the value of A, or 0 where A has none.
template <class Columns, class Values, class AValues>
struct StoreFirst
{
  Columns columns;
  Values values;
  AValues a;
  KOKKOS_FUNCTION void operator()(std::int64_t slot, std::int64_t column, std::int64_t p,
                                  std::int64_t) const
  {
    using Value = typename Values::non_const_value_type;
    columns(slot) = static_cast<typename Columns::non_const_value_type>(column);
    values(slot) = p == no_entry ? Value(0) : a(p);
  }
};

// A recorded source of a slot, or no_entry.
template <class Sources>
struct RecordedSource
{
  Sources sources;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t slot) const
  {
    using Source = typename Sources::non_const_value_type;
    Source const source = sources(slot);
    return source == static_cast<Source>(no_entry) ? no_entry : static_cast<std::int64_t>(source);
  }
};

// values(slot) = the sum of what its sources have: a functor, see scan.hpp.
template <class First, class Second, class Values, class Sum>
struct SumOfSources
{
  First first;
  Second second;
  Values values;
  Sum sum;
  KOKKOS_FUNCTION void operator()(std::int64_t slot) const
  {
    values(slot) = sum(first(slot), second(slot));
  }
};

// Asynchronous.
template <class Exec, class First, class Second, class Values, class Sum>
void sum_sources(Exec const& exec, First const& first, Second const& second, Values const& values,
                 Sum const& sum)
{
  Kokkos::parallel_for("heddle::add", range(exec, values.extent(0)),
                       SumOfSources<First, Second, Values, Sum>{first, second, values, sum});
}

// Entries or rows that tell two patterns apart.
template <class AIndices, class BIndices>
struct CountDifferent
{
  AIndices a;
  BIndices b;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& count) const
  {
    count += static_cast<std::int64_t>(a(k)) == static_cast<std::int64_t>(b(k)) ? 0 : 1;
  }
};

template <class Exec, class AIndices, class BIndices>
bool are_equal(Exec const& exec, AIndices const& a, BIndices const& b)
{
  std::int64_t different = 0;
  if (a.extent(0) != b.extent(0))
    return false;
  Kokkos::parallel_reduce("heddle::add::compare", range(exec, a.extent(0)),
                          CountDifferent<AIndices, BIndices>{a, b}, different);
  return different == 0;
}

// Whether both have the same entries in the same order, which is that of columns: then entry k of C
// is of entries k of A and B. Waits for exec.
template <class Exec, class A, class B>
bool have_equal_sorted_patterns(Exec const& exec, A const& a, B const& b)
{
  return a.nnz() == b.nnz() && are_equal(exec, a.row_offsets(), b.row_offsets()) &&
         are_equal(exec, a.columns(), b.columns()) &&
         has_ascending_rows(exec, a.row_offsets(), a.columns());
}

// offsets(i) = those of a, in another type. Asynchronous.
template <class Exec, class Matrix, class Offsets>
void copy_row_offsets(Exec const& exec, Matrix const& a, Offsets const& offsets)
{
  tabulate(exec, "heddle::add::offsets", offsets.extent(0),
           BeginOfRow<typename Matrix::row_offsets_view>{a.row_offsets()}, offsets);
}

} // namespace heddle::impl
