// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Formats whose arrays are those of a CSR matrix of other rows, so that kernels for CSR serve them,
// without a copy: CSC is A^T, DCSR lacks the empty rows, COO whose rows ascend lacks the row
// offsets, which a plan holds. OnCsr makes an implementation for such a format of one for CSR,
// under the same name.

#include <heddle/backend.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/multiply/mapped_operand.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::impl
{

template <class Matrix>
using CsrOf = CsrMatrix<typename Matrix::value_type const, typename Matrix::ordinal_type,
                        typename Matrix::offset_type, typename Matrix::memory_space>;

// What a plan holds of the form; csr(a) is the matrix, op_on(op) the op that gives op(A), and
// multiply calls run(op, x, beta, y) with what stands for the operands, which has_own_operands says
// are those of the call. The statistics of the matrix are those of its CSR form
// (plan/statistics_of.hpp).
template <class Matrix>
struct CsrForm
{
  static constexpr bool is_there = false, has_own_operands = true;
};

// Stands for a matrix whose arrays are made after the choice, so that only statistics tell of it:
// an implementation that reads the matrix to say whether it can run does not compile with this.
struct StatisticsOnly
{};

// What an implementation for CSR holds, with the form that it holds it of.
template <class Form, class Inner>
struct HeldInForm
{
  Form form;
  Inner inner;
};

template <Csc Matrix>
struct CsrForm<Matrix>
{
  static constexpr bool is_there = true;
  static constexpr bool has_own_operands = true;
  static constexpr char const* description = "A^T in CSR; ";
  static std::size_t bytes() { return 0; }
  static bool can_be(Matrix const&, RowStatistics const&) { return true; }
  template <class Exec>
  static CsrForm analyze(Exec const&, Matrix const&)
  {
    return {};
  }
  static CsrOf<Matrix> csr(Matrix const& a) { return a.transposed(); }
  static Op op_on(Op op)
  {
    switch (op)
    {
    case Op::none:
      return Op::transpose;
    case Op::transpose:
      return Op::none;
    case Op::conjugate_transpose:
      return Op::conjugate;
    default:
      return Op::conjugate_transpose;
    }
  }
  template <class Exec, class X, class Scalar, class Y, class Run>
  static void multiply(Exec const&, Matrix const&, Op op, X const& x, Scalar beta, Y const& y,
                       Run const& run)
  {
    run(op_on(op), x, beta, y);
  }
};

// The options for the kernel on the CSR form. Of a CSC matrix A x is what needs a transposed
// pattern: the plan takes it where calls are expected, unless these are said to be with A^T.
template <class Matrix, class Options>
Options options_on_csr(Options options)
{
  if constexpr (Csc<Matrix> && requires { options.expected_calls; })
    options.transposed = options.expected_calls > 0 && !options.transposed;
  return options;
}

template <Dcsr Matrix>
struct CsrForm<Matrix>
{
  static constexpr bool is_there = true;
  static constexpr bool has_own_operands = false;
  static constexpr char const* description = "the nonempty rows in CSR; ";
  static std::size_t bytes() { return 0; }
  static bool can_be(Matrix const&, RowStatistics const&) { return true; }
  template <class Exec>
  static CsrForm analyze(Exec const&, Matrix const&)
  {
    return {};
  }
  static CsrOf<Matrix> csr(Matrix const& a) { return a.compressed(); }
  static Op op_on(Op op) { return op; }
  template <class Exec, class X, class Scalar, class Y, class Run>
  static void multiply(Exec const& exec, Matrix const& a, Op op, X const& x, Scalar beta,
                       Y const& y, Run const& run)
  {
    auto const* const rows = a.rows().data();
    std::int64_t const n = a.num_nonempty_rows();
    if (is_transposed(op))
      return run(op, mapped(x, rows, n), beta, y);
    scale(exec, beta, y); // the rows that are not there
    run(op, x, Scalar(1), mapped(y, rows, n));
  }
};

template <Coo Matrix>
struct CsrForm<Matrix>
{
  static constexpr bool is_there = true;
  static constexpr bool has_own_operands = true;
  static constexpr char const* description = "row offsets held for coordinates in CSR order; ";
  Kokkos::View<typename Matrix::offset_type*, typename Matrix::memory_space> row_offsets;

  std::size_t bytes() const { return row_offsets.span() * sizeof(typename Matrix::offset_type); }
  static bool can_be(Matrix const&, RowStatistics const& statistics)
  {
    return statistics.is_row_by_row;
  }
  template <class Exec>
  static CsrForm analyze(Exec const& exec, Matrix const& a)
  {
    auto const offsets = new_row_offsets<Matrix>(exec, a.num_rows());
    offsets_of_sorted(exec, a.rows(), Identity{a.nnz()}, offsets);
    return {offsets};
  }
  CsrOf<Matrix> csr(Matrix const& a) const
  {
    return {a.num_rows(), a.num_cols(), row_offsets, a.columns(), a.values()};
  }
  static Op op_on(Op op) { return op; }
  template <class Exec, class X, class Scalar, class Y, class Run>
  static void multiply(Exec const&, Matrix const&, Op op, X const& x, Scalar beta, Y const& y,
                       Run const& run)
  {
    run(op, x, beta, y);
  }
};

template <class Exec, class Matrix, template <class, class> class Kernel>
struct OnCsr
{
  using Inner = Kernel<Exec, CsrOf<Matrix>>;
  using Form = CsrForm<Matrix>;
  static constexpr Backend backend = Inner::backend;
  static constexpr char const* name = Inner::name;
  static constexpr bool is_supported =
      Form::is_there && Inner::is_supported &&
      (Form::has_own_operands || Inner::backend == Backend::portable);
  struct State
  {
    Form form = {};
    typename Inner::State inner = {};

    std::size_t bytes() const { return form.bytes() + inner.bytes(); }
    bool is_repeatable(Op op) const { return inner.is_repeatable(Form::op_on(op)); }
    std::string describe() const { return Form::description + inner.describe(); }
  };
  template <class X, class Y>
  static constexpr Takes takes = Inner::template takes<X, Y>;
  // A x of CSC is a product with A^T, and of DCSR stores the rows that there are.
  template <class Epilogue>
  static constexpr bool fuses = is_coo_matrix_v<Matrix>&& requires
  {
    requires Inner::template fuses<Epilogue>;
  };
  template <class X, class Y>
  static bool takes_operands(Op op, X const& x, Y const& y)
  {
    return Inner::takes_operands(Form::op_on(op), x, y);
  }

  template <class Options>
  static Verdict can_run(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                         Options const& options)
  {
    if (!Form::can_be(a, statistics))
      return {false, "the entries do not stand in the order of rows"};
    return Inner::can_run(exec, StatisticsOnly{}, statistics, options);
  }
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                       Options const& options)
  {
    Form const form = Form::analyze(exec, a);
    return {form, Inner::analyze(exec, form.csr(a), statistics, options_on_csr<Matrix>(options))};
  }
  static auto hand_over(State const& state)
  {
    auto const inner = Inner::hand_over(state.inner);
    return HeldInForm<Form, std::remove_const_t<decltype(inner)>>{state.form, inner};
  }
  template <TakenOverBy<Inner> Held>
  static State take_over(HeldInForm<Form, Held> const& held)
  {
    return {held.form, Inner::take_over(held.inner)};
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    auto const csr = state.form.csr(a);
    state.form.multiply(exec, a, op, x, beta, y,
                        [&](Op inner_op, auto const& in, Scalar factor, auto const& out) {
                          Inner::run(exec, state.inner, inner_op, alpha, csr, in, factor, out);
                        });
  }
};

} // namespace heddle::impl
