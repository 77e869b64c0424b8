// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The basic CSR kernel of the CMU report (paper 002, section 3.2.1): a thread for each element of C
// walks a row of A and a column of B. Transposed, a thread for each element of B adds by atomics,
// or walks a transposed pattern where the plan is deterministic. Only by name, to compare with.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/multiply/row_view_kernels.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace heddle::impl
{

// What a thread does in the functions below: functors, see scan.hpp.
template <bool is_conjugate, class RowViews, class Value, class Scalar, class B, class C>
struct SpmmOfElement
{
  RowViews views;
  Value const* values;
  Scalar alpha;
  B b;
  Scalar beta;
  C c;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
    std::int64_t const i = n / c.cols, j = n % c.cols;
    Sum sum{};
    views[i].for_each([&](std::int64_t column, std::int64_t slot) {
      sum += Sum(conjugated<is_conjugate>(values[slot])) * Sum(b(column, j));
    });
    store(c(i, j), alpha, sum, beta);
  }
};
template <bool is_conjugate, class RowViews, class Value, class Scalar, class B, class C>
struct AddSpmmOfElement
{
  RowViews views;
  Value const* values;
  Scalar alpha;
  B b;
  C c;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
    std::int64_t const i = n / b.cols, j = n % b.cols;
    Sum const factor = Sum(alpha) * Sum(b(i, j));
    views[i].for_each([&](std::int64_t column, std::int64_t slot) {
      Sum const term = Sum(conjugated<is_conjugate>(values[slot])) * factor;
      atomic_accumulate(c(column, j), static_cast<Scalar>(term));
    });
  }
};

template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
          class C>
void spmm_by_elements(Exec const& exec, std::string const& label, RowViews const& views,
                      Value const* values, Scalar alpha, B const& b, Scalar beta, C const& c)
{
  Kokkos::parallel_for(
      label, range(exec, c.rows * c.cols),
      SpmmOfElement<is_conjugate, RowViews, Value, Scalar, B, C>{views, values, alpha, b, beta, c});
}

template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
          class C>
void add_spmm_by_elements(Exec const& exec, std::string const& label, RowViews const& views,
                          Value const* values, Scalar alpha, B const& b, C const& c)
{
  Kokkos::parallel_for(
      label, range(exec, b.rows * b.cols),
      AddSpmmOfElement<is_conjugate, RowViews, Value, Scalar, B, C>{views, values, alpha, b, c});
}

struct SpmmElements
{
  static constexpr char const* operation = "spmm";
  template <class Matrix>
  static constexpr char const* name = "portable::csr_element";
  template <class Matrix>
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  static constexpr bool is_by_name_only = true;
  struct Tuning
  {
    static std::string describe() { return "a thread an element of C"; }
  };
  template <class Exec>
  static Tuning tune(RowStatistics const&)
  {
    return {};
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
            class C>
  static void multiply(Exec const& exec, std::string const& label, Tuning, RowViews const& views,
                       Value const* values, Scalar alpha, B const& b, Scalar beta, C const& c)
  {
    spmm_by_elements<is_conjugate>(exec, label, views, values, alpha, b, beta, c);
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
            class C>
  static void add_transposed(Exec const& exec, std::string const& label, Tuning,
                             RowViews const& views, Value const* values, Scalar alpha, B const& b,
                             C const& c)
  {
    add_spmm_by_elements<is_conjugate>(exec, label, views, values, alpha, b, c);
  }
};

template <class Exec, class Matrix>
struct SpmmCsrElement : RowViewKernels<Exec, Matrix, SpmmElements>
{};

} // namespace heddle::impl
