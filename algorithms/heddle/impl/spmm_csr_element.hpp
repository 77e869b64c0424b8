// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The basic CSR kernel of the CMU report (paper 002, section 3.2.1): a thread for each element of C
// walks a row of A and a column of B. Transposed, a thread for each element of B adds by atomics,
// or walks a transposed pattern where the plan is deterministic. Only by name, to compare with.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/line_formats.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class B, class C>
void spmm_by_elements(Exec const& exec, Lines const& lines, Value const* values, Scalar alpha,
                      B const& b, Scalar beta, C const& c)
{
  using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
  Kokkos::parallel_for(
      "heddle::spmm::csr_element", range(exec, c.rows * c.cols), KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const i = n / c.cols, j = n % c.cols;
        Sum sum{};
        lines[i].for_each([&](std::int64_t column, std::int64_t place) {
          sum += Sum(conjugated<is_conjugate>(values[place])) * Sum(b(column, j));
        });
        store(c(i, j), alpha, sum, beta);
      });
}

template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class B, class C>
void add_spmm_by_elements(Exec const& exec, Lines const& lines, Value const* values, Scalar alpha,
                          B const& b, C const& c)
{
  using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
  Kokkos::parallel_for(
      "heddle::spmm::csr_element::atomic", range(exec, b.rows * b.cols),
      KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const i = n / b.cols, j = n % b.cols;
        Sum const factor = Sum(alpha) * Sum(b(i, j));
        lines[i].for_each([&](std::int64_t column, std::int64_t place) {
          Sum const term = Sum(conjugated<is_conjugate>(values[place])) * factor;
          atomic_accumulate(c(column, j), static_cast<Scalar>(term));
        });
      });
}

template <class Exec, class Matrix>
struct SpmmCsrElement
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::csr_element";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  struct State
  {
    std::optional<TransposedLinesOf<Matrix>> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return std::string("a thread an element of C; transposed ") +
             (transposed ? "the same through a pattern it holds"
                         : "an element of B, by atomic additions");
    }
  };
  template <class B, class C>
  static constexpr bool takes = true;

  static bool can_run(Exec const&, Matrix const&, RowStatistics const&, SpmmOptions const& options)
  {
    return options.implementation == name;
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const&,
                       SpmmOptions const& options)
  {
    State state;
    if (options.deterministic)
      state.transposed = transposed_lines(exec, a);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    auto const* const values = a.values().data();
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (!is_transposed(op))
        return spmm_by_elements<Is::value>(exec, lines_of(a), values, alpha, b, beta, c);
      if (state.transposed)
        return spmm_by_elements<Is::value>(exec, gathered_lines(*state.transposed), values, alpha,
                                           b, beta, c);
      scale(exec, beta, c);
      add_spmm_by_elements<Is::value>(exec, lines_of(a), values, alpha, b, c);
    });
  }
};

} // namespace heddle::impl
