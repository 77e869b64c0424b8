// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of CSR, or of entries that lie elsewhere, times a vector on a host thread: each entry once,
// one sum a row, in CSR four where rows are long.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/entries_ahead.hpp>
#include <heddle/impl/host_caches.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_views.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// Rows from here on are summed in four chains: one would wait for the latency of each addition.
// Below, the start and end of the chains cost more than they bring (measured on AMD Zen 5 with rows
// of 1 to 200 entries, 2026-11).
inline constexpr std::int64_t long_row = 32;

// Compilers vectorise a loop that has this only if they must. Gathers in the order of a sum gain
// nothing from vectors, and setting them up costs short rows in single precision a third of their
// time (g++ 12, measured as above).
inline void stay_scalar()
{
#if defined(__GNUC__)
  asm("");
#endif
}

// Sum of values[k] * x(columns[k]) for k = begin .. end - 1.
template <bool has_chains, bool is_conjugate, class Sum, class Ordinal, class Value, class X>
Sum sparse_dot(Ordinal const* columns, Value const* values, std::int64_t begin, std::int64_t end,
               X const& x)
{
  auto const term = [&](std::int64_t k) {
    return Sum(conjugated<is_conjugate>(values[k])) * Sum(x(columns[k]));
  };
  Sum s0{};
  if constexpr (has_chains) // else even the question is left out
    if (end - begin >= long_row)
    {
      Sum s1{}, s2{}, s3{};
      for (; begin + 4 <= end; begin += 4)
      {
        s0 += term(begin);
        s1 += term(begin + 1);
        s2 += term(begin + 2);
        s3 += term(begin + 3);
        stay_scalar();
      }
      s0 = (s0 + s1) + (s2 + s3);
    }
  for (; begin < end; ++begin)
  {
    s0 += term(begin);
    stay_scalar();
  }
  return s0;
}

// All by value: what a closure holds would be loaded again after every store to y.
template <bool has_chains, bool is_conjugate, class Ordinal, class Offset, class Value,
          class Scalar, class X, class Y, class Ahead>
void multiply_rows(CsrRowViews<Ordinal, Offset> views, std::int64_t first, std::int64_t last,
                   Value const* values, Scalar alpha, X x, Scalar beta, Y y, Ahead ahead)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  auto begin = static_cast<std::int64_t>(views.offsets[first]);
  for (std::int64_t i = first; i < last; ++i)
  {
    auto const end = static_cast<std::int64_t>(views.offsets[i + 1]);
    ahead.reach(end);
    store(y(i), alpha,
          sparse_dot<has_chains, is_conjugate, Sum>(views.columns, values, begin, end, x), beta);
    begin = end;
  }
}

// What SpMV on host threads is told of a matrix's rows.
struct SpmvRowTuning
{
  bool has_long_rows = false;
  bool comes_from_memory = false; // entries, at every call

  template <class Matrix>
  static SpmvRowTuning of(RowStatistics const& rows)
  {
    constexpr std::size_t entry =
        sizeof(typename Matrix::value_type) + sizeof(typename Matrix::ordinal_type);
    return {rows.mean() >= static_cast<double>(long_row) || rows.longest >= 4 * long_row,
            static_cast<std::size_t>(rows.nonzeros) > host_caches().streamed_bytes(entry) / entry};
  }
};

// For a thread that begins with row first.
template <class Ordinal, class Offset, class Value>
EntriesAhead<Value, Ordinal> entries_ahead(CsrRowViews<Ordinal, Offset> const& views,
                                           Value const* values, std::int64_t first)
{
  return {values, views.columns, static_cast<std::int64_t>(views.offsets[first]),
          static_cast<std::int64_t>(views.offsets[views.count])};
}

// y(i) for the rows first .. last - 1.
template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_row_views(CsrRowViews<Ordinal, Offset> views, std::int64_t first, std::int64_t last,
                        Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y,
                        SpmvRowTuning tuning)
{
  if (first == last)
    return; // a default-constructed matrix has no offsets at all
  if (tuning.comes_from_memory && tuning.has_long_rows)
    multiply_rows<true, is_conjugate>(views, first, last, values, alpha, x, beta, y,
                                      entries_ahead(views, values, first));
  else if (tuning.comes_from_memory)
    multiply_rows<false, is_conjugate>(views, first, last, values, alpha, x, beta, y,
                                       entries_ahead(views, values, first));
  else if (tuning.has_long_rows)
    multiply_rows<true, is_conjugate>(views, first, last, values, alpha, x, beta, y,
                                      NothingAhead{});
  else
    multiply_rows<false, is_conjugate>(views, first, last, values, alpha, x, beta, y,
                                       NothingAhead{});
}
template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_row_views(GatheredRowViews<Ordinal, Offset> views, std::int64_t first,
                        std::int64_t last, Value const* values, Scalar alpha, X x, Scalar beta, Y y,
                        SpmvRowTuning)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  for (std::int64_t i = first; i < last; ++i)
  {
    Sum sum{};
    views[i].for_each([&](std::int64_t column, std::int64_t slot) {
      sum += Sum(conjugated<is_conjugate>(values[slot])) * Sum(x(column));
      stay_scalar();
    });
    store(y(i), alpha, sum, beta);
  }
}

} // namespace heddle::impl
