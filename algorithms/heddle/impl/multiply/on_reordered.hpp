// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix in another order times dense operands in the caller's: op(A) x is computed as P^T (P A
// Q^T) (Q x), with the rows of x gathered into scratch and those of the result scattered from it.
// The multiplication between is a call with a plan on P A Q^T. Cost beside it: x and y read and
// written once more, at random; an order pays where it saves more than that.

#include <heddle/backend.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/order_cost.hpp>
#include <heddle/reordered_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

namespace heddle::impl
{

// An operand on contiguous memory, of n rows and else like another one.
template <class Value, class V, class Layout>
VectorOperand<Value, Kokkos::LayoutRight> operand_like(VectorOperand<V, Layout> const&, Value* data,
                                                       std::int64_t n)
{
  return {data, n, 1};
}
template <class Value, class V, class Layout>
auto operand_like(MatrixOperand<V, Layout> const& b, Value* data, std::int64_t n)
{
  constexpr bool by_column = std::is_same_v<Layout, Kokkos::LayoutLeft>;
  using Own = std::conditional_t<by_column, Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  return MatrixOperand<Value, Own>{data, n, b.cols, by_column ? 1 : b.cols, by_column ? n : 1};
}

template <class V, class Layout>
std::int64_t columns_of(VectorOperand<V, Layout> const&)
{
  return 1;
}
template <class V, class Layout>
std::int64_t columns_of(MatrixOperand<V, Layout> const& b)
{
  return b.cols;
}

// The View that a contiguous operand is.
template <class Space, class Value>
auto view_of(VectorOperand<Value, Kokkos::LayoutRight> const& x)
{
  return Kokkos::View<Value*, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      x.data, static_cast<std::size_t>(x.size));
}
template <class Space, class Value, class Layout>
auto view_of(MatrixOperand<Value, Layout> const& b)
{
  return Kokkos::View<Value**, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      b.data, static_cast<std::size_t>(b.rows), static_cast<std::size_t>(b.cols));
}

// The entries of a dense operand in the order of memory.
struct InMemoryOrder
{
  bool is_by_column;
  std::int64_t inner; // entries of a column, or of a row

  template <class Operand>
  explicit InMemoryOrder(Operand const& b)
      : is_by_column(b.row_stride < b.column_stride)
      , inner(is_by_column ? b.rows : b.cols)
  {}
  KOKKOS_FUNCTION std::int64_t row(std::int64_t n) const
  {
    return is_by_column ? n % inner : n / inner;
  }
  KOKKOS_FUNCTION std::int64_t column(std::int64_t n) const
  {
    return is_by_column ? n / inner : n % inner;
  }
};

// What the functions below do with one entry: functors, see scan.hpp.
template <class Order, class From, class To>
struct GatherInRow
{
  Order order;
  From from;
  To to;
  InMemoryOrder entries;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const i = entries.row(n), j = entries.column(n);
    to(i, j) = from(order(i), j);
  }
};
template <class Order, class From, class Scalar, class Layout>
struct AddScattered
{
  Order order;
  From from;
  Scalar beta;
  VectorOperand<Scalar, Layout> to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    Scalar& target = to(order(i));
    target = beta == Scalar(0) ? from(i) : beta * target + from(i);
  }
};
template <class Order, class From, class Scalar, class Layout>
struct AddScatteredInRow
{
  Order order;
  From from;
  Scalar beta;
  MatrixOperand<Scalar, Layout> to;
  InMemoryOrder entries;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const i = entries.row(n), j = entries.column(n);
    Scalar& target = to(order(i), j);
    target = beta == Scalar(0) ? from(i, j) : beta * target + from(i, j);
  }
};

// Row i of `to` becomes row order(i) of `from`. Asynchronous.
template <class Exec, class Order, class V, class Layout, class To>
void gather_rows(Exec const& exec, Order const& order, VectorOperand<V, Layout> const& from,
                 To const& to)
{
  gather(exec, order, from, to);
}
template <class Exec, class Order, class V, class Layout, class To>
void gather_rows(Exec const& exec, Order const& order, MatrixOperand<V, Layout> const& from,
                 To const& to)
{
  Kokkos::parallel_for(
      "heddle::gather_rows", range(exec, to.rows * to.cols),
      GatherInRow<Order, MatrixOperand<V, Layout>, To>{order, from, to, InMemoryOrder(to)});
}

