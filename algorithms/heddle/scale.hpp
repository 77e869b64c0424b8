// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entries/rows.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle
{

namespace impl
{

// factor * value in the wider of their types, as a Value.
template <class Factor, class Value>
KOKKOS_INLINE_FUNCTION Value scaled(Factor const& factor, Value const& value)
{
  using Wide = accumulator_t<Factor, Value>;
  return static_cast<Value>(Wide(factor) * Wide(value));
}

// What scale_rows and scale_columns do with one entry: functors, see scan.hpp.
template <class D, class Values>
struct ScaleByRow
{
  D d;
  Values values;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t k) const
  {
    values(k) = scaled(d(i), values(k));
  }
};
template <class D, class Columns, class Values>
struct ScaleByColumn
{
  D d;
  Columns columns;
  Values values;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    values(k) = scaled(d(columns(k)), values(k));
  }
};

template <class Exec, class Matrix, class D>
void check_scaling(char const* function, Matrix const& a, D const& d, std::int64_t expected,
                   char const* of_what)
{
  static_assert(!std::is_const_v<typename Matrix::column_type>,
                "heddle: the matrix to scale is read-only");
  require_types<OperandTypes<Exec, Matrix, D, typename Matrix::values_view>>();
  require(static_cast<std::int64_t>(d.extent(0)) == expected, function, "d has ", d.extent(0),
          " entries but A has ", expected, " ", of_what);
  require_disjoint(function, "d and A", d, a.values());
}

} // namespace impl

/// A <- diag(d) A in place: a_ij becomes d(i) a_ij. d may have another value type; a product is
/// taken in the wider one. Throws InvalidArgument where d has not as many entries as a has rows, or
/// shares memory with the values of a. Asynchronous.
template <ExecutionSpace Exec, Vector D, Csr Matrix>
void scale_rows(Exec const& exec, D const& d, Matrix const& a)
try
{
  impl::check_scaling<Exec>("scale_rows", a, d, a.num_rows(), "rows");
  Kokkos::Profiling::ScopedRegion const region("heddle::scale_rows");
  using Input = typename D::const_type;
  impl::for_each_entry(exec, "heddle::scale_rows", a,
                       impl::ScaleByRow<Input, typename Matrix::values_view>{d, a.values()});
}
catch (...)
{
  impl::rethrow_out_of_memory("scale_rows");
}

/// A <- A diag(d) in place: a_ij becomes a_ij d(j). d may have another value type; a product is
/// taken in the wider one. Throws InvalidArgument where d has not as many entries as a has columns,
/// or shares memory with the values of a. Asynchronous.
template <ExecutionSpace Exec, Csr Matrix, Vector D>
void scale_columns(Exec const& exec, Matrix const& a, D const& d)
try
{
  impl::check_scaling<Exec>("scale_columns", a, d, a.num_cols(), "columns");
  Kokkos::Profiling::ScopedRegion const region("heddle::scale_columns");
  using Input = typename D::const_type;
  Kokkos::parallel_for(
      "heddle::scale_columns", impl::range(exec, a.nnz()),
      impl::ScaleByColumn<Input, typename Matrix::columns_view, typename Matrix::values_view>{
          d, a.columns(), a.values()});
}
catch (...)
{
  impl::rethrow_out_of_memory("scale_columns");
}

} // namespace heddle
