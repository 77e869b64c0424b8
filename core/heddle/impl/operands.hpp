// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What kernels see of a caller's Views: a pointer, sizes and strides, with the stride that is 1
// known at compile time. A View cannot be told a leading dimension, and its memory space and traits
// multiply the kernels; these do not: a kernel is compiled once per value type and layout, for
// every kind of View a caller may own.

#include <heddle/accumulator.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// A vector. Layout: LayoutRight (neighbours are neighbours in memory) or LayoutStride.
template <class Value, class Layout>
struct VectorOperand
{
  using value_type = std::remove_const_t<Value>;
  using layout = Layout;
  Value* data;
  std::int64_t size;
  std::int64_t stride;

  KOKKOS_FUNCTION Value& operator()(std::int64_t i) const
  {
    KOKKOS_EXPECTS(0 <= i && i < size);
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>)
      return data[i];
    else
      return data[i * stride];
  }
};

// A dense matrix. Layout: LayoutRight (a row is contiguous), LayoutLeft (a column is) or
// LayoutStride.
template <class Value, class Layout>
struct MatrixOperand
{
  using value_type = std::remove_const_t<Value>;
  using layout = Layout;
  Value* data;
  std::int64_t rows, cols;
  std::int64_t row_stride, column_stride;

  KOKKOS_FUNCTION Value& operator()(std::int64_t i, std::int64_t j) const
  {
    KOKKOS_EXPECTS(0 <= i && i < rows && 0 <= j && j < cols);
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>)
      return data[i * row_stride + j];
    else if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>)
      return data[i + j * column_stride];
    else
      return data[i * row_stride + j * column_stride];
  }
};

template <class View>
inline constexpr bool is_strided_v =
    std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>;

// A row (column) is contiguous, whatever the layout is called.
template <class View>
bool is_row_major(View const& b)
{
  return b.extent(1) <= 1 || b.stride(1) == 1;
}
template <class View>
bool is_column_major(View const& b)
{
  return b.extent(0) <= 1 || b.stride(0) == 1;
}

template <class Layout, class View>
auto vector_operand(View const& x)
{
  return VectorOperand<typename View::value_type, Layout>{
      x.data(), static_cast<std::int64_t>(x.extent(0)), static_cast<std::int64_t>(x.stride(0))};
}
template <class Layout, class View>
auto matrix_operand(View const& b)
{
  return MatrixOperand<typename View::value_type, Layout>{
      b.data(), static_cast<std::int64_t>(b.extent(0)), static_cast<std::int64_t>(b.extent(1)),
      static_cast<std::int64_t>(b.stride(0)), static_cast<std::int64_t>(b.stride(1))};
}

// Calls run(x, y) with both as operands of the layout they share: contiguous if both are, else
// strided. Callers with contiguous Views compile only the former.
template <class X, class Y, class Run>
void with_vector_operands(X const& x, Y const& y, Run const& run)
{
  typename X::const_type const input = x;
  if constexpr (is_strided_v<X> || is_strided_v<Y>)
  {
    if ((x.extent(0) > 1 && x.stride(0) != 1) || (y.extent(0) > 1 && y.stride(0) != 1))
      return run(vector_operand<Kokkos::LayoutStride>(input),
                 vector_operand<Kokkos::LayoutStride>(y));
  }
  run(vector_operand<Kokkos::LayoutRight>(input), vector_operand<Kokkos::LayoutRight>(y));
}

// Calls run(b, c) with both row-major, both column-major, or both strided.
template <class B, class C, class Run>
void with_matrix_operands(B const& b, C const& c, Run const& run)
{
  typename B::const_type const input = b;
  constexpr bool same = std::is_same_v<typename B::array_layout, typename C::array_layout>;
  if constexpr (same && !is_strided_v<B>)
  {
    using Layout = typename B::array_layout;
    run(matrix_operand<Layout>(input), matrix_operand<Layout>(c));
  }
  else if (is_row_major(b) && is_row_major(c))
    run(matrix_operand<Kokkos::LayoutRight>(input), matrix_operand<Kokkos::LayoutRight>(c));
  else if (is_column_major(b) && is_column_major(c))
    run(matrix_operand<Kokkos::LayoutLeft>(input), matrix_operand<Kokkos::LayoutLeft>(c));
  else
    run(matrix_operand<Kokkos::LayoutStride>(input), matrix_operand<Kokkos::LayoutStride>(c));
}

// What every call asks of the types of its operands. The assertions of these structs speak where
// one is instantiated; a call that asks for `fit` leaves out what would not compile either, so that
// there is one error, with a sentence.
template <class Exec, class Matrix>
struct MatrixIsReached
{
  static constexpr bool fit =
      Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible;
  static_assert(fit, "heddle: the execution space cannot reach the matrix");
};
template <class Exec, class Matrix, class In, class Out>
struct OperandTypes
{
  static constexpr bool are_reached =
      Kokkos::SpaceAccessibility<Exec, typename In::memory_space>::accessible &&
      Kokkos::SpaceAccessibility<Exec, typename Out::memory_space>::accessible;
  static constexpr bool can_be_written = !std::is_const_v<typename Out::value_type>;
  static constexpr bool is_wide_enough =
      is_complex_v<typename Out::value_type> || !(is_complex_v<typename Matrix::value_type> ||
                                                  is_complex_v<typename In::non_const_value_type>);
  static constexpr bool fit = MatrixIsReached<Exec, typename Matrix::const_type>::fit &&
                              are_reached && can_be_written && is_wide_enough;
  static_assert(are_reached, "heddle: the execution space cannot reach a dense operand");
  static_assert(can_be_written, "heddle: the result is read-only");
  static_assert(is_wide_enough, "heddle: a factor is complex, so the result must be");
};

// What plans and products ask of the matrix beside that.
template <class Exec, class Matrix>
struct PlanTypes : MatrixIsReached<Exec, Matrix>
{
  static constexpr bool has_values = is_value_v<typename Matrix::value_type>;
  static constexpr bool fit = MatrixIsReached<Exec, Matrix>::fit && has_values;
  static_assert(has_values, "heddle: values of the matrix are float, double, Kokkos::complex of "
                            "these, or of a type that has an Accumulator of another type");
};
// ... and products of the dense operands.
template <class Exec, class Matrix, class In, class Out>
struct MultiplyTypes
{
  static constexpr bool have_values = is_value_v<typename In::non_const_value_type> &&
                                      is_value_v<typename Out::non_const_value_type>;
  static constexpr bool fit = PlanTypes<Exec, typename Matrix::const_type>::fit &&
                              OperandTypes<Exec, Matrix, In, Out>::fit && have_values;
  static_assert(have_values, "heddle: values of dense operands are float, double, Kokkos::complex "
                             "of these, or of a type that has an Accumulator of another type");
};

// Instantiates one of them.
template <class Types>
constexpr bool require_types()
{
  return Types::fit;
}

// Threads of the host run Exec's kernels.
template <class Exec>
inline constexpr bool is_host_v = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

} // namespace heddle::impl