// Row order(i) of `to` becomes beta times itself plus row i of `from`; beta = 0 does not read it.
// Asynchronous.
template <class Exec, class Order, class From, class Scalar, class Layout>
void add_scattered_rows(Exec const& exec, Order const& order, From const& from, Scalar beta,
                        VectorOperand<Scalar, Layout> const& to)
{
  Kokkos::parallel_for("heddle::scatter_rows", range(exec, from.size),
                       AddScattered<Order, From, Scalar, Layout>{order, from, beta, to});
}
template <class Exec, class Order, class From, class Scalar, class Layout>
void add_scattered_rows(Exec const& exec, Order const& order, From const& from, Scalar beta,
                        MatrixOperand<Scalar, Layout> const& to)
{
  Kokkos::parallel_for(
      "heddle::scatter_rows", range(exec, from.rows * from.cols),
      AddScatteredInRow<Order, From, Scalar, Layout>{order, from, beta, to, InMemoryOrder(from)});
}

// Call: Plan<Exec, Csr>, run(exec, plan, op, alpha, a, x, beta, y) on Views, and
// operand(data, rows, columns), a contiguous operand of a trial.
template <class Exec, class Matrix, class Call>
struct OnReordered
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::reordered";
  static constexpr bool is_supported = is_reordered_matrix_v<Matrix>;
  using Space = typename Matrix::memory_space;
  // Copies of a plan share the inner one.
  struct State
  {
    using Csr = typename Matrix::csr_type::const_type;
    using Plan = typename Call::template Plan<Exec, Csr>;
    std::shared_ptr<Plan const> inner = {};
    OrderCost cost = {};

    std::size_t bytes() const
    {
      return std::visit([](auto const& bound) -> std::size_t { return bound.state.bytes(); },
                        inner->choice());
    }
    bool is_repeatable(Op op) const { return inner->is_repeatable(op); }
    std::string describe() const
    {
      auto const text = [](auto const& bound) {
        return std::string(name_of(bound)) + " (" + bound.state.describe() + ")";
      };
      return std::visit(text, inner->choice()) + " on rows and columns in another order; " +
             cost.describe();
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;

  template <class Options>
  static Verdict can_run(Exec const&, Matrix const&, RowStatistics const&, Options const&)
  {
    return {true, "it multiplies through a plan on the reordered matrix"};
  }
  // Waits for exec.
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const&, Options options)
  {
    std::int64_t const columns = options.order_trial;
    options.implementation.clear();
    options.order_trial = {};
    if constexpr (requires { options.may_convert; })
      options.may_convert = false; // new values of A reach P A Q^T alone
    State state{
        std::make_shared<typename State::Plan const>(exec, typename State::Csr(a.moved()), options),
        a.cost()};
    if (columns > 0 && a.nnz() > 0)
      try_both(exec, a, options, columns, state.cost, state);
    return state;
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    auto const& order_in = is_transposed(op) ? a.row_order() : a.column_order();
    auto const& order_out = is_transposed(op) ? a.column_order() : a.row_order();
    auto const in_rows = static_cast<std::int64_t>(order_in.extent(0));
    auto const out_rows = static_cast<std::int64_t>(order_out.extent(0));
    Scratch<typename X::value_type, Exec> const in_memory(
        exec, static_cast<std::size_t>(in_rows * columns_of(x)));
    Scratch<Scalar, Exec> const out_memory(exec,
                                           static_cast<std::size_t>(out_rows * columns_of(y)));
    auto const in = operand_like(x, in_memory.data(), in_rows);
    auto const out = operand_like(y, out_memory.data(), out_rows);
    gather_rows(exec, order_in, x, in);
    Call::run(exec, *state.inner, op, alpha, typename State::Csr(a.moved()), view_of<Space>(in),
              Scalar(0), view_of<Space>(out));
    add_scattered_rows(exec, order_out, out, beta, y);
  }

  // Times of A x with A as it was and in its new order, with so many columns. Waits for exec.
  template <class Options>
  static void try_both(Exec const& exec, Matrix const& a, Options const& options,
                       std::int64_t columns, OrderCost& cost, State const& state)
  {
    using Value = typename Matrix::value_type;
    typename State::Csr const before = in_own_order(exec, a);
    typename State::Plan const plan(exec, before, options);
    Scratch<Value, Exec> const in(exec, static_cast<std::size_t>(a.num_cols() * columns));
    Scratch<Value, Exec> const out(exec, static_cast<std::size_t>(a.num_rows() * columns));
    Kokkos::deep_copy(exec, in.view(), Value(1));
    auto const x = Call::template operand<Value const>(in.data(), a.num_cols(), columns);
    auto const y = Call::template operand<Value>(out.data(), a.num_rows(), columns);
    TurnTimes const times = time_in_turns(
        exec,
        [&] {
          Call::run(exec, plan, Op::none, Value(1), before, view_of<Space>(x), Value(0),
                    view_of<Space>(y));
        },
        [&] { run(exec, state, Op::none, Value(1), a, x, Value(0), y); });
    cost.before = times.first;
    cost.after = times.second;
  }
};

} // namespace heddle::impl
